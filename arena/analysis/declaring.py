"""When the players of many deals declare: rules that look at what a seat can see of the others, not at their hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from arena.analysis.beliefs import MOST_TURNS, Holding, kept_weights, total_chances
from arena.analysis.hands import MOST_CARDS, Indices
from arena.game.cards import DECKS

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]

HIGHEST = 10 * MOST_CARDS
"""The highest total of a hand."""
NEVER = 1e-9
"""Stands for chances of nothing, which have no logarithm."""


class Opponent(NamedTuple):
    """What is seen of one opponent: by deal how many cards it holds and whether the last is fresh from the closed deck,
    and how many turns it has had."""

    cards: Indices
    fresh: Indices
    turns: int


class Declaring(Protocol):
    """A rule when to declare."""

    def __call__(self, own: Indices, others: Sequence[Opponent], /) -> Flags:
        """Return by deal whether a player with these totals declares."""
        ...


@dataclass(frozen=True, slots=True)
class AtMost:
    """Declares with a total of at most so many points."""

    most: int

    def __call__(self, own: Indices, _: Sequence[Opponent]) -> Flags:
        """Return by deal whether a player with these totals declares."""
        return np.asarray(own <= self.most)


@dataclass(frozen=True, slots=True)
class Confident:
    """Declares when the declaration holds with this chance at least, by what is believed of the others' totals."""

    chance: float

    def __call__(self, own: Indices, others: Sequence[Opponent]) -> Flags:
        """Return by deal whether a player with these totals declares."""
        table = _logarithms()
        sure = sum(table[min(one.turns, MOST_TURNS), one.fresh, one.cards, own] for one in others)
        return np.asarray(sure >= log(self.chance))


@cache
def _logarithms() -> Numbers:
    """By turns, fresh cards, cards and total: the logarithm of the chance that a hand is worth that or more."""
    table = np.zeros((MOST_TURNS + 1, 2, MOST_CARDS + 1, HIGHEST + 1))
    for turns in range(MOST_TURNS + 1):
        for fresh in range(2):
            for cards in range(1, MOST_CARDS + 1):
                held = Holding(0, b"", cards - fresh, fresh, kept_weights(turns), turns, None, b"")
                chances = total_chances(held, DECKS[1])
                chances += (0.0,) * (HIGHEST + 1 - len(chances))
                at_least = np.cumsum(chances[::-1])[::-1]
                table[turns, fresh, cards] = np.log(np.maximum(at_least, NEVER))
    return table
