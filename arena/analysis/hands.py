"""All hands of up to five cards by their ranks alone, numbered, with what each may throw and become: 8568 hands are few
enough for tables, and with tables thousands of deals are played at once. Suits, and so flushes, are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arena.analysis.counting import without
from arena.game.cards import RANK, total
from arena.game.discards import legal_discards
from arena.game.variant import Variant

Indices = NDArray[np.intp]

MOST_CARDS = 5
"""The largest hands that have a number."""

RANKS = 13
NO_RANK = RANKS
"""Stands where fewer cards lie open than the row has room for."""

VALUES = np.minimum(np.arange(1, RANKS + 1), 10)
"""The value of a card (rule 1) by its rank."""

_SETS = [ranks for size in range(MOST_CARDS + 1) for ranks in combinations_with_replacement(range(RANKS), size)]
_NUMBER = {bytes(ranks): number for number, ranks in enumerate(_SETS)}


class Hands(Protocol):
    """Sets of ranks as numbers, so that what is done to one is done to thousands at once; the empty set is 0."""

    def number_of(self, cards: bytes) -> int:
        """Return the number of the set of these cards' ranks."""
        ...

    def add(self, hands: Indices, ranks: Indices | int) -> Indices:
        """Return the sets with one more card each."""
        ...

    def totals(self, hands: Indices) -> Indices:
        """Return what the cards of each set are worth."""
        ...

    def sizes(self, hands: Indices) -> Indices:
        """Return how many cards are in each set."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class HandTables:
    """What all sets of at most five ranks have in common; a set's number is its row, the empty set has number 0.

    `size` is how many cards it has, `total` their sum, `ranks` the ranks in ascending order, padded with `NO_RANK`,
    `counts` how many of each rank. `plus[set, rank]` is the set with one more card (0 where it would be too large).
    A hand's legal discards stand in a row: `kept[hand, choice]` is what they leave, `thrown[hand, choice]` the set that
    is thrown; rows are filled up with their first choice.
    """

    size: Indices
    total: Indices
    ranks: Indices
    counts: Indices
    plus: Indices
    kept: Indices
    thrown: Indices

    def number_of(self, cards: bytes) -> int:
        """Return the number of the set of these cards' ranks. Raises KeyError for more than five cards."""
        return number_of(cards)

    def add(self, hands: Indices, ranks: Indices | int) -> Indices:
        """Return the sets with one more card each."""
        return np.asarray(self.plus[hands, ranks])

    def totals(self, hands: Indices) -> Indices:
        """Return what the cards of each set are worth."""
        return np.asarray(self.total[hands])

    def sizes(self, hands: Indices) -> Indices:
        """Return how many cards are in each set."""
        return np.asarray(self.size[hands])


def number_of(cards: bytes) -> int:
    """Return the number of the set of these cards' ranks. Raises KeyError for more than five cards."""
    return _NUMBER[bytes(sorted(cards.translate(RANK)))]


@cache
def hand_tables(mixed_pairs: bool) -> HandTables:
    """Return the tables for variants with or without `mixed_pairs`, the only field that changes what is legal."""
    variant = Variant(mixed_pairs=mixed_pairs)
    choices = [_choices(ranks, variant) for ranks in _SETS]
    most = max(map(len, choices))
    rows = np.array([row + row[:1] * (most - len(row)) for row in choices], dtype=np.intp)
    counts = np.array([[ranks.count(rank) for rank in range(RANKS)] for ranks in _SETS])
    plus = [
        [_NUMBER[bytes(sorted((*ranks, rank)))] if len(ranks) < MOST_CARDS else 0 for rank in range(RANKS)]
        for ranks in _SETS
    ]
    return HandTables(
        size=counts.sum(axis=1),
        total=counts @ VALUES,
        ranks=np.array([ranks + (NO_RANK,) * (MOST_CARDS - len(ranks)) for ranks in _SETS]),
        counts=counts,
        plus=np.array(plus),
        kept=np.ascontiguousarray(rows[:, :, 0]),
        thrown=np.ascontiguousarray(rows[:, :, 1]),
    )


def _choices(ranks: tuple[int, ...], variant: Variant) -> list[tuple[int, int]]:
    """The numbers of what is kept and what is thrown, by legal discard, each pair once."""
    hand = bytes(rank + RANKS * (place % 4) for place, rank in enumerate(ranks))  # in suits that make no flush
    pairs = [
        (number_of(without(hand, discard)), number_of(discard))
        for discard in sorted(legal_discards(hand, variant), key=total, reverse=True)
    ]
    return list(dict.fromkeys(pairs)) or [(0, 0)]
