"""Each bot's interval against the mean of its component, and what it rests on."""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal, NamedTuple

import numpy as np

from arena.rating.counts import PairTable
from arena.rating.intervals import Covariance, Verdict, half_widths, judge, one_sided_bound
from arena.rating.likelihood import Floats, Indices, weight
from arena.rating.model import ELO_PER_UNIT
from arena.rating.results import Bools
from arena.rating.scale import Scale

FEW_POINTS = 3.0
"""A bot that won or lost fewer points is guarded: its blocks cannot scatter as much as chance would let them."""

_SURPRISE = 0.025  # on the one side that a one-sided bound has


class Kind(Enum):
    """What a bot's interval rests on."""

    TWO_SIDED = "two-sided"
    """The scatter of whole blocks."""
    ABOVE = "above"
    """All points were won: only a lower bound can be told."""
    BELOW = "below"
    """All points were lost: only an upper bound can be told."""
    NAIVE = "naive"
    """Mostly duels as if they were independent, since the blocks scatter less than chance or do not tell enough."""
    PROVISIONAL = "provisional"
    """A single block, its duels as if they were independent."""
    NONE = "none"
    """Nothing: the bot met no other."""


class Interval(NamedTuple):
    """A bot's interval in Elo; `flag` is ">" for a bot that won all points, "<" for one that lost all."""

    half_width: float | None
    low: float | None
    high: float | None
    kind: Kind
    flag: Literal["", ">", "<"]


def bot_intervals(table: PairTable, scale: Scale[Any], spread: Covariance) -> list[Interval]:
    """Give the interval of every bot, in the order of sorted bots."""
    won, lost = table.points(scale.theta.size)
    verdict = _against_field(scale, spread, np.minimum(won, lost) < FEW_POINTS)
    return [
        _interval(index, table, scale, spread.blocks, verdict, (float(won[index]), float(lost[index])))
        for index in range(scale.theta.size)
    ]


def _against_field(scale: Scale[Any], spread: Covariance, few: Bools) -> Verdict:
    """Judge the bots against the mean of their component.

    Between groups of which one took no point from the other the distance is the prior's doing, and blocks do not
    scatter by what they cannot show. What the naive error says more of the distance of a bot's group from the mean is
    added, in squares; it is little where the groups beside a large one are small.
    """
    robust, naive = (np.maximum(matrix.diagonal(), 0.0) for matrix in (spread.robust, spread.naive))
    df = spread.blocks - 1
    verdict = judge(scale.field / ELO_PER_UNIT, robust, naive, df, few | spread.bridged)
    distances = scale.group_distances()
    robust_distance, naive_distance = (
        np.maximum(np.sum((distances @ matrix) * distances, axis=1), 0.0)[scale.group]
        for matrix in (spread.robust, spread.naive)
    )
    wide, wide_naive = half_widths(robust_distance, naive_distance, df)
    missing = np.where(verdict.naive, 0.0, np.maximum(wide_naive**2 - wide**2, 0.0))
    return verdict._replace(
        half_width=np.sqrt(verdict.half_width**2 + missing), naive=verdict.naive | (missing > verdict.half_width**2)
    )


def _interval(
    index: int,
    table: PairTable,
    scale: Scale[Any],
    blocks: Indices,
    verdict: Verdict,
    points: tuple[float, float],
) -> Interval:
    if scale.component[index] < 0:
        return Interval(None, None, None, Kind.NONE, "")
    won, lost = points
    rating = float(scale.origin[index] + scale.field[index])
    half_width = ELO_PER_UNIT * float(verdict.half_width[index])
    flag: Literal["", ">", "<"] = ">" if lost == 0.0 else "<" if won == 0.0 else ""
    if blocks[index] < 2:
        return Interval(half_width, rating - half_width, rating + half_width, Kind.PROVISIONAL, flag)
    if flag:
        share = _SURPRISE ** (1.0 / float(blocks[index]))
        bound = _bound(index, table, scale.theta, share if flag == ">" else 1.0 - share)
        end = rating + ELO_PER_UNIT * (bound - float(scale.theta[index]))
        if flag == ">":
            return Interval(None, min(end, rating), None, Kind.ABOVE, flag)
        return Interval(None, None, max(end, rating), Kind.BELOW, flag)
    kind = Kind.NAIVE if verdict.naive[index] else Kind.TWO_SIDED
    return Interval(half_width, rating - half_width, rating + half_width, kind, flag)


def _bound(index: int, table: PairTable, theta: Floats, share: float) -> float:
    ahead, behind = table.first == index, table.second == index
    opponents = np.concatenate([table.second[ahead], table.first[behind]])
    weights = weight(table.seats) * table.games
    return one_sided_bound(theta[opponents], np.concatenate([weights[ahead], weights[behind]]), share)
