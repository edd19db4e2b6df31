"""Plain sums of a list by bot, and means with an interval over blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

from arena.rating.intervals import CONFIDENCE
from arena.rating.likelihood import Floats, Indices, sums
from arena.rating.results import Results

_MICRO = 1e6
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """Means of groups of independent values, elementwise.

    `error` is the standard error, NaN for fewer than two values, and `half_width` that of the 95 % t-interval; NaN also
    where the values are all the same, since nothing that was played is known exactly.
    """

    count: Indices
    mean: Floats
    error: Floats
    half_width: Floats


def means(group: Indices, value: Floats, groups: int, level: float = CONFIDENCE) -> Means:
    """Average the `value` of each group 0..groups-1, with a t-interval of `level`; an empty group has a NaN mean."""
    count = np.bincount(group, minlength=groups)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums(group, value, groups) / count
        square = sums(group, (value - mean[group]) ** 2, groups)
        error = np.sqrt(square / (count - 1.0) / count)
    error[(count < 2) | (error <= _ROUNDING * np.maximum(1.0, np.abs(mean)))] = np.nan
    reach = np.asarray(stdtrit(np.maximum(count - 1.0, 1.0), 0.5 + level / 2), dtype=np.float64)
    return Means(count, mean, error, reach * error)


@dataclass(frozen=True, slots=True, eq=False)
class Tallies:
    """What each bot did, arrays over the sorted bots.

    `seats` it took (a bot that sits twice in a match took two) in so many `matches` and `blocks`; `place_sum` and
    `faulted` run over its seats.
    """

    seats: Indices
    matches: Indices
    blocks: Indices
    place_sum: Indices
    faulted: Indices


def tallies(results: Results[Any]) -> Tallies:
    """Add up what each bot did."""
    size = len(results.bots)
    in_match, in_block = (
        np.unique(number * size + results.bot, return_counts=True)[0]  # counting makes it sort, which is quicker
        for number in (results.match, results.block)
    )
    return Tallies(
        seats=np.bincount(results.bot, minlength=size),
        matches=np.bincount(in_match % size, minlength=size),
        blocks=np.bincount(in_block % size, minlength=size),
        place_sum=np.bincount(results.bot, results.place, size).astype(np.intp),
        faulted=np.bincount(results.bot, results.faulted, size).astype(np.intp),
    )


def leads(results: Results[Any]) -> Means | None:
    """Average by how many points a deal the others' mean exceeded each bot's own, over blocks; None without points."""
    if results.lead is None:
        return None
    size = len(results.bots)
    in_block, chair = np.unique(results.block * size + results.bot, return_inverse=True)
    by_block = sums(chair, results.lead, in_block.size) / np.bincount(chair, minlength=in_block.size)
    # whole millionths, as the running totals keep them, so that both tell the same mean
    return means(in_block % size, np.rint(by_block * _MICRO) / _MICRO, size)


def told(value: float) -> float | None:
    """Give a number that could be NaN as a plain one, or None."""
    return None if np.isnan(value) else float(value)
