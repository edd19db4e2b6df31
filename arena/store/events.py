"""The log of what happened to bots beside their results, for their authors: starts, faults, voids, withdrawals.

What a bot printed may hold the hands that it saw, and a block that failed is played again on the same cards. So output
is shown only when every block that had been begun before it was written is complete or given up.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.store.bots import bot_keys, entered_keys
from arena.store.engine import Store
from arena.store.repository import tournament_key
from arena.store.tables import BLOCK, BOT, ENTRY, EVENT, OPEN, TOURNAMENT, VOID, split_lineup
from arena.tournament.entries import Entry
from arena.tournament.ports import BlockState, BotEvent, BotEventKind

VOID_KIND = "void"
"""The kind of an entry that tells of a failed run of a block, beside those of `BotEventKind`."""

MOST_REASON = 500
"""Characters of a reason that are kept."""

MOST_OUTPUT = 8 * 1024
"""Characters of output that are kept, the last ones."""

ALWAYS_SHOWN = (BotEventKind.STARTED, BotEventKind.NOT_STARTED, BotEventKind.WITHDRAWN, BotEventKind.RESTORED)
"""These hold nothing of a block: a process that just started was never asked anything."""

SETTLED = (BlockState.DONE, BlockState.QUARANTINED)


class LoggedEvent(NamedTuple):
    """An entry of the log; `kind` is the value of a `BotEventKind` or "void", `output` lines as they were printed."""

    bot: Entry
    tournament: str
    at: datetime
    kind: str
    fault: str
    reason: str
    output: tuple[str, ...]
    block_id: bytes | None
    rotation: int | None
    turn: int | None


class LogPage(NamedTuple):
    """Entries, the oldest first, and how many are kept back because blocks that they may tell of are still open."""

    events: tuple[LoggedEvent, ...]
    kept_back: int


def log_events(connection: sa.Connection, tournament: int, events: Sequence[BotEvent]) -> None:
    """Write events of the tournament with this key; those of bots that did not enter it are left out."""
    if not events:
        return
    bots = entered_keys(connection, tournament)
    named = {event.block_id for event in events if event.block_id is not None}
    planned = sa.select(BLOCK.c.block_id, BLOCK.c.key).where(BLOCK.c.tournament == tournament)
    blocks = dict(connection.execute(planned.where(BLOCK.c.block_id.in_(named))).all())
    rows = [_row(event, tournament, bots[event.bot], blocks) for event in events if event.bot in bots]
    if rows:
        connection.execute(EVENT.insert(), rows)


class EventLog:
    """Reads of the log. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def page(self, bot: str, *, tournament: str | None = None, limit: int) -> LogPage:
        """The latest `limit` entries about the bots with this name (or beginning of a digest).

        Raises StoreError when `bot` or `tournament` names nothing.
        """
        with self._store.reading() as connection:
            keys = bot_keys(connection, bot)
            only = None if tournament is None else tournament_key(connection, tournament, self._store)
            return _page(connection, keys, only, limit)

    def about(self, name: str, version: str, digest: bytes, *, limit: int) -> LogPage:
        """The latest `limit` entries about this very bot; none of one that has entered no tournament yet."""
        own = (BOT.c.digest == digest, BOT.c.name == name, BOT.c.version == version)
        with self._store.reading() as connection:
            keys = connection.execute(sa.select(BOT.c.key).where(*own)).scalars().all()
            return _page(connection, keys, None, limit)


_COLUMNS = (
    *(BOT.c[name] for name in Entry._fields),
    TOURNAMENT.c.id,
    *(EVENT.c[name] for name in ("at", "kind", "fault", "reason", "output")),
    BLOCK.c.block_id,
    EVENT.c.rotation,
    EVENT.c.turn,
)


_BLOCK = BLOCK.alias()
_FIRST_OPEN = (
    sa.select(_BLOCK.c.tournament, sa.func.min(_BLOCK.c.begun).label("begun"))
    .where(_BLOCK.c.state.in_(OPEN), _BLOCK.c.begun.is_not(None))
    .group_by(_BLOCK.c.tournament)
    .subquery()
)
"""For each tournament the state of the log when the first of its blocks was begun that is still to be played."""


def _page(connection: sa.Connection, bots: Sequence[int], tournament: int | None, limit: int) -> LogPage:
    """The latest entries about the bots with these keys, of the tournament with this key if one is wanted."""
    which = EVENT.c.bot.in_(bots), *([] if tournament is None else [EVENT.c.tournament == tournament])
    latest = _joined(*_COLUMNS).where(*which, _may_be_shown()).order_by(EVENT.c.key.desc()).limit(limit)
    shown = [_event(row) for row in connection.execute(latest)]
    hidden = _joined(sa.func.count()).where(*which, sa.not_(_may_be_shown()))
    kept_back = connection.execute(hidden).scalar_one()
    voids = list(islice(_voids(connection, bots, tournament), limit))
    merged = sorted([*shown[::-1], *voids[::-1]], key=lambda event: event.at)
    return LogPage(tuple(merged[-limit:]), kept_back)


def _joined(*columns: Any) -> sa.Select[Any]:
    """Events with their bots, tournaments and, where they have one, blocks."""
    tables = EVENT.join(BOT).join(TOURNAMENT, TOURNAMENT.c.key == EVENT.c.tournament)
    tables = tables.outerjoin(_FIRST_OPEN, _FIRST_OPEN.c.tournament == TOURNAMENT.c.key)
    return sa.select(*columns).select_from(tables.outerjoin(BLOCK, BLOCK.c.key == EVENT.c.block))


def _may_be_shown() -> sa.ColumnElement[bool]:
    """Whether an event holds nothing of a block that is, or may come to be, still to be played.

    Blocks of a withdrawn bot may come to be that until their tournament is finished.
    """
    settled = BLOCK.c.key.is_(None) | BLOCK.c.state.in_(SETTLED) | TOURNAMENT.c.finished.is_not(None)
    before = _FIRST_OPEN.c.begun.is_(None) | (EVENT.c.key <= _FIRST_OPEN.c.begun)
    return EVENT.c.kind.in_(ALWAYS_SHOWN) | (settled & before)


def _event(row: Sequence[Any]) -> LoggedEvent:
    tournament, at, kind, fault, reason, output, *where = row[4:]
    lines = zlib.decompress(output).decode().split("\n") if output else ()
    return LoggedEvent(_entry(row), tournament, at, kind.value, fault, reason, tuple(lines), *where)


def _entry(row: Sequence[Any]) -> Entry:
    return Entry(*row[:4])


def _voids(connection: sa.Connection, bots: Sequence[int], tournament: int | None) -> Iterator[LoggedEvent]:
    """The failed runs of blocks with these bots, the latest first: of what kind they were and why."""
    columns = (*(BOT.c[name] for name in Entry._fields), TOURNAMENT.c.id, VOID.c.at, VOID.c.cause, VOID.c.reason)
    tables = VOID.join(BLOCK, BLOCK.c.key == VOID.c.block).join(TOURNAMENT, TOURNAMENT.c.key == BLOCK.c.tournament)
    tables = tables.join(ENTRY, ENTRY.c.tournament == TOURNAMENT.c.key).join(BOT, BOT.c.key == ENTRY.c.bot)
    wanted = sa.select(*columns, BLOCK.c.block_id, BLOCK.c.lineup).select_from(tables).where(BOT.c.key.in_(bots))
    if tournament is not None:
        wanted = wanted.where(TOURNAMENT.c.key == tournament)
    for row in connection.execute(wanted.order_by(VOID.c.key.desc())):
        if row.digest in split_lineup(row.lineup):
            reason = f"{row.cause.value}: {row.reason}"
            yield LoggedEvent(_entry(row), row.id, row.at, VOID_KIND, "", reason, (), row.block_id, None, None)


def _row(event: BotEvent, tournament: int, bot: int, blocks: dict[bytes, int]) -> dict[str, Any]:
    output = event.output[-MOST_OUTPUT:].encode(errors="replace")
    return {
        "tournament": tournament,
        "bot": bot,
        "block": None if event.block_id is None else blocks.get(event.block_id),
        "kind": event.kind,
        "at": event.at,
        "fault": event.fault,
        "reason": event.reason[:MOST_REASON],
        "output": zlib.compress(output) if output else b"",
        "rotation": event.rotation,
        "turn": event.turn,
    }
