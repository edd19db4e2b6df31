"""What results tell about every two bots so far: how far apart, how surely, and what more games would add."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

import numpy as np

from arena.rating.counts import BotKey
from arena.rating.duels import count_duels
from arena.rating.intervals import Covariance, covariance
from arena.rating.likelihood import Floats, Indices
from arena.rating.model import ELO_ORIGIN, fit_table, weighted_pairs
from arena.rating.results import Bools, Results
from arena.rating.scale import Scale
from arena.rating.widths import FEW_POINTS

_PRIOR = 1.0
_NO_SCATTER = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge(Generic[BotKey]):
    """The fit of a list as arrays over its sorted `bots`, in natural units.

    `component`: −1 for a bot that met no other; only bots of one component can be compared. `guarded`: bots whose
    scatter says too little. `group`: bots of different ones took no points from each other, in one direction.
    `planning`: the inverse of −d²ℓ/dθ², the prior included, so that it is there whoever played.
    """

    bots: tuple[BotKey, ...]
    theta: Floats
    component: Indices
    group: Indices
    guarded: Bools
    spread: Covariance
    planning: Floats

    def variance(self, a: Indices, b: Indices) -> Floats:
        """The variance of θa − θb from whole blocks, not below that of independent duels where a bot is guarded."""
        robust, naive = (_of_pairs(matrix, a, b) for matrix in (self.spread.robust, self.spread.naive))
        guarded = self.guarded[a] | self.guarded[b] | (self.group[a] != self.group[b]) | (robust <= _NO_SCATTER * naive)
        found = np.where(guarded, np.maximum(robust, naive), robust)
        return np.where((self.component[a] == self.component[b]) & (self.component[a] >= 0), found, np.inf)


def learn(results: Results[BotKey]) -> Knowledge[BotKey]:
    """Fit the strengths and their covariances; raises NoOptimumError as `fit` does."""
    size, table = len(results.bots), count_duels(results)
    scale = Scale.of(results.bots, fit_table(results.bots, table, _PRIOR).components, None, ELO_ORIGIN)
    pairs = weighted_pairs(size, table)
    spread = covariance(results, scale.theta, scale.component, pairs, _PRIOR)
    guarded = (np.minimum(*table.points(size)) < FEW_POINTS) | spread.bridged
    planning = np.asarray(np.linalg.inv(pairs.information(scale.theta, _PRIOR)), dtype=np.float64)
    return Knowledge(results.bots, scale.theta, scale.component, scale.group, guarded, spread, planning)


def _of_pairs(matrix: Floats, a: Indices, b: Indices) -> Floats:
    diagonal = matrix.diagonal()
    return np.asarray(np.maximum(diagonal[a] + diagonal[b] - 2.0 * matrix[a, b], 0.0))
