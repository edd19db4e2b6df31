"""The ranking of a tournament so large that its intervals take long: ratings from the stored sums at once, with the
intervals of the blocks for which they were computed last.
"""

from __future__ import annotations

import sqlalchemy as sa

from arena.rating.bot_rows import BotReport
from arena.rating.counts import PairTable
from arena.rating.luck import DesignEffect
from arena.rating.model import Record, fit_table
from arena.rating.scale import Scale
from arena.rating.widths import Kind
from arena.store.ratings_columns import read_pairs
from arena.store.ratings_lists import RatingList, Summary
from arena.store.tables import BOT, ENTRY, MATCH, TOTAL

ANCHOR_ELO = 1500.0
"""The rating of the anchor, where it entered."""


def quick_list(
    connection: sa.Connection, tournament: int, finished: int, anchor: bytes | None, kept: RatingList | None
) -> RatingList:
    """The list of all `finished` blocks of the tournament with this key; intervals and ranks are those of `kept`.

    Without them a bot has its rating alone.
    """
    entered = sa.select(BOT.c.key, BOT.c.digest).join(ENTRY, ENTRY.c.bot == BOT.c.key)
    keys = {digest: key for key, digest in connection.execute(entered.where(ENTRY.c.tournament == tournament))}
    bots = sorted(keys)
    scale = _scale(bots, read_pairs(connection, tournament, [keys[bot] for bot in bots]), anchor)
    totals = {row.bot: row for row in connection.execute(sa.select(TOTAL).where(TOTAL.c.tournament == tournament))}
    places = scale.places()
    order = sorted(range(len(bots)), key=lambda at: (at not in places, scale.component[at], places.get(at, 0), at))
    before = {} if kept is None else {bot.bot: bot for bot in kept.bots}
    rows = tuple(
        _row(bots[at], at, scale, places.get(at), totals.get(keys[bots[at]]), before.get(bots[at])) for at in order
    )
    matches = sa.select(sa.func.count()).where(MATCH.c.tournament == tournament)
    summary = Summary(finished, connection.execute(matches).scalar_one(), DesignEffect(None, None), (), (), 0, None)
    if kept is not None:
        summary = kept.summary._replace(blocks=summary.blocks, matches=summary.matches)
    return RatingList(finished, anchor, rows, summary, 0 if kept is None else kept.blocks)


def _scale(bots: list[bytes], table: PairTable, anchor: bytes | None) -> Scale[bytes]:
    components = fit_table(bots, table).components
    ordered = sorted(components, key=lambda one: (anchor not in one.bots, -len(one.bots), one.bots[0]))
    return Scale.of(bots, ordered, anchor, ANCHOR_ELO)


def _row(
    bot: bytes,
    index: int,
    scale: Scale[bytes],
    place: int | None,
    total: sa.Row[tuple[int, ...]] | None,
    before: BotReport[bytes] | None,
) -> BotReport[bytes]:
    met = place is not None
    rating, field = float(scale.origin[index] + scale.field[index]), float(scale.field[index])
    half_width = None if before is None else before.half_width
    sums = dict.fromkeys(("blocks", "matches", "seats", "place_sum", "lead_micro", "fault_matches"), 0)
    sums |= {} if total is None else dict(total._mapping)
    return BotReport(
        bot=bot,
        rating=rating if met else None,
        field=field if met else None,
        half_width=half_width if met else None,
        low=rating - half_width if met and half_width is not None else None,
        high=rating + half_width if met and half_width is not None else None,
        kind=before.kind if met and before is not None and half_width is not None else Kind.NONE,
        flag="",
        record=scale.records[scale.group[index]] if met else Record.MIXED,
        place=place,
        rank=before.rank if met and before is not None else None,
        component=int(scale.component[index]) if met else None,
        blocks=sums["blocks"],
        matches=sums["matches"],
        seats=sums["seats"],
        mean_place=sums["place_sum"] / sums["seats"] if sums["seats"] else None,
        points_a_deal=sums["lead_micro"] / 1e6 / sums["blocks"] if sums["blocks"] else None,
        points_half_width=None if before is None else before.points_half_width,
        faults=sums["fault_matches"],
    )
