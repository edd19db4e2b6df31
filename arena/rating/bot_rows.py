"""The rows of a rating list: what is said of each bot, and how surely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Literal, NamedTuple

import numpy as np

from arena.rating.comparisons import Comparisons
from arena.rating.counts import BotKey
from arena.rating.model import Record
from arena.rating.points import Means, Tallies, leads, tallies, told
from arena.rating.results import Results
from arena.rating.scale import Scale
from arena.rating.widths import Interval, Kind


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


def bot_rows(
    results: Results[BotKey],
    clustered: Results[BotKey],
    scale: Scale[BotKey],
    intervals: Sequence[Interval],
    comparisons: Comparisons[BotKey],
) -> tuple[BotReport[BotKey], ...]:
    """Say of every bot what can be said, the best first, component by component.

    `clustered` are the results in the blocks that count as independent.
    """
    tally, lead = tallies(results), leads(clustered)
    places = scale.places()
    order = sorted(places, key=lambda index: (scale.component[index], places[index], index))
    order += np.flatnonzero(scale.component < 0).tolist()
    return tuple(
        _row(index, results.bots[index], scale, intervals[index], places.get(index), comparisons, tally, lead)
        for index in order
    )


def _row(
    index: int,
    bot: BotKey,
    scale: Scale[BotKey],
    interval: Interval,
    place: int | None,
    comparisons: Comparisons[BotKey],
    tally: Tallies,
    lead: Means | None,
) -> BotReport[BotKey]:
    met = place is not None
    seats = int(tally.seats[index])
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
        points_a_deal=told(lead.mean[index]) if lead else None,
        points_half_width=told(lead.half_width[index]) if lead else None,
        faults=int(tally.faulted[index]),
    )
