"""How far a rating may be off: covariances from whole blocks, leaving out one block after the other (CR3).

Matches of one block share their deals, and pairs of one match its cards, so only blocks count as independent. README.md
derives the formulae.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from arena.rating.duels import Duels, duels
from arena.rating.likelihood import (
    Floats,
    Indices,
    WeightedPairs,
    chances,
    inverse_of_differences,
    prior_information,
    sigmoid,
    sums,
    weight,
)
from arena.rating.results import Bools, Results

CONFIDENCE = 0.95
"""Of all intervals: the chance that one contains the truth."""

_UPPER = 0.5 + CONFIDENCE / 2
_INDISPENSABLE = 1e8  # without such a block the rest tells nothing of some difference, up to rounding
_NO_SCATTER = 1e-12  # relative to the naive variance: blocks that agree to the last digit


@dataclass(frozen=True, slots=True, eq=False)
class Covariance:
    """Two covariances of the strengths, bots × bots, in natural units, valid for differences within a component.

    Every row sums to 0 over its component, so that the diagonal is the variance against the mean of the component.
    `robust`: CR3, from the scatter of blocks. `naive`: as if all duels were independent. `blocks`: in how many blocks
    a bot met another. `bridged`: bots of a component that would fall apart without one of its blocks.
    """

    robust: Floats
    naive: Floats
    blocks: Indices
    bridged: Bools


class Verdict(NamedTuple):
    """What is to be said of differences, elementwise: half-widths, two-sided p-values, and whether naive or not."""

    half_width: Floats
    p: Floats
    naive: Bools


class _Blocks(NamedTuple):
    """Blocks with the same number m of bots: bots (B, m), gradients (B, m) and information (B, m, m) of their duels."""

    bots: Indices
    gradient: Floats
    information: Floats


def covariance(
    results: Results[Any], theta: Floats, component: Indices, pairs: WeightedPairs, prior: float
) -> Covariance:
    """Estimate the covariances at the optimum `theta` in one pass over the blocks of `results`.

    `component` numbers the components from 0, −1 for bots that met no other; `pairs` are all results in sum. Raises
    NoOptimumError when the information is singular.
    """
    size = theta.size
    naive = _naive(pairs.information(theta, prior), prior_information(theta, prior), component)
    meat = np.zeros(size * size)
    blocks = np.zeros(size, dtype=np.intp)
    components = int(component.max(initial=-1)) + 1
    clusters = np.zeros(components, dtype=np.intp)
    bridged = np.zeros(components, dtype=np.bool_)
    for piece in duels(results):
        for group in _blocks(results, piece, theta):
            pull, lost_hold = _left_out(group, naive)
            cells = group.bots[:, :, None] * size + group.bots[:, None, :]
            np.add.at(meat, cells.ravel(), (pull[:, :, None] * pull[:, None, :]).ravel())
            blocks += np.bincount(group.bots.ravel(), minlength=size)
            bridged[component[group.bots[lost_hold]]] = True
            clusters += _components_touched(component[group.bots], components)
    factor = (clusters - 1) / np.maximum(clusters, 1)
    robust = naive @ meat.reshape(size, size) @ naive * np.append(factor, 0.0)[component][:, None]
    return Covariance(robust, naive, blocks, np.append(bridged, False)[component])


def _naive(information: Floats, hold: Floats, component: Indices) -> Floats:
    """Invert the information of each component within its differences."""
    inverse = np.zeros_like(information)
    for number in range(int(component.max(initial=-1)) + 1):
        here = np.flatnonzero(component == number)
        inverse[np.ix_(here, here)] = inverse_of_differences(information[np.ix_(here, here)], hold[here])
    return inverse


def _blocks(results: Results[Any], piece: Duels, theta: Floats) -> Iterator[_Blocks]:
    """Sum the duels of each block; blocks with equally many bots come together."""
    if not piece.first.size:
        return
    size = theta.size
    low, high = int(piece.first.min()), int(piece.second.max()) + 1
    met = np.zeros(high - low, dtype=np.bool_)
    met[piece.first - low] = met[piece.second - low] = True
    rows = low + np.flatnonzero(met)
    chairs, chair_of_met = np.unique(results.block[rows] * size + results.bot[rows], return_inverse=True)
    chair = np.cumsum(met) - 1
    first, second = (chair_of_met[chair[rows - low]] for rows in (piece.first, piece.second))
    starts = np.flatnonzero(np.diff(chairs // size, prepend=-1))
    counts = np.diff(starts, append=chairs.size)
    block = np.repeat(np.arange(starts.size), counts)[first]
    lead = theta[results.bot[piece.first]] - theta[results.bot[piece.second]]
    w, (ahead, behind) = weight(piece.seats), chances(lead)
    pull, curvature = w * (piece.score - ahead), w * ahead * behind
    gradient = sums(first, pull, chairs.size) - sums(second, pull, chairs.size)
    offsets = np.cumsum(counts**2) - counts**2
    one, other = first - starts[block], second - starts[block]
    between = np.zeros(int(np.sum(counts**2)))
    for row, column in ((one, other), (other, one)):
        between += sums(offsets[block] + row * counts[block] + column, curvature, between.size)
    for count in np.unique(counts).tolist():
        which = np.flatnonzero(counts == count)
        chosen = starts[which][:, None] + np.arange(count)
        cells = between[offsets[which][:, None] + np.arange(count**2)].reshape(-1, count, count)
        information = np.eye(count) * cells.sum(axis=2)[:, :, None] - cells
        yield _Blocks(chairs[chosen] % size, gradient[chosen], information)


def _left_out(group: _Blocks, naive: Floats) -> tuple[Floats, Bools]:
    """Give g = (I − A M)⁻¹ v of each block, and which blocks hold alone what they hold.

    K g is then how far the strengths move, to first order, when the block is left out. For a block that alone tells
    some difference that is not defined; the least g that fits stands in, and the caller must not trust it.
    """
    size = group.bots.shape[1]
    own = naive[group.bots[:, :, None], group.bots[:, None, :]]
    rest = np.eye(size) - group.information @ own
    lost_hold = np.linalg.det(rest) == 0.0
    inverse = np.linalg.inv(np.where(lost_hold[:, None, None], np.eye(size), rest))
    lost_hold |= np.abs(inverse).sum(axis=2).max(axis=1) > _INDISPENSABLE
    if np.any(lost_hold):
        inverse[lost_hold] = np.linalg.pinv(rest[lost_hold], rcond=1.0 / _INDISPENSABLE)
    return np.einsum("bij,bj->bi", inverse, group.gradient), lost_hold


def _components_touched(component: Indices, components: int) -> Indices:
    """Count for each component in how many blocks (rows) one of its bots sits."""
    code = np.arange(component.shape[0])[:, None] * components + component
    return np.bincount(np.unique(code) % components, minlength=components)


def judge(difference: Floats, robust: Floats, naive: Floats, df: Indices, guarded: Bools) -> Verdict:
    """Judge differences (natural units) by their robust and naive variances; all arguments have one shape.

    With df ≥ 1 and scatter between the blocks: Student's t on the robust error; where `guarded`, or where blocks do
    not scatter at all, never less than the naive error says. With df = 0 the naive error alone.
    """
    usable = (df >= 1) & (robust > _NO_SCATTER * naive)
    checked = guarded | ~usable
    error, error_naive = np.sqrt(np.where(usable, robust, 0.0)), np.sqrt(np.maximum(naive, 0.0))
    wide, wide_naive = half_widths(np.where(usable, robust, 0.0), naive, df)
    gap = -np.abs(difference)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(usable, 2.0 * stdtr(np.maximum(df, 1), gap / error), 0.0)
        p_naive = np.where(checked & (error_naive > 0.0), 2.0 * ndtr(gap / error_naive), 0.0)
    naive_wins = checked & (wide_naive > wide)
    half_width = np.where(naive_wins, wide_naive, wide)
    return Verdict(half_width, np.where(difference == 0.0, 1.0, np.maximum(p, p_naive)), naive_wins)


def half_widths(robust: Floats, naive: Floats, df: Indices) -> tuple[Floats, Floats]:
    """Give the half-widths of both kinds of interval: t on the robust variance, normal on the naive one."""
    reach = np.asarray(stdtrit(np.maximum(df, 1.0), _UPPER), dtype=np.float64)
    return reach * np.sqrt(robust), float(ndtri(_UPPER)) * np.sqrt(np.maximum(naive, 0.0))


def one_sided_bound(opponents: Floats, weights: Floats, share: float) -> float:
    """Solve Σ w σ(L − θ) = share · Σ w for L: the strength that wins that share against those opponents.

    With share = .025^(1/G) it is the least strength at which winning all of G blocks is not a surprise; 1 − share
    bounds a bot that lost all. Bisection, to the last digit.
    """
    target, reach = share * float(weights.sum()), float(abs(np.log(share)) + abs(np.log1p(-share))) + 1.0
    low, high = float(opponents.min()) - reach, float(opponents.max()) + reach
    for _ in range(200):
        middle = (low + high) / 2
        if float(weights @ sigmoid(middle - opponents)) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2
