"""What duplicate deals save: how much less the mean of a block scatters than as many matches on deals of their own."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from arena.rating.duels import beaten
from arena.rating.likelihood import Floats, sums
from arena.rating.results import Bools, Results

FEW_BLOCKS = 30
"""With fewer blocks a bot the effect reads low, by 3 % at this number and by 10 % at 8, and no error is given."""


class DesignEffect(NamedTuple):
    """R · Var(mean of a block) / Var(single match), of points a deal and of the share of seats beaten.

    1: the matches of a block are as good as independent; below 1: so many times fewer matches are needed for the same
    error; above 1: a block repeats itself. None without points, or where no bot has two blocks or nothing varies.
    The errors are standard errors, None for fewer than 30 blocks a bot: then the numbers beside them tell little.
    """

    points: float | None
    places: float | None
    points_error: float | None = None
    places_error: float | None = None


class _Ratio(NamedTuple):
    value: float | None
    error: float | None


def design_effect(results: Results[Any]) -> DesignEffect:
    """Measure the design effect, each bot centred on its own mean, pooled over bots with at least two blocks."""
    won, met = beaten(results)
    against_others = met > 0
    share = np.divide(won, met, out=np.zeros_like(won), where=against_others)
    points = _Ratio(None, None) if results.lead is None else _ratio(results, results.lead, against_others)
    places = _ratio(results, share, against_others)
    return DesignEffect(points.value, places.value, points.error, places.error)


def _ratio(results: Results[Any], value: Floats, rows: Bools) -> _Ratio:
    """Pool Σ (sum over a block)² / Σ (single match)², both of deviations from the bot's mean."""
    size = len(results.bots)
    seated, row = np.unique(results.match[rows] * size + results.bot[rows], return_inverse=True)
    single = sums(row, value[rows], seated.size) / np.bincount(row, minlength=seated.size)
    bot = seated % size
    block_of_match = results.block[np.flatnonzero(np.diff(results.match, prepend=-1))]
    chairs, chair = np.unique(block_of_match[seated // size] * size + bot, return_inverse=True)
    mean = sums(bot, single, size) / np.maximum(np.bincount(bot, minlength=size), 1)
    blocks = np.bincount(chairs % size, minlength=size)
    deviation = np.where((blocks >= 2)[bot], single - mean[bot], 0.0)
    whole = sums(chair, deviation, chairs.size) ** 2
    apart = sums(chair, deviation**2, chairs.size)
    if (total := float(np.sum(apart))) <= 1e-12 * seated.size:
        return _Ratio(None, None)
    ratio = float(np.sum(whole)) / total
    few = chairs.size < FEW_BLOCKS * np.count_nonzero(blocks)
    return _Ratio(ratio, None if few else _error(sums(chairs // size, whole - ratio * apart, len(results.keys)), total))


def _error(surplus: Floats, total: float) -> float:
    """Give the standard error of a ratio of sums over blocks (W. Cochran 1977, chapter 6): √[G/(G−1) Σ e²] / total.

    `surplus`: e, by which a block's numerator exceeds the ratio times its denominator.
    """
    return math.sqrt(surplus.size / (surplus.size - 1) * float(surplus @ surplus)) / total
