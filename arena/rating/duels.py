"""Results seen pair by pair: every two seats of different bots at one table are one observation, a duel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from arena.rating.counts import PairTable
from arena.rating.likelihood import Floats, Indices, sums
from arena.rating.results import Results


class Duels(NamedTuple):
    """Pairs of seats as parallel arrays.

    `first` and `second` are rows of the results, `seats` the size of the table, `score` what `first` won: 1, ½ or 0
    as it finished ahead, level or behind.
    """

    first: Indices
    second: Indices
    seats: Indices
    score: Floats


def duels(results: Results[Any]) -> Iterator[Duels]:
    """Give all pairs of seats of two different bots, piece by piece; a block is never split."""
    for piece in results.slices():
        starts = piece.start + np.flatnonzero(np.diff(results.match[piece], prepend=-1))
        sizes = np.diff(starts, append=piece.stop)
        parts = [_pairs_of_size(results, starts[sizes == size], int(size)) for size in np.unique(sizes)]
        yield Duels(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _pairs_of_size(results: Results[Any], starts: Indices, size: int) -> Duels:
    one, other = np.triu_indices(size, 1)
    first, second = (starts[:, None] + one).ravel(), (starts[:, None] + other).ravel()
    distinct = results.bot[first] != results.bot[second]
    first, second = first[distinct], second[distinct]
    ahead = np.sign(results.place[second] - results.place[first])
    return Duels(first, second, np.full(first.size, size, dtype=np.intp), 0.5 + 0.5 * ahead)


def count_duels(results: Results[Any]) -> PairTable:
    """Add the duels up by pair of bots and table size: all that the fit needs."""
    parts = []
    for piece in duels(results):
        one, other = results.bot[piece.first], results.bot[piece.second]
        score = np.where(one < other, piece.score, 1.0 - piece.score)
        whole = PairTable(
            first=np.minimum(one, other),
            second=np.maximum(one, other),
            seats=piece.seats,
            games=np.ones(score.size, dtype=np.intp),
            wins=(score == 1.0).astype(np.intp),
            draws=(score == 0.5).astype(np.intp),
        )
        parts.append(whole.compact())
    return PairTable.joined(parts).compact()


def beaten(results: Results[Any]) -> tuple[Floats, Floats]:
    """Give for every seat the seats of other bots that it finished ahead of (½ for level), and how many there were."""
    won, met = np.zeros(results.bot.size), np.zeros(results.bot.size)
    for piece in duels(results):
        if piece.first.size:
            low, high = int(piece.first.min()), int(piece.second.max()) + 1
            for rows, score in ((piece.first, piece.score), (piece.second, 1.0 - piece.score)):
                won[low:high] += sums(rows - low, score, high - low)
                met[low:high] += np.bincount(rows - low, minlength=high - low)
    return won, met
