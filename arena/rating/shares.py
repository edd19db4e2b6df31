"""How often one finishes ahead of others, from sums over blocks: the share, its interval, and whether one is better.

The same rules as for ratings hold: blocks are the unit of inference, too few points are guarded by the naive error,
and a perfect record bounds the share on one side only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from arena.rating.block_sums import BlockSums
from arena.rating.cycles import superiority
from arena.rating.intervals import CONFIDENCE
from arena.rating.points import told
from arena.rating.widths import FEW_POINTS

_UPPER = 0.5 + CONFIDENCE / 2
_NAIVE = 1.959964  # standard errors to both sides, as if single results were independent
_MICRO = 1e6
_ROUNDING = 1e-6  # of the square of a block, which is kept in millionths


class Share(NamedTuple):
    """The mean share of a block, and the ends of its 95 % interval.

    One of them alone is the bound that a perfect record leaves, both are None for a single block. `superiority`:
    likelihood that the true share is above one half, None for a single block.
    """

    share: float
    low: float | None
    high: float | None
    superiority: float | None


def shares(found: Sequence[BlockSums]) -> list[Share]:
    """Tell the shares of many at once; each has at least one block."""
    columns = (np.array(column, dtype=np.float64) for column in zip(*found, strict=True))
    blocks, games, points, edge, square = columns if found else (np.empty(0) for _ in BlockSums._fields)
    mean = edge / _MICRO / blocks
    scatter = square / _MICRO - mean**2 * blocks
    scatter[scatter < _ROUNDING * blocks] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(scatter / (blocks - 1.0) / blocks)
        width = stdtrit(np.maximum(blocks - 1.0, 1.0), _UPPER) * error
    won = points / games
    few = (np.minimum(points, games - points) < FEW_POINTS) | (scatter == 0.0)
    width = np.where(few, np.fmax(width, _NAIVE * np.sqrt(won * (1.0 - won) / games)), width)
    surer = superiority(mean, error, blocks.astype(np.intp))
    return [
        _share(0.5 + middle, half, count, share, told(sure))
        for middle, half, count, share, sure in zip(mean, width, blocks, won, surer, strict=True)
    ]


def _share(middle: float, half: float, blocks: float, won: float, surer: float | None) -> Share:
    share, low, high = float(middle), None, None
    if blocks >= 2 and won in (0.0, 1.0):
        bound = float((1.0 - _UPPER) ** (1.0 / blocks))
        low, high = (bound, None) if won else (None, 1.0 - bound)
    elif blocks >= 2:
        low, high = max(share - float(half), 0.0), min(share + float(half), 1.0)
    return Share(share, low, high, surer)
