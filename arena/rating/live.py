"""Ratings that follow a running list: brought up to date after a block in a fraction of the time of a new fit.

A block changes the optimum little, so the curvature of a while ago still points the way (a chord step): the gradient
changes at the block's own bots only, and what the first step leaves is measured over all pairs and taken away by the
next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple

import numpy as np

from arena.rating.counts import BotKey, PairCount, PairTable
from arena.rating.errors import BadResultsError
from arena.rating.graph import connected_pieces
from arena.rating.likelihood import (
    Floats,
    Indices,
    WeightedPairs,
    chances,
    inverse_of_differences,
    maximise,
    prior_information,
    sums,
)
from arena.rating.model import ELO_ORIGIN, ELO_PER_UNIT, weighted_pairs

_TOLERANCE = 1e-7  # natural units: hundred-thousandths of an Elo point
_MOST_CHORDS = 4


class _Piece(NamedTuple):
    """One component: its bots, all its pairs (a row for every a < b), its strengths, and the curvature kept.

    `inverse` and `hold` are of an optimum of some blocks ago.
    """

    members: Indices
    pairs: WeightedPairs
    theta: Floats
    inverse: Floats
    hold: Floats


@dataclass(frozen=True, slots=True, eq=False)
class LiveRatings(Generic[BotKey]):
    """The ratings of one list at some moment, of the sorted `bots`; make one by `start`, the next by `after`."""

    bots: tuple[BotKey, ...]
    prior: float
    _pieces: tuple[_Piece, ...]

    @classmethod
    def start(cls, bots: Iterable[BotKey], table: PairTable, prior: float = 1.0) -> LiveRatings[BotKey]:
        """Fit all there is so far; `table` counts the bots sorted. Raises BadResultsError for a prior not above 0."""
        if not (prior > 0.0 and np.isfinite(prior)):
            raise BadResultsError(f"ratings of a running list need a finite prior above 0, not {prior}")
        names = tuple(sorted(set(bots)))
        return cls(names, prior, _settle(weighted_pairs(len(names), table), prior))

    def after(self, counts: Iterable[PairCount[BotKey]]) -> LiveRatings[BotKey]:
        """Add the counts of a block (or of several). Raises BadResultsError for a bot that is not in the list."""
        new = weighted_pairs(len(self.bots), PairTable.of(self.bots, counts))
        met = np.union1d(new.first, new.second)
        if not met.size:
            return self
        around = [bool(np.all(np.isin(met, piece.members))) for piece in self._pieces]
        if any(around):
            pieces = zip(self._pieces, around, strict=True)
            moved = tuple(_moved(piece, new, self.prior) if its else piece for piece, its in pieces)
            return replace(self, _pieces=moved)
        everything = [new, *(_spread_out(piece, len(self.bots)) for piece in self._pieces)]
        columns = [
            np.concatenate([getattr(one, name) for one in everything]) for name in ("first", "second", "won", "lost")
        ]
        return replace(self, _pieces=_settle(WeightedPairs(len(self.bots), *columns), self.prior))

    def ratings(self, anchor: BotKey | None = None) -> dict[BotKey, float | None]:
        """Give every bot's Elo rating as `Fit.ratings` does, to a ten-thousandth of a point."""
        rated: dict[BotKey, float | None] = dict.fromkeys(self.bots)
        for piece in self._pieces:
            names = [self.bots[index] for index in piece.members.tolist()]
            origin = piece.theta[names.index(anchor)] if anchor in names else piece.theta.mean()
            rated.update(zip(names, (ELO_ORIGIN + ELO_PER_UNIT * (piece.theta - origin)).tolist(), strict=True))
        return rated


def _settle(everyone: WeightedPairs, prior: float) -> tuple[_Piece, ...]:
    """Fit every component anew."""
    pieces = connected_pieces(everyone.size, np.stack([everyone.first, everyone.second], axis=1))
    settled = []
    for members in pieces:
        if len(members) > 1:
            met = everyone.among(members)
            first, second = np.triu_indices(len(members), 1)
            nothing = np.zeros(first.size)
            pairs = _added(WeightedPairs(len(members), first, second, nothing, nothing), met)
            settled.append(_refitted(np.array(members), pairs, prior))
    return tuple(settled)


def _refitted(members: Indices, pairs: WeightedPairs, prior: float) -> _Piece:
    theta = maximise(pairs, prior)
    hold = prior_information(theta, prior)
    return _Piece(members, pairs, theta, inverse_of_differences(pairs.information(theta, prior), hold), hold)


def _moved(piece: _Piece, new: WeightedPairs, prior: float) -> _Piece:
    """Step to the new optimum; fit anew when the kept curvature does not lead there."""
    local = replace(
        new,
        size=piece.members.size,
        first=np.searchsorted(piece.members, new.first),
        second=np.searchsorted(piece.members, new.second),
    )
    pairs = _added(piece.pairs, local)
    ahead, behind = chances(piece.theta[local.first] - piece.theta[local.second])
    pull = local.won * behind - local.lost * ahead
    gradient = sums(local.first, pull, local.size) - sums(local.second, pull, local.size)
    theta, before = piece.theta, np.inf
    for _ in range(1 + _MOST_CHORDS):
        step = _chord(piece, gradient)
        theta = theta + step
        size = float(np.max(np.abs(step)))
        if size < before < np.inf and size * size / (before - size) < _TOLERANCE:
            return piece._replace(pairs=pairs, theta=theta)
        before = size
        gradient = pairs.gradient(theta, prior)
    return _refitted(piece.members, pairs, prior)


def _chord(piece: _Piece, gradient: Floats) -> Floats:
    """Give H⁻¹ · gradient, the shift that only the prior holds solved for apart."""
    pull, held = float(gradient.sum()), float(piece.hold.sum())
    # einsum stays on one thread: a product of matrix and vector is too short to wait for a second core that is busy
    step: Floats = np.einsum("ab,b->a", piece.inverse, gradient - piece.hold * (pull / held))
    return step + (pull - float(piece.hold @ step)) / held


def _added(pairs: WeightedPairs, new: WeightedPairs) -> WeightedPairs:
    """Add points to a full list of pairs a < b."""
    rows = new.first * (2 * pairs.size - new.first - 1) // 2 + new.second - new.first - 1
    won, lost = pairs.won.copy(), pairs.lost.copy()
    np.add.at(won, rows, new.won)
    np.add.at(lost, rows, new.lost)
    return replace(pairs, won=won, lost=lost)


def _spread_out(piece: _Piece, size: int) -> WeightedPairs:
    """Number the bots of a component as in the whole list again."""
    met = piece.pairs.won + piece.pairs.lost > 0.0
    first, second = piece.members[piece.pairs.first[met]], piece.members[piece.pairs.second[met]]
    return WeightedPairs(size, first, second, piece.pairs.won[met], piece.pairs.lost[met])
