"""How tournaments stand, in reads that cost the same for a million blocks as for ten: every number comes from the ends
of an index, or from the few rows of it that are not done."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.store.engine import Store
from arena.store.errors import nothing_played
from arena.store.lock import is_held, lock_file
from arena.store.repository import tournament_key
from arena.store.tables import BLOCK, BOT, ENTRY, RATING, RATING_LIST, TOURNAMENT, VOID
from arena.tournament.entries import Entry
from arena.tournament.ports import BlockState


class Progress(NamedTuple):
    """How many blocks are planned so far, and what became of them."""

    planned: int
    done: int
    todo: int
    running: int
    withdrawn: int
    given_up: int

    @property
    def left(self) -> int:
        """Those that are still to be played."""
        return self.todo + self.running


class Overview(NamedTuple):
    """A tournament in a listing; `key` grows with time and is what pages are cut by.

    `first` leads the ranking that was kept of all blocks that are done; None when none was kept of them.
    """

    key: int
    id: str
    name: str
    format: str
    seats: int
    deals: int
    sandbox: str
    opened: datetime
    finished: datetime | None
    bots: int
    progress: Progress
    first: Entry | None


class GivenUp(NamedTuple):
    """A block that failed too often, and why it did the last time."""

    block_id: bytes
    reason: str


class Overviews:
    """Reads of how tournaments stand. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def page(self, *, before: int | None = None, limit: int = 50, unfinished: bool = False) -> tuple[Overview, ...]:
        """The latest tournaments, the last one first; the next page is the one `before` the last key.

        `unfinished` leaves out those that are finished. Raises StoreEmptyError when nothing was played yet, unless that
        is asked for.
        """
        columns = [TOURNAMENT.c[field] for field in Overview._fields if field in TOURNAMENT.c]
        read = (*columns, _bots(), *_counts(), _kept_blocks(), *_first())
        wanted: sa.Select[Any] = sa.select(*read).order_by(TOURNAMENT.c.key.desc())
        if before is not None:
            wanted = wanted.where(TOURNAMENT.c.key < before)
        if unfinished:
            wanted = wanted.where(TOURNAMENT.c.finished.is_(None))
        with self._store.reading() as connection:
            rows = connection.execute(wanted.limit(limit)).all()
            if not rows and before is None and not unfinished:
                raise nothing_played(self._store.path)
        return tuple(_overview(row) for row in rows)

    def progress(self, tournament: str) -> Progress:
        """How far the tournament with this id is; StoreError when there is none."""
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
            return _progress(connection.execute(sa.select(*_counts()).where(TOURNAMENT.c.key == key)).one())

    def is_played(self, tournament: str) -> bool:
        """Whether somebody plays the tournament with this id just now; StoreError when there is none."""
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
        return is_held(lock_file(self._store.path, key))

    def given_up(self, tournament: str, limit: int = 50) -> tuple[GivenUp, ...]:
        """The first blocks of the tournament with this id that failed too often, in plan order."""
        last = sa.select(VOID.c.reason).where(VOID.c.block == BLOCK.c.key).order_by(VOID.c.key.desc()).limit(1)
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
            wanted = sa.select(BLOCK.c.block_id, last.scalar_subquery())
            wanted = wanted.where(BLOCK.c.tournament == key, BLOCK.c.state == BlockState.QUARANTINED)
            rows = connection.execute(wanted.order_by(BLOCK.c.ordinal).limit(limit)).all()
        return tuple(GivenUp(block, reason or "") for block, reason in rows)


def _of_state(value: sa.ColumnElement[Any], state: BlockState) -> sa.ScalarSelect[Any]:
    among = sa.select(value).where(BLOCK.c.tournament == TOURNAMENT.c.key, BLOCK.c.state == state)
    return among.correlate(TOURNAMENT).scalar_subquery()


def _counts() -> list[sa.ColumnElement[Any]]:
    """The last place of the plan in each state, and how many blocks are in each but `done`, which nobody counts."""
    last = [_of_state(sa.func.max(BLOCK.c.ordinal), state).label(f"last_{state.value}") for state in BlockState]
    not_done = [state for state in BlockState if state is not BlockState.DONE]
    return [*last, *(_of_state(sa.func.count(), state).label(f"count_{state.value}") for state in not_done)]


def _progress(row: sa.Row[Any]) -> Progress:
    columns = row._mapping
    last = [columns[f"last_{state.value}"] for state in BlockState]
    planned = 1 + max(-1 if one is None else one for one in last)
    todo, running, withdrawn, given_up = (
        columns[f"count_{state.value}"]
        for state in (BlockState.TODO, BlockState.RUNNING, BlockState.WITHDRAWN, BlockState.QUARANTINED)
    )
    done = planned - todo - running - withdrawn - given_up
    return Progress(planned, done, todo, running, withdrawn, given_up)


def _bots() -> sa.ColumnElement[Any]:
    last = sa.select(sa.func.max(ENTRY.c.position)).where(ENTRY.c.tournament == TOURNAMENT.c.key)
    return (last.correlate(TOURNAMENT).scalar_subquery() + 1).label("bots")


def _kept_blocks() -> sa.ColumnElement[Any]:
    kept = sa.select(RATING_LIST.c.blocks).where(
        RATING_LIST.c.tournament == TOURNAMENT.c.key, RATING_LIST.c.clean == sa.false()
    )
    return kept.correlate(TOURNAMENT).scalar_subquery().label("kept_blocks")


def _first() -> list[sa.ColumnElement[Any]]:
    """The bot at the top of the kept ranking, column by column."""
    top = (RATING.c.tournament == TOURNAMENT.c.key, RATING.c.clean == sa.false(), RATING.c.position == 0)
    return [
        sa.select(BOT.c[field])
        .join_from(RATING, BOT, BOT.c.key == RATING.c.bot)
        .where(*top)
        .correlate(TOURNAMENT)
        .scalar_subquery()
        .label(f"first_{field}")
        for field in Entry._fields
    ]


def _overview(row: sa.Row[Any]) -> Overview:
    columns, progress = row._mapping, _progress(row)
    is_kept = columns["kept_blocks"] == progress.done > 0 and columns["first_digest"] is not None
    first = Entry(*(columns[f"first_{field}"] for field in Entry._fields)) if is_kept else None
    plain = {field: columns[field] for field in Overview._fields if field not in ("progress", "first")}
    return Overview(**plain, progress=progress, first=first)
