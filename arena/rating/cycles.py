"""Where the results contradict an order: pairs that went another way than the ratings say, and circles of three."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

import numpy as np
from scipy.special import stdtr

from arena.rating.counts import BotKey
from arena.rating.duels import Duels, duels
from arena.rating.likelihood import Floats, Indices, sigmoid, sums
from arena.rating.results import Results

SURE = 0.95
"""The head-to-head likelihood of superiority that makes an edge of a circle."""

MOST_CIRCLES = 50
"""So many circles are listed, the surest; all are counted."""


_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """All pairs that met, as parallel arrays; `first` < `second` are bots, and numbers are those of `first`.

    `blocks` hold both, with `games` duels, of which `points` were won (ties ½) and `expected` is what the ratings say.
    `z` = Σ e / √Σ e² over the blocks' residuals e, NaN for fewer than two blocks or no residual at all. `superiority`:
    head-to-head likelihood that `first` is the better, from the blocks' mean scores; NaN for one block.
    """

    first: Indices
    second: Indices
    blocks: Indices
    games: Indices
    points: Floats
    expected: Floats
    z: Floats
    superiority: Floats


class Circle(NamedTuple, Generic[BotKey]):
    """Three bots of which each beats the next and the last the first; `superiority` is the least of the three."""

    bots: tuple[BotKey, BotKey, BotKey]
    superiority: float


@dataclass(frozen=True, slots=True, eq=False)
class Intransitivity(Generic[BotKey]):
    """How far results are from an order.

    `circles`: the surest, at most 50 of `circle_count`. `cyclic_share`: of the variation of the pairs' log odds, the
    part that no ratings can express; None where nothing varies.
    """

    meetings: Meetings
    circles: tuple[Circle[BotKey], ...]
    circle_count: int
    cyclic_share: float | None


class _Scores(NamedTuple):
    """Every pair in every block: the code of the pair, its duels, what its first bot won, and that less what p says."""

    code: Indices
    games: Floats
    points: Floats
    residual: Floats


def intransitivity(results: Results[BotKey], theta: Floats, component: Indices) -> Intransitivity[BotKey]:
    """Compare what pairs did with an order by strength `theta`."""
    met = _meetings(results, theta)
    circles, count = _circles(results.bots, met)
    return Intransitivity(met, circles, count, _cyclic_share(met, component))


def superiority(mean: Floats, error: Floats, blocks: Indices) -> Floats:
    """Give T_(G−1)(mean / error), the likelihood that the true mean is above 0.

    Never surer than G wins in G fair throws, 1 − 2^−G, since a few blocks that happen to agree have hardly any scatter.
    NaN for fewer than two blocks.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(mean == 0.0, 0.0, mean / error)
        found = np.clip(stdtr(np.maximum(blocks - 1, 1), t), 0.5**blocks, 1.0 - 0.5**blocks)
    return np.where(blocks >= 2, found, np.nan)


def _meetings(results: Results[Any], theta: Floats) -> Meetings:
    size = len(results.bots)
    parts = [_block_scores(results, piece, theta) for piece in duels(results)]
    code = np.concatenate([np.empty(0, dtype=np.intp), *(part.code for part in parts)])
    games, points, residual = (
        np.concatenate([np.empty(0), *(part[column] for part in parts)]) for column in range(1, len(_Scores._fields))
    )
    pairs, pair = np.unique(code, return_inverse=True)
    blocks = np.bincount(pair, minlength=pairs.size)
    edge = points / games - 0.5
    mean = sums(pair, edge, pairs.size) / blocks
    mean[np.abs(mean) < _ROUNDING] = 0.0
    scatter = sums(pair, (edge - mean[pair]) ** 2, pairs.size)
    noise, surplus = sums(pair, residual**2, pairs.size), sums(pair, residual, pairs.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(scatter / (blocks - 1.0) / blocks)
        z = np.where((blocks >= 2) & (noise > _ROUNDING), surplus / np.sqrt(noise), np.nan)
    won = sums(pair, points, pairs.size)
    return Meetings(
        first=pairs // size,
        second=pairs % size,
        blocks=blocks,
        games=sums(pair, games, pairs.size).astype(np.intp),
        points=won,
        expected=won - surplus,
        z=z,
        superiority=superiority(mean, error, blocks),
    )


def _block_scores(results: Results[Any], piece: Duels, theta: Floats) -> _Scores:
    size = len(results.bots)
    one, other = results.bot[piece.first], results.bot[piece.second]
    swapped = one > other
    score = np.where(swapped, 1.0 - piece.score, piece.score)
    one, other = np.where(swapped, other, one), np.where(swapped, one, other)
    cells, cell = np.unique((results.block[piece.first] * size + one) * size + other, return_inverse=True)
    games, points, residual = (
        sums(cell, value, cells.size)
        for value in (np.ones(score.size), score, score - sigmoid(theta[one] - theta[other]))
    )
    return _Scores(cells % size**2, games, points, residual)


def _circles(bots: tuple[BotKey, ...], met: Meetings) -> tuple[tuple[Circle[BotKey], ...], int]:
    size = len(bots)
    sure = np.zeros((size, size))
    known = ~np.isnan(met.superiority)
    sure[met.first[known], met.second[known]] = met.superiority[known]
    sure[met.second[known], met.first[known]] = 1.0 - met.superiority[known]
    beats = sure > SURE
    steps = beats.astype(np.float64)
    count = round(float(np.sum((steps @ steps) * steps.T)) / 3)
    found: list[tuple[float, int, int, int]] = []
    for a in range(size if count else 0):
        after = a + 1 + np.flatnonzero(beats[a, a + 1 :])
        before = a + 1 + np.flatnonzero(beats[a + 1 :, a])
        least = np.minimum(np.minimum(sure[a, after][:, None], sure[before, a]), sure[np.ix_(after, before)])
        for b, c in np.argwhere(beats[np.ix_(after, before)]).tolist():
            found.append((-float(least[b, c]), a, int(after[b]), int(before[c])))
        found = sorted(found)[:MOST_CIRCLES]
    return tuple(Circle((bots[a], bots[b], bots[c]), -least) for least, a, b, c in found), count


def _cyclic_share(met: Meetings, component: Indices) -> float | None:
    """Fit rating differences to ln((w+½)/(l+½)) by least squares weighted with w + l; tell the share left over.

    (X. Jiang, L.-H. Lim, Y. Yao, Y. Ye 2011: the part of the pairwise comparisons that no potential explains.)
    """
    size = component.size
    lost = met.games - met.points
    odds, weights = np.log((met.points + 0.5) / (lost + 0.5)), met.games.astype(np.float64)
    total = float(weights @ odds**2)
    if total <= 0.0:
        return None
    matrix = np.zeros((size, size))
    matrix[met.first, met.second] = matrix[met.second, met.first] = -weights
    np.fill_diagonal(matrix, -matrix.sum(axis=1) + (component < 0))
    matrix += (component[:, None] == component) & (component >= 0)[:, None]
    flow = sums(met.first, weights * odds, size) - sums(met.second, weights * odds, size)
    potential = np.linalg.solve(matrix, flow)
    left = odds - (potential[met.first] - potential[met.second])
    share = float(weights @ left**2) / total
    return share if share > _ROUNDING else 0.0
