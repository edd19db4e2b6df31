"""The table that people see: place, rating and the plain sums beside it, made from aggregates alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic

from arena.rating.counts import BotKey, PairCount
from arena.rating.errors import BadResultsError
from arena.rating.model import Component, Record, fit

EQUAL_ELO = 1e-6
"""Ratings closer than this are equal: the fit's own rounding must not put one of two equals ahead."""


@dataclass(frozen=True, slots=True)
class BotTotals(Generic[BotKey]):
    """What one rating list adds up for a bot; every sum runs over complete blocks.

    `matches` counts seats taken (two for a match in which the bot sat twice), `place_sum` their places, `faults` all
    faults committed and `fault_matches` the seats with at least one. A block's lead is, averaged over the bot's seats
    in it, (mean of the other seats' points − own points) / deals played; `lead_micro` sums round(10⁶ × lead) over the
    blocks, as integers, so that the sum does not depend on the order in which blocks finish. `name` and `version`
    order equals.
    """

    bot: BotKey
    matches: int
    blocks: int
    place_sum: int
    lead_micro: int
    faults: int
    fault_matches: int
    name: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Standing(Generic[BotKey]):
    """One row of the table.

    `component`: from 1; ratings and places compare only inside one. `place`: 1 for the best of its component, equals
    share it. `rating`: Elo. These three are None for a bot that met no other. `record`: whether its group lost, or
    won, no point at all against the rest, which leaves the rating open to that side. `mean_place` and `points_a_deal`
    (above 0 is better than the others at the table) are None without matches.
    """

    place: int | None
    bot: BotKey
    name: str
    version: str
    rating: float | None
    record: Record
    component: int | None
    matches: int
    blocks: int
    mean_place: float | None
    points_a_deal: float | None
    faults: int
    fault_matches: int


def standings(
    totals: Iterable[BotTotals[BotKey]],
    counts: Iterable[PairCount[BotKey]],
    *,
    anchor: BotKey | None = None,
    prior: float = 1.0,
) -> tuple[Standing[BotKey], ...]:
    """Rank the bots of one rating list, best first; a pure function of sums, whatever the number of matches.

    The anchor's component comes first, then the others by size, at the end the bots that met no other; inside each by
    rating, equals by name, version and bot. Raises BadResultsError for totals that name a bot twice or miss one that
    the counts name, NoOptimumError as `fit` does.
    """
    by_bot: dict[BotKey, BotTotals[BotKey]] = {}
    for total in totals:
        if total.bot in by_bot:
            raise BadResultsError(f"two totals for one bot: {total.bot!r}")
        by_bot[total.bot] = total
    fitted = fit(by_bot, counts, prior)

    def label(bot: BotKey) -> tuple[str, str, BotKey]:
        return by_bot[bot].name, by_bot[bot].version, bot

    components = sorted(
        fitted.components,
        key=lambda one: (anchor not in one.bots, -len(one.bots), min(label(bot) for bot in one.bots)),
    )
    rows: list[Standing[BotKey]] = []
    for number, component in enumerate(components, start=1):
        rows.extend(_component_rows(by_bot, component, number, component.ratings(anchor)))
    rows.extend(_row(by_bot[bot], None, None, Record.MIXED, None) for bot in sorted(fitted.unrated, key=label))
    return tuple(rows)


def _component_rows(
    by_bot: dict[BotKey, BotTotals[BotKey]], component: Component[BotKey], number: int, ratings: dict[BotKey, float]
) -> list[Standing[BotKey]]:
    record = {bot: group.record for group in component.groups for bot in group.bots}
    place_of: dict[BotKey, int] = {}
    place, above = 0, float("inf")
    for count, bot in enumerate(sorted(ratings, key=lambda bot: -ratings[bot]), start=1):
        if above - ratings[bot] > EQUAL_ELO:
            place = count
        place_of[bot], above = place, ratings[bot]
    order = sorted(ratings, key=lambda bot: (place_of[bot], by_bot[bot].name, by_bot[bot].version, bot))
    return [_row(by_bot[bot], place_of[bot], ratings[bot], record[bot], number) for bot in order]


def _row(
    total: BotTotals[BotKey], place: int | None, rating: float | None, record: Record, component: int | None
) -> Standing[BotKey]:
    return Standing(
        place=place,
        bot=total.bot,
        name=total.name,
        version=total.version,
        rating=rating,
        record=record,
        component=component,
        matches=total.matches,
        blocks=total.blocks,
        mean_place=total.place_sum / total.matches if total.matches else None,
        points_a_deal=total.lead_micro / 1e6 / total.blocks if total.blocks else None,
        faults=total.faults,
        fault_matches=total.fault_matches,
    )
