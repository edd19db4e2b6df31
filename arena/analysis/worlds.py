"""Worlds: all the hidden cards of a deal, drawn from what a seat may believe, by ranks, many at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.analysis.beliefs import Holding
from arena.analysis.counting import Counts, without
from arena.analysis.hands import Hands, Indices
from arena.game.cards import DECKS, ONE, RANK, VALUE

Numbers = NDArray[np.float64]

DRAWS = 60
"""So many cards of a closed deck are enough; a deal that is longer gets the first ones again."""


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """So many worlds, a row each: the others' hands by number, a column for each holding, what of them was `kept` when
    its seat threw last (before it took a card), and the ranks that will come from the closed deck, refilled with the
    dead cards when it is empty."""

    hands: Indices
    kept: Indices
    deck: Indices


def sample_worlds(
    known: Hands, held: tuple[Holding, ...], counts: Counts, count: int, chance: np.random.Generator
) -> Worlds:
    """Return `count` worlds in which each other seat's unknown cards are drawn from the unseen ones.

    Kept cards are drawn one after the other with chances in proportion to their weights, hand after hand (as the
    shortest of exponential times; Efraimidis and Spirakis 2006, Inf. Process. Lett. 97), all other cards evenly.
    """
    ranks = np.frombuffer(counts.unseen.translate(RANK), np.uint8).astype(np.intp)
    values = np.frombuffer(counts.unseen.translate(VALUE), np.uint8)
    worlds = np.arange(count)[:, None]
    free = np.ones((count, len(ranks)), dtype=bool)
    hands, kept = np.empty((2, count, len(held)), dtype=np.intp)
    for column, holding in enumerate(held):
        taken = taken_last(holding)
        hand = np.full(count, known.number_of(without(holding.known, taken)))
        if holding.kept:
            times = chance.standard_exponential(free.shape) / np.array(holding.weights)[values]
            times[~free] = np.inf
            drawn = np.argpartition(times, holding.kept - 1, axis=1)[:, : holding.kept]
            free[worlds, drawn] = False
            hand = _with_cards(known, hand, ranks[drawn])
        kept[:, column] = hand
        hands[:, column] = known.add(hand, RANK[taken[0]]) if taken else hand
    rest = _shuffled(chance, free)[:, : len(ranks) - sum(holding.kept for holding in held)]
    fresh = 0
    for column, holding in enumerate(held):
        hands[:, column] = _with_cards(known, hands[:, column], ranks[rest[:, fresh : fresh + holding.fresh]])
        fresh += holding.fresh
    return Worlds(hands, kept, _deck(ranks[rest[:, fresh:]], counts, chance))


def taken_last(holding: Holding) -> bytes:
    """Return the card that a seat took openly in its last play, if it did."""
    return b"" if holding.last is None or holding.last.taken is None else ONE[holding.last.taken]


def _with_cards(known: Hands, hands: Indices, cards: Indices) -> Indices:
    for column in cards.T:
        hands = known.add(hands, column)
    return hands


def _shuffled(chance: np.random.Generator, free: NDArray[np.bool_]) -> Indices:
    """By row: where it is true, in an order of chance, then the others."""
    keys = chance.random(free.shape)
    keys[~free] = 2.0
    return keys.argsort(axis=1)


def _deck(closed: Indices, counts: Counts, chance: np.random.Generator) -> Indices:
    """The closed cards and then the dead ones; where there is hardly one, any card stands for what is thrown later."""
    missing = DRAWS - closed.shape[1]
    if missing > 0:
        more = counts.dead if closed.shape[1] + len(counts.dead) > 1 else DECKS[1]
        dead = np.frombuffer(more.translate(RANK), np.uint8).astype(np.intp)
        order = _shuffled(chance, np.ones((len(closed), len(dead)), dtype=bool))[:, :missing]
        closed = np.hstack([closed, dead[order]])
    return closed[:, :DRAWS]
