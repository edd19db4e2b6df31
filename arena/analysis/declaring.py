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
OTHERS = 0.5
"""What the mean of the others' points counts against own points."""
ONLY_OTHER = 1.0
"""The same for who has but one opponent and plays to be ahead: each of its points is then as good as one less of one's
own."""
FALSE = 22.0
"""What a declaration costs that does not hold: the penalty, and what it mostly misses by."""
NEVER = 1e-9
"""Stands for chances of nothing, which have no logarithm."""


class Opponent(NamedTuple):
    """What is seen of one opponent: by deal (or alike in all) how many cards it holds and whether the last is fresh
    from the closed deck, and how many turns it has had."""

    cards: Indices | int
    fresh: Indices | int
    turns: int

    def where(self, deals: Flags) -> Opponent:
        """Return what is seen in these deals alone."""
        return Opponent(np.asarray(self.cards)[deals], np.asarray(self.fresh)[deals], self.turns)


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
        return np.asarray(likely_to_hold(own, others) >= log(self.chance))


def likely_to_hold(own: Indices, others: Sequence[Opponent]) -> Numbers:
    """Return by deal the logarithm of the chance that nobody has less than these totals, for all that is seen."""
    table = _logarithms()
    return np.asarray(sum(table[min(one.turns, MOST_TURNS), one.fresh, one.cards, own] for one in others))


def weight_of_others(players: int) -> float:
    """Return what the mean of the others' points counts for who plays to be ahead at a table of so many."""
    return ONLY_OTHER if players == 2 else OTHERS


def cost_of_declaring(own: Indices, others: Sequence[Opponent]) -> Numbers:
    """Return by deal what a declaration with these totals costs on the mean: own points, less a part of the others'."""
    holds = np.exp(likely_to_hold(own, others))
    excesses = _excesses()
    gain = sum(excesses[min(one.turns, MOST_TURNS), one.fresh, one.cards, own] for one in others)
    return np.asarray((1 - holds) * FALSE - weight_of_others(1 + len(others)) / len(others) * holds * gain)


@cache
def _logarithms() -> Numbers:
    """By turns, fresh cards, cards and total: the logarithm of the chance that a hand is worth that or more."""
    at_least = _chances()[..., ::-1].cumsum(axis=-1)[..., ::-1]
    return np.asarray(np.log(np.maximum(at_least, NEVER)))


@cache
def _excesses() -> Numbers:
    """By the same: how much more than that a hand is worth on the mean, when it is not worth less."""
    totals = np.arange(HIGHEST + 1)
    chances = _chances()
    more = chances @ np.maximum(totals[:, None] - totals, 0)
    return np.asarray(more / np.exp(_logarithms()))


def _chances() -> Numbers:
    """By the same: the chance that a hand is worth just that."""
    table = np.zeros((MOST_TURNS + 1, 2, MOST_CARDS + 1, HIGHEST + 1))
    for turns in range(MOST_TURNS + 1):
        for fresh in range(2):
            for cards in range(1, MOST_CARDS + 1):
                held = Holding(0, b"", cards - fresh, fresh, kept_weights(turns), turns, None, b"")
                chances = total_chances(held, DECKS[1])
                table[turns, fresh, cards, : len(chances)] = chances
    return table
