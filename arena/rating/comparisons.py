"""Every two bots of a list against each other: difference, interval, likelihood of superiority, and ranks from all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple

import numpy as np

from arena.rating.counts import BotKey
from arena.rating.intervals import Covariance, judge
from arena.rating.likelihood import Floats, Indices
from arena.rating.model import ELO_PER_UNIT
from arena.rating.ranks import told_apart
from arena.rating.results import Bools


class Pair(NamedTuple, Generic[BotKey]):
    """Bot `a` against bot `b`, in Elo: rating difference, half-width of its 95 % interval, likelihood that a is better.

    All three are None for bots of different components.
    """

    a: BotKey
    b: BotKey
    difference: float | None
    half_width: float | None
    los: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons(Generic[BotKey]):
    """All pairs of the sorted `bots`, as matrices [a, b] in Elo, NaN where nothing can be said.

    `los` is the likelihood that a is better than b. `rank_from`, `rank_to`: the places that each bot may have in its
    component when all pairs of the list are told apart at 5 % together; 0 for a bot that met no other.
    """

    bots: tuple[BotKey, ...]
    difference: Floats
    half_width: Floats
    los: Floats
    rank_from: Indices
    rank_to: Indices

    def pair(self, a: BotKey, b: BotKey) -> Pair[BotKey]:
        """Give one pair; raises ValueError for a bot that is not in the list."""
        return self._at(self.bots.index(a), self.bots.index(b))

    def pairs(self) -> Iterator[Pair[BotKey]]:
        """Give every pair once, a before b in the order of sorted bots."""
        for a in range(len(self.bots)):
            for b in range(a + 1, len(self.bots)):
                yield self._at(a, b)

    def _at(self, a: int, b: int) -> Pair[BotKey]:
        values = (float(matrix[a, b]) for matrix in (self.difference, self.half_width, self.los))
        return Pair(self.bots[a], self.bots[b], *(None if np.isnan(value) else value for value in values))


def compare(
    bots: tuple[BotKey, ...], theta: Floats, component: Indices, spread: Covariance, few: Bools, group: Indices
) -> Comparisons[BotKey]:
    """Compare all bots of one component with each other.

    `few` marks bots with hardly a point won or lost; `group` numbers groups between which all points went one way.
    Their pairs are guarded by the naive error.
    """
    size = len(bots)
    a, b = np.triu_indices(size, 1)
    comparable = (component[a] == component[b]) & (component[a] >= 0)
    a, b = a[comparable], b[comparable]
    lead = theta[a] - theta[b]
    verdict = judge(
        lead,
        _of_pairs(spread.robust, a, b),
        _of_pairs(spread.naive, a, b),
        np.minimum(spread.blocks[a], spread.blocks[b]) - 1,
        few[a] | few[b] | (group[a] != group[b]) | spread.bridged[a],
    )
    los = np.where(lead > 0.0, 1.0 - verdict.p / 2, verdict.p / 2)
    apart = told_apart(verdict.p)
    better, worse = np.where(lead > 0.0, a, b)[apart], np.where(lead > 0.0, b, a)[apart]
    met = component >= 0
    of_component = np.append(np.bincount(component[met]), 0)[component]
    return Comparisons(
        bots=bots,
        difference=_matrix(size, a, b, ELO_PER_UNIT * lead, -ELO_PER_UNIT * lead),
        half_width=_matrix(size, a, b, ELO_PER_UNIT * verdict.half_width, ELO_PER_UNIT * verdict.half_width),
        los=_matrix(size, a, b, los, 1.0 - los),
        rank_from=np.where(met, 1 + np.bincount(worse, minlength=size), 0),
        rank_to=np.where(met, of_component - np.bincount(better, minlength=size), 0),
    )


def _of_pairs(matrix: Floats, a: Indices, b: Indices) -> Floats:
    variance = matrix.diagonal()
    return np.maximum(variance[a] + variance[b] - 2.0 * matrix[a, b], 0.0)


def _matrix(size: int, a: Indices, b: Indices, upper: Floats, lower: Floats) -> Floats:
    matrix = np.full((size, size), np.nan)
    matrix[a, b], matrix[b, a] = upper, lower
    return matrix
