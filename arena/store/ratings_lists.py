"""A rating list as pages show it, and how it is kept in the database: written as a whole, read as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.rating.bot_rows import BotReport
from arena.rating.cycles import Circle
from arena.rating.luck import DesignEffect
from arena.rating.model import Record
from arena.rating.report import Report
from arena.rating.seats import SeatFigures
from arena.rating.widths import Kind
from arena.store.tables import BOT, RATING, RATING_LIST

_PLAIN = tuple(name for name in BotReport._fields if name not in ("bot", "kind", "record", "rank"))


class Summary(NamedTuple):
    """What is to be said of a whole list: the `blocks` and `matches` in it, the design effect, how the seats fared,
    and where the results contradict the order (see `arena.rating.cycles.Intransitivity`)."""

    blocks: int
    matches: int
    design_effect: DesignEffect
    seats: tuple[SeatFigures, ...]
    circles: tuple[Circle[bytes], ...]
    circle_count: int
    cyclic_share: float | None


class RatingList(NamedTuple):
    """The ratings of a tournament when so many of its `blocks` were finished, the best bot first.

    `anchor` is the digest of the bot that is 1500, None when it is the mean. `measured`: intervals, ranks and what the
    summary says of luck are those of so many blocks, which may be fewer.
    """

    blocks: int
    anchor: bytes | None
    bots: tuple[BotReport[bytes], ...]
    summary: Summary
    measured: int


def list_of(report: Report[bytes], blocks: int, anchor: bytes | None) -> RatingList:
    """What pages need of a report, computed when `blocks` of the tournament were finished."""
    against = report.intransitivity
    summary = Summary(
        len(report.results.keys),
        report.results.matches,
        report.design_effect,
        report.seats,
        against.circles,
        against.circle_count,
        against.cyclic_share,
    )
    return RatingList(blocks, anchor, report.bots, summary, blocks)


def read_list(connection: sa.Connection, tournament: int, clean: bool) -> RatingList | None:
    """The list that was kept of the tournament with this key, None when there is none."""
    of_list = (RATING_LIST.c.tournament == tournament, RATING_LIST.c.clean == clean)
    kept = connection.execute(sa.select(RATING_LIST).where(*of_list)).one_or_none()
    if kept is None:
        return None
    own = sa.select(RATING, BOT.c.digest).join(BOT, BOT.c.key == RATING.c.bot)
    own = own.where(RATING.c.tournament == tournament, RATING.c.clean == clean).order_by(RATING.c.position)
    bots = tuple(report_of_row(row._mapping) for row in connection.execute(own))
    return RatingList(kept.blocks, kept.anchor, bots, _summary(kept.summary), kept.blocks)


def read_anchor(connection: sa.Connection, tournament: int) -> bytes | None:
    """The anchor of the list that was kept of the tournament with this key; None without one, or without a list."""
    of_list = (RATING_LIST.c.tournament == tournament, RATING_LIST.c.clean == sa.false())
    return connection.execute(sa.select(RATING_LIST.c.anchor).where(*of_list)).scalar()


def write_list(
    connection: sa.Connection, tournament: int, clean: bool, rated: RatingList, bots: Mapping[bytes, int]
) -> None:
    """Keep a list of the tournament with this key in place of the one before; `bots` are keys by digest."""
    for table in (RATING, RATING_LIST):
        connection.execute(table.delete().where(table.c.tournament == tournament, table.c.clean == clean))
    of_list = {"tournament": tournament, "clean": clean}
    whole = {"blocks": rated.blocks, "anchor": rated.anchor, "summary": _document(rated.summary)}
    connection.execute(RATING_LIST.insert().values(**of_list, **whole))
    rows = [
        of_list | {"position": position, "bot": bots[bot.bot]} | _columns(bot)
        for position, bot in enumerate(rated.bots)
    ]
    if rows:
        connection.execute(RATING.insert(), rows)


def _columns(bot: BotReport[bytes]) -> dict[str, Any]:
    rank_from, rank_to = bot.rank or (None, None)
    plain = {name: getattr(bot, name) for name in _PLAIN}
    return plain | {
        "kind": bot.kind.value,
        "record": bot.record.value,
        "rank_from": rank_from,
        "rank_to": rank_to,
    }


def report_of_row(row: Mapping[Any, Any]) -> BotReport[bytes]:
    """A row of the table of ratings with the `digest` of its bot."""
    rank = None if row["rank_from"] is None else (row["rank_from"], row["rank_to"])
    plain = {name: row[name] for name in _PLAIN}
    return BotReport(bot=row["digest"], kind=Kind(row["kind"]), record=Record(row["record"]), rank=rank, **plain)


def _document(summary: Summary) -> dict[str, Any]:
    """The summary as JSON can hold it."""
    return summary._asdict() | {
        "design_effect": summary.design_effect._asdict(),
        "seats": [seat._asdict() for seat in summary.seats],
        "circles": [[[bot.hex() for bot in circle.bots], circle.superiority] for circle in summary.circles],
    }


def _summary(document: Mapping[str, Any]) -> Summary:
    return Summary(
        **{name: document[name] for name in ("blocks", "matches", "circle_count", "cyclic_share")},
        design_effect=DesignEffect(**document["design_effect"]),
        seats=tuple(SeatFigures(**seat) for seat in document["seats"]),
        circles=tuple(Circle(_three(bots), superiority) for bots, superiority in document["circles"]),
    )


def _three(bots: Sequence[str]) -> tuple[bytes, bytes, bytes]:
    a, b, c = map(bytes.fromhex, bots)
    return a, b, c
