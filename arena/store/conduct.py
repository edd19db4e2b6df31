"""How a bot plays and fares seat by seat in a tournament, from sums; and its last faults, from their records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.rating.block_sums import BlockSums
from arena.store.engine import Store
from arena.store.tables import BLOCK, BOT, CHAIR, ENTRY, EVENT, HABIT, MATCH, RECORD, TOURNAMENT
from arena.tournament.habits import Habit
from arena.tournament.ports import BlockState, BotEventKind
from arena.wire.codec import Undecodable, decode_record, unpack_record

LOOKED_AT = 3
"""For each fault that is wanted so many are looked at: some belong to attempts that were played again."""


class ChairFigures(NamedTuple):
    """How a bot fared in one seat; the points of `sums` are the other bots' seats beaten, as shares of a match."""

    seat: int
    matches: int
    mean_place: float
    sums: BlockSums


class RecordedFault(NamedTuple):
    """A fault of a bot in a finished block, and where it stands; `turn` counts the turns of the match from 0."""

    block_id: bytes
    rotation: int
    turn: int
    kind: str
    reason: str


class Conduct:
    """Reads about one bot in the tournament with an id. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def chairs(self, tournament: str, bot: bytes) -> tuple[ChairFigures, ...]:
        """How it fared in each seat, by seat."""
        with self._store.reading() as connection:
            wanted = sa.select(CHAIR).where(*_own(CHAIR, tournament, bot)).order_by(CHAIR.c.seat)
            rows = connection.execute(wanted).all()
        return tuple(
            ChairFigures(
                row.seat,
                row.matches,
                row.place_sum / row.matches,
                BlockSums(
                    row.blocks,
                    row.matches,
                    row.matches * (0.5 + row.edge_micro / 1e6 / row.blocks),
                    row.edge_micro,
                    row.square_micro,
                ),
            )
            for row in rows
        )

    def habits(self, tournament: str, bot: bytes) -> Mapping[Habit, Mapping[int, int]]:
        """How it played: for each habit how often each value, sorted; nothing where that was not counted."""
        with self._store.reading() as connection:
            wanted = sa.select(HABIT.c.habit, HABIT.c.value, HABIT.c.n).where(*_own(HABIT, tournament, bot))
            rows = connection.execute(wanted.order_by(HABIT.c.habit, HABIT.c.value)).all()
        found: dict[Habit, dict[int, int]] = defaultdict(dict)
        for habit, value, n in rows:
            found[Habit(habit)][value] = n
        return {habit: found[habit] for habit in Habit}

    def faults(self, tournament: str, bot: bytes, limit: int) -> tuple[RecordedFault, ...]:
        """Its last faults, the latest first, as the records tell them: without a word that is for its author alone."""
        columns = (EVENT.c.turn, MATCH.c.rotation, BLOCK.c.block_id, RECORD.c.data)
        tables = EVENT.join(BLOCK, BLOCK.c.key == EVENT.c.block)
        tables = tables.join(MATCH, sa.and_(MATCH.c.block == BLOCK.c.key, MATCH.c.rotation == EVENT.c.rotation))
        wanted = sa.select(*columns).select_from(tables.join(RECORD, RECORD.c.match == MATCH.c.id))
        wanted = wanted.where(*_own(EVENT, tournament, bot), EVENT.c.kind == BotEventKind.FAULT)
        wanted = wanted.where(BLOCK.c.state == BlockState.DONE).order_by(EVENT.c.key.desc()).limit(LOOKED_AT * limit)
        with self._store.reading() as connection:
            rows = connection.execute(wanted).all()
        return tuple(dict.fromkeys(_recorded(rows, bot)))[:limit]


def _own(table: sa.Table, tournament: str, bot: bytes) -> tuple[sa.ColumnElement[bool], ...]:
    """The rows of a bot in a tournament."""
    key = sa.select(TOURNAMENT.c.key).where(TOURNAMENT.c.id == tournament).scalar_subquery()
    entered = sa.select(ENTRY.c.bot).join(BOT, BOT.c.key == ENTRY.c.bot)
    entered = entered.where(BOT.c.digest == bot, ENTRY.c.tournament == key).limit(1)
    return table.c.tournament == key, table.c.bot == entered.scalar_subquery()


def _recorded(rows: Sequence[Any], bot: bytes) -> Iterator[RecordedFault]:
    """Those of the faults that stand in the record of the match that counts."""
    for turn, rotation, block_id, data in rows:
        try:
            record = decode_record(unpack_record(data))
        except Undecodable:
            continue  # `arena verify` tells of it
        turns = list(record.turns())
        played = turns[turn] if turn < len(turns) else None
        if played is not None and played.fault is not None and record.seats[played.seat] == bot:
            yield RecordedFault(block_id, rotation, turn, played.fault.kind.value, played.fault.reason)
