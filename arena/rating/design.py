"""Which tables tell most about given differences: expected information, chosen table after table.

A block of a table adds to the information of the fit what its pairs of seats add (J. Kiefer's optimal design, here for
a weighted sum of variances of differences, greedily).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.likelihood import Floats, Indices, chances, weight

Tables = NDArray[np.intp]


class Wanted(NamedTuple):
    """The comparisons of bots a[n] and b[n] that are to be told apart."""

    a: Indices
    b: Indices


class Designer:
    """Chooses tables one after the other, each as if the ones before had been played.

    `covariance` is the inverse of the information so far, prior included; `apart[i, j]`: the two may not share a table.
    """

    def __init__(self, theta: Floats, covariance: Floats, apart: NDArray[np.bool_], seats: int) -> None:
        self._lead = theta[:, None] - theta[None, :]
        ahead, behind = chances(self._lead)
        self._gain = seats * weight(seats) * ahead * behind
        self._covariance = covariance.copy()
        self._apart = apart | np.eye(theta.size, dtype=np.bool_)
        self._seats = seats

    def play(self, table: Sequence[int]) -> None:
        """Take it that a block of this table is played."""
        seats = np.array(table)
        added = np.diag(self._gain[np.ix_(seats, seats)].sum(axis=1)) - self._gain[np.ix_(seats, seats)]
        here = self._covariance[seats]
        kept = np.linalg.solve(np.eye(seats.size) + added @ here[:, seats], added @ here)
        self._covariance -= here.T @ kept

    def best_table(self, wanted: Wanted) -> list[int]:
        """Choose the two bots that together tell most, then whoever adds most, until the table is full.

        Fewer bots than seats come back when nobody may join them, none when no two may meet.
        """
        tells = self._tells(wanted)
        if not np.isfinite(tells.max()):
            return []
        table = [int(bot) for bot in np.unravel_index(int(tells.argmax()), tells.shape)]
        while len(table) < self._seats:
            added = tells[table].sum(axis=0)
            if not np.isfinite(added.max()):
                return table
            table.append(int(added.argmax()))
        return table

    def _tells(self, wanted: Wanted) -> Floats:
        """How far the wanted variances fall when two bots meet, for every two; −∞ where they may not.

        A variance counts in parts of what it would have to be, the squared difference; a difference that is smaller
        than its own error is not trusted to be so small.
        """
        seen = self._covariance[:, wanted.a] - self._covariance[:, wanted.b]
        spread = _of_all_pairs(self._covariance)
        needed = np.maximum(self._lead[wanted.a, wanted.b] ** 2, spread[wanted.a, wanted.b])
        moved = (seen / needed) @ seen.T
        falls = self._gain * _of_all_pairs(moved) / (1.0 + self._gain * spread)
        return np.where(self._apart, -np.inf, falls)


def _of_all_pairs(matrix: Floats) -> Floats:
    diagonal = matrix.diagonal()
    return np.asarray(np.maximum(diagonal[:, None] + diagonal[None, :] - 2.0 * matrix, 0.0))
