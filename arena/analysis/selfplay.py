"""Many matches in this process, with the results as columns: what is played for training and for quick experiments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from arena.analysis.policies import Policy
from arena.game.chance import SeededChance
from arena.game.events import MatchEnded
from arena.game.rules import decide, evolve, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Finished matches, one row each, in the order of their seeds and, below a seed, of the rotations.

    `points` and `places` have a column for each policy, wherever it sat; `deals` are the deals scored in a match,
    `turns` its turns.
    """

    points: Integers
    places: Integers
    deals: Integers
    turns: Integers

    def points_a_deal(self) -> NDArray[np.float64]:
        """Return the points a deal of each policy: the mean over the matches, shape (policies,)."""
        return np.asarray((self.points / np.maximum(self.deals, 1)[:, None]).mean(axis=0))


def play_matches(
    policies: Sequence[Policy], variant: Variant, seeds: Iterable[bytes], *, rotate: bool = False
) -> Matches:
    """Play a match for each 32-byte seed, policy p in seat p; the same arguments give the same results.

    With `rotate` each seed is played once in each rotation of the seats, as a block is: in rotation r, seat s is
    taken by policy (s + r) modulo their number. All that a policy is told is what a seat may know.

    Raises:
        VariantError: so many seats cannot play by this variant.
        IllegalAction: a policy broke a rule.
    """
    seats = len(policies)
    rows: list[tuple[int, ...]] = []
    for seed in seeds:
        for rotation in range(seats if rotate else 1):
            state = new_match(variant, seats, SeededChance(seed, variant.decks))
            ended = finish(state, [*policies[rotation:], *policies[:rotation]])
            chairs = [(policy - rotation) % seats for policy in range(seats)]
            points, places = ([column[chair] for chair in chairs] for column in (ended.points, ended.places))
            rows.append((*points, *places, len(state.past_deals), state.turn))
    columns = np.array(rows, dtype=np.int64).reshape(len(rows), 2 * seats + 2)
    return Matches(columns[:, :seats], columns[:, seats : 2 * seats], columns[:, -2], columns[:, -1])


def finish(state: State, policies: Sequence[Policy]) -> MatchEnded:
    """Play a match on to its end, in place, seat s acting by `policies[s]`, and return how it ended.

    Raises:
        IllegalAction: a policy broke a rule.
    """
    while state.outcome is None:
        evolve(state, decide(state, policies[state.seat](observe(state, state.seat))))
    return state.outcome


def match_seeds(name: str, count: int) -> tuple[bytes, ...]:
    """Return `count` seeds of matches that follow from a name: another name, other cards."""
    return tuple(sha256(f"{name}/{number}".encode()).digest() for number in range(count))
