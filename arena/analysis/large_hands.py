"""Hands of any size by their ranks, for those that are too large for tables: a number has four bits for the count of
each rank, so that what is done to a hand is arithmetic. Who holds such hands throws the heaviest set, as `Greedy` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from arena.analysis.declaring import AtMost, Flags, Numbers, Opponent
from arena.analysis.hands import NO_RANK, RANKS, VALUES, Indices, hand_tables
from arena.analysis.players import Move
from arena.analysis.policies import Greedy
from arena.game.cards import RANK

BITS = 4
"""Two decks have eight cards of a rank."""

NOW = 0.5
"""What a point in the hand costs now, since somebody may declare; after the next discard it costs 1."""
CARD = 0.6
"""What a card kept costs: few cards are soon few points."""


class LargeHands:
    """Sets of ranks of any size by number."""

    def number_of(self, cards: bytes) -> int:
        """Return the number of the set of these cards' ranks."""
        return sum(1 << BITS * rank for rank in cards.translate(RANK))

    def add(self, hands: Indices, ranks: Indices | int) -> Indices:
        """Return the sets with one more card each."""
        return np.asarray(hands + (1 << BITS * np.asarray(ranks, dtype=np.intp)))

    def totals(self, hands: Indices) -> Indices:
        """Return what the cards of each set are worth."""
        return _sums(hands, VALUES.tolist())

    def sizes(self, hands: Indices) -> Indices:
        """Return how many cards are in each set."""
        return _sums(hands, [1] * RANKS)


@dataclass(frozen=True, slots=True, eq=False)
class Heaviest:
    """Throws the set of the largest sum, takes the lowest open card if it is cheap, and declares, as `Greedy` does.

    `sets` are all that may be thrown, the lightest first, `needed` the bits that `_held` shows where they are held.
    """

    sets: tuple[int, ...]
    needed: tuple[int, ...]
    declares: AtMost
    cheap: int

    def ends(self, hands: Indices, others: Sequence[Opponent]) -> Flags:
        """Return by deal whether to declare with these hands."""
        return self.declares(LargeHands().totals(hands), others)

    def move(self, hands: Indices, top: Indices, _: Sequence[Opponent] = ()) -> Move:
        """Return what is played with these hands while these sets lie open."""
        thrown = self._heaviest(hands)
        rank = np.full(top.shape, NO_RANK)
        for lower in reversed(range(RANKS)):
            rank[_count(top, lower) > 0] = lower
        closed = np.append(VALUES, self.cheap + 1)[rank] > self.cheap
        return Move(closed, hands - thrown, thrown, rank)

    def costs_after(self, kept: Indices) -> Numbers:
        """Return what is left after the best next discard, with a part of what is held until then."""
        known = LargeHands()
        hands = known.add(kept[:, None], np.arange(RANKS))
        now = known.totals(hands)
        return np.asarray((1 + NOW) * now - known.totals(self._heaviest(hands)) + CARD * known.sizes(hands))

    def _heaviest(self, hands: Indices) -> Indices:
        held = _held(hands)
        found = np.zeros_like(hands)
        for number, needed in zip(self.sets, self.needed, strict=True):
            found[_has(held, needed)] = number
        return found


@cache
def heaviest(mixed_pairs: bool) -> Heaviest:
    """Return who throws the heaviest set that is legal with or without `mixed_pairs`."""
    like, small, known = Greedy(), hand_tables(mixed_pairs), LargeHands()
    legal = np.unique(small.thrown[(small.kept == 0) & (small.thrown > 0)])
    ordered = legal[np.argsort(small.total[legal], kind="stable")]
    sets = small.counts[ordered] @ (1 << BITS * np.arange(RANKS))
    assert (known.totals(sets) == small.total[ordered]).all()
    return Heaviest(tuple(sets.tolist()), tuple(_held(sets).tolist()), AtMost(like.declare_at), like.cheap)


def _count(hands: Indices, rank: int) -> Indices:
    return np.asarray(hands >> BITS * rank & (1 << BITS) - 1)


def _sums(hands: Indices, values: list[int]) -> Indices:
    return np.asarray(sum(value * _count(hands, rank) for rank, value in enumerate(values)))


def _held(hands: Indices) -> Indices:
    """By rank three bits: whether there is a card of it, a pair, and two pairs."""
    first = sum(1 << BITS * rank for rank in range(RANKS))
    eight, four, two, one = (hands >> bit & first for bit in reversed(range(BITS)))
    return np.asarray((one | two | four | eight) | (two | four | eight) << 1 | (four | eight) << 2)


def _has(held: Indices, needed: int) -> Flags:
    return np.asarray(held & needed == needed)
