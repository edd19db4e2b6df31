"""The rows of a rating list: what is said of each bot, and how surely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Literal, NamedTuple

import numpy as np

from arena.rating.comparisons import Comparisons
from arena.rating.counts import BotKey, PairTable
from arena.rating.intervals import Covariance, Verdict, judge, one_sided_bound
from arena.rating.likelihood import Floats, Indices, weight
from arena.rating.model import ELO_ORIGIN, ELO_PER_UNIT, Component, Record
from arena.rating.points import Tallies, tallies
from arena.rating.results import Results
from arena.rating.standings import EQUAL_ELO

FEW_POINTS = 3.0
"""A bot that won or lost fewer points is guarded: its blocks cannot scatter as much as chance would let them."""

_SURPRISE = 0.025  # on the one side that a one-sided bound has


class Kind(Enum):
    """What a bot's interval is made of."""

    TWO_SIDED = "two-sided"
    """The scatter of whole blocks."""
    ABOVE = "above"
    """All points were won: only a lower bound can be told."""
    BELOW = "below"
    """All points were lost: only an upper bound can be told."""
    NAIVE = "naive"
    """Duels as if they were independent, since the blocks scatter less than chance or do not tell enough."""
    PROVISIONAL = "provisional"
    """A single block, its duels as if they were independent."""
    NONE = "none"
    """Nothing: the bot met no other."""


class BotReport(NamedTuple, Generic[BotKey]):
    """One row of the list, in Elo; what cannot be said is None.

    `place` and `rank` (from, to) compare inside the `component` (from 0). `field` is the rating against the component's
    mean, and `half_width` that of its 95 % interval; `low` and `high` are its ends on the scale of `rating`, one of
    them alone is a one-sided bound. `flag`: ">" for a bot that won all points, "<" for one that lost all; `record`:
    the same of its group. `matches`: those it sat in; a bot that sat twice in one took two `seats`, over which
    `mean_place` and `faults` (seats with a fault) run. `points_a_deal`: by how many the others' mean exceeded its own,
    with the half-width of the interval over blocks.
    """

    bot: BotKey
    rating: float | None
    field: float | None
    half_width: float | None
    low: float | None
    high: float | None
    kind: Kind
    flag: Literal["", ">", "<"]
    record: Record
    place: int | None
    rank: tuple[int, int] | None
    component: int | None
    blocks: int
    matches: int
    seats: int
    mean_place: float | None
    points_a_deal: float | None
    points_half_width: float | None
    faults: int


@dataclass(frozen=True, slots=True, eq=False)
class Scale(Generic[BotKey]):
    """The fit as arrays over the sorted bots: strengths, component and group (−1 for bots that met no other).

    `records` has the record of each group. A rating is `origin` + field, both in Elo.
    """

    theta: Floats
    field: Floats
    origin: Floats
    component: Indices
    group: Indices
    records: tuple[Record, ...]

    @classmethod
    def of(
        cls, bots: Sequence[BotKey], components: Sequence[Component[BotKey]], anchor: BotKey | None, elo: float
    ) -> Scale[BotKey]:
        """Put the component of the `anchor` where its rating is `elo`, the means of all others at 1500."""
        position = {bot: index for index, bot in enumerate(bots)}
        theta, field, origin = np.zeros(len(bots)), np.zeros(len(bots)), np.full(len(bots), ELO_ORIGIN)
        component, group = np.full(len(bots), -1), np.full(len(bots), -1)
        records: list[Record] = []
        for number, one in enumerate(components):
            here = [position[bot] for bot in one.bots]
            theta[here] = one.theta
            field[here] = ELO_PER_UNIT * (theta[here] - theta[here].mean())
            component[here] = number
            if anchor in one.bots:
                origin[here] = elo - field[position[anchor]]
            for part in one.groups:
                group[[position[bot] for bot in part.bots]] = len(records)
                records.append(part.record)
        return cls(theta, field, origin, component, group, tuple(records))

    def split(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Tell which bots belong to a component of more than one group."""
        groups = np.zeros(len(self.component) + 1, dtype=np.intp)
        for number in range(len(self.records)):
            groups[self.component[self.group == number][0]] += 1
        groups[-1] = 0
        return groups[self.component] > 1


class _Interval(NamedTuple):
    half_width: float | None
    low: float | None
    high: float | None
    kind: Kind
    flag: Literal["", ">", "<"]


def bot_rows(
    results: Results[BotKey],
    table: PairTable,
    scale: Scale[BotKey],
    spread: Covariance,
    comparisons: Comparisons[BotKey],
) -> tuple[BotReport[BotKey], ...]:
    """Say of every bot what can be said, the best first, component by component."""
    won, lost = table.points(len(results.bots))
    guarded = (np.minimum(won, lost) < FEW_POINTS) | scale.split() | spread.bridged
    verdict = judge(
        scale.field / ELO_PER_UNIT,
        np.maximum(spread.robust.diagonal(), 0.0),
        np.maximum(spread.naive.diagonal(), 0.0),
        spread.blocks - 1,
        guarded,
    )
    tally = tallies(results)
    places = _places(scale)
    order = sorted(places, key=lambda index: (scale.component[index], places[index], index))
    order += np.flatnonzero(scale.component < 0).tolist()
    rows = []
    for index in order:
        interval = _interval(index, table, scale, spread, verdict, (float(won[index]), float(lost[index])))
        rows.append(_row(index, results.bots[index], scale, interval, places.get(index), comparisons, tally))
    return tuple(rows)


def _places(scale: Scale[Any]) -> dict[int, int]:
    """Place the bots of each component; ratings that differ by rounding only share a place."""
    places: dict[int, int] = {}
    for number in range(int(scale.component.max(initial=-1)) + 1):
        place, above = 0, np.inf
        here = np.flatnonzero(scale.component == number)
        for count, index in enumerate(here[np.argsort(-scale.field[here], kind="stable")].tolist(), start=1):
            if above - scale.field[index] > EQUAL_ELO:
                place = count
            places[index], above = place, scale.field[index]
    return places


def _interval(
    index: int,
    table: PairTable,
    scale: Scale[Any],
    spread: Covariance,
    verdict: Verdict,
    points: tuple[float, float],
) -> _Interval:
    if scale.component[index] < 0:
        return _Interval(None, None, None, Kind.NONE, "")
    won, lost = points
    rating = float(scale.origin[index] + scale.field[index])
    half_width = ELO_PER_UNIT * float(verdict.half_width[index])
    flag: Literal["", ">", "<"] = ">" if lost == 0.0 else "<" if won == 0.0 else ""
    if spread.blocks[index] < 2:
        return _Interval(half_width, rating - half_width, rating + half_width, Kind.PROVISIONAL, flag)
    if flag:
        share = _SURPRISE ** (1.0 / float(spread.blocks[index]))
        bound = _bound(index, table, scale.theta, share if flag == ">" else 1.0 - share)
        end = rating + ELO_PER_UNIT * (bound - float(scale.theta[index]))
        if flag == ">":
            return _Interval(None, min(end, rating), None, Kind.ABOVE, flag)
        return _Interval(None, None, max(end, rating), Kind.BELOW, flag)
    kind = Kind.NAIVE if verdict.naive[index] else Kind.TWO_SIDED
    return _Interval(half_width, rating - half_width, rating + half_width, kind, flag)


def _bound(index: int, table: PairTable, theta: Floats, share: float) -> float:
    ahead, behind = table.first == index, table.second == index
    opponents = np.concatenate([table.second[ahead], table.first[behind]])
    weights = weight(table.seats) * table.games
    return one_sided_bound(theta[opponents], np.concatenate([weights[ahead], weights[behind]]), share)


def _row(
    index: int,
    bot: BotKey,
    scale: Scale[BotKey],
    interval: _Interval,
    place: int | None,
    comparisons: Comparisons[BotKey],
    tally: Tallies,
) -> BotReport[BotKey]:
    met = place is not None
    seats = int(tally.seats[index])
    lead = tally.lead
    return BotReport(
        bot=bot,
        rating=float(scale.origin[index] + scale.field[index]) if met else None,
        field=float(scale.field[index]) if met else None,
        half_width=interval.half_width,
        low=interval.low,
        high=interval.high,
        kind=interval.kind,
        flag=interval.flag,
        record=scale.records[scale.group[index]] if met else Record.MIXED,
        place=place,
        rank=(int(comparisons.rank_from[index]), int(comparisons.rank_to[index])) if met else None,
        component=int(scale.component[index]) if met else None,
        blocks=int(tally.blocks[index]),
        matches=int(tally.matches[index]),
        seats=seats,
        mean_place=int(tally.place_sum[index]) / seats if seats else None,
        points_a_deal=_told(lead.mean[index]) if lead else None,
        points_half_width=_told(lead.half_width[index]) if lead else None,
        faults=int(tally.faulted[index]),
    )


def _told(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
