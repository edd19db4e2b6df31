"""What duplicate deals save: how much less the mean of a block scatters than as many matches on deals of their own."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from arena.rating.duels import beaten
from arena.rating.likelihood import Floats, sums
from arena.rating.results import Bools, Results


class DesignEffect(NamedTuple):
    """R · Var(mean of a block) / Var(single match), of points a deal and of the share of seats beaten.

    1: the matches of a block are as good as independent; below 1: so many times fewer matches are needed for the same
    error; above 1: a block repeats itself. None without points, or where no bot has two blocks or nothing varies.
    """

    points: float | None
    places: float | None


def design_effect(results: Results[Any]) -> DesignEffect:
    """Measure the design effect, each bot centred on its own mean, pooled over bots with at least two blocks."""
    won, met = beaten(results)
    against_others = met > 0
    share = np.divide(won, met, out=np.zeros_like(won), where=against_others)
    points = None if results.lead is None else _ratio(results, results.lead, against_others)
    return DesignEffect(points, _ratio(results, share, against_others))


def _ratio(results: Results[Any], value: Floats, rows: Bools) -> float | None:
    """Pool Σ (sum over a block)² / Σ (single match)², both of deviations from the bot's mean."""
    size = len(results.bots)
    seated, row = np.unique(results.match[rows] * size + results.bot[rows], return_inverse=True)
    single = sums(row, value[rows], seated.size) / np.bincount(row, minlength=seated.size)
    bot = seated % size
    block_of_match = results.block[np.flatnonzero(np.diff(results.match, prepend=-1))]
    chairs, chair = np.unique(block_of_match[seated // size] * size + bot, return_inverse=True)
    mean = sums(bot, single, size) / np.maximum(np.bincount(bot, minlength=size), 1)
    deviation = np.where((np.bincount(chairs % size, minlength=size) >= 2)[bot], single - mean[bot], 0.0)
    whole = float(np.sum(sums(chair, deviation, chairs.size) ** 2))
    apart = float(np.sum(deviation**2))
    return whole / apart if apart > 1e-12 * seated.size else None
