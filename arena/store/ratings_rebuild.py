"""Everything that is counted, made anew from the records of a tournament's finished blocks, and set against what is
stored: matches, seats, sums, ratings. Records are never changed; whatever differs from them can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa

from arena.rating.bot_rows import BotReport
from arena.store.bots import entered_keys
from arena.store.engine import Store
from arena.store.ratings import both_lists, plan_order
from arena.store.ratings_changes import Change, Difference
from arena.store.ratings_columns import Integers, SeatColumns, results_of
from arena.store.ratings_history import history
from arena.store.ratings_lists import RatingList, read_list, write_list
from arena.store.ratings_marks import write_marks
from arena.store.ratings_records import RecordedBlock, read_blocks
from arena.store.sums import Key, Sums
from arena.store.tables import BLOCK, CHAIR, HABIT, PAIR, TOTAL, TOURNAMENT
from arena.tournament.ports import BlockState, Tournament

BLOCKS_AT_ONCE = 50

EQUAL = 1e-6
"""Ratings closer than this are the same: another machine may round the last digits otherwise."""


class Rebuilt(NamedTuple):
    """What came of it: how much was read, all that differed, and the lists of all blocks and of the clean ones."""

    blocks: int
    matches: int
    differences: tuple[Difference, ...]
    lists: tuple[RatingList, RatingList]


def rebuild(
    store: Store, tournament: Tournament, anchor: bytes | None, *, mend: bool, told: Callable[[int, int], None]
) -> Rebuilt:
    """Rebuild a tournament from its records and compare; with `mend`, replace what differs, in one transaction.

    `told` hears how many of how many blocks were read. Records are read in short transactions, and blocks that are
    finished meanwhile are added in the last one, so the tournament may be running. Raises RecordError when a record is
    damaged, missing or another match's; then nothing is changed.
    """
    with store.reading() as connection:
        key = connection.execute(sa.select(TOURNAMENT.c.key).where(TOURNAMENT.c.id == tournament.id)).scalar_one()
        count = _Count(tournament, entered_keys(connection, key))
        finished = _finished(connection, key)
    for start in range(0, len(finished), BLOCKS_AT_ONCE):
        with store.reading() as connection:
            count.take(connection, finished[start : start + BLOCKS_AT_ONCE])
        told(len(count.blocks), len(finished))
    with store.reading() as connection:
        results, order = results_of(connection, key, count.columns()), plan_order(connection, key)
    scale = anchor if anchor in count.bots else None
    lists = both_lists(results, len(finished), scale)
    marks = history(results, order, scale) if mend else ()
    with store.writing() if mend else store.reading() as connection:
        late = [block for block in _finished(connection, key) if block not in count.blocks]
        for start in range(0, len(late), BLOCKS_AT_ONCE):
            count.take(connection, late[start : start + BLOCKS_AT_ONCE])
        changes = [*((change, True) for change in count.changes), *count.sums(connection, key)]
        differences = [difference for change, wrong in changes if wrong for difference in change.differences()]
        for change, _ in changes if mend else ():
            change.apply(connection)
        for clean, rated in enumerate(lists):
            differences += _compare_list(connection, key, bool(clean), rated, count, mend=mend)
        if mend:
            write_marks(connection, key, marks, count.bots)
    return Rebuilt(len(count.blocks), count.matches, tuple(differences), lists)


class _Count:
    """Adds up blocks as they are taken, and keeps what differs; `bots` are keys by digest, `labels` names by key."""

    def __init__(self, tournament: Tournament, bots: Mapping[bytes, int]) -> None:
        self.tournament = tournament
        self.bots = bots
        self.labels = {bots[entry.digest]: f"{entry.name} {entry.version}" for entry in tournament.entries}
        self.blocks: set[int] = set()
        self.matches = 0
        self.changes: list[Change] = []
        self._columns: list[Integers] = []
        self._sums = Sums(bots)

    def take(self, connection: sa.Connection, keys: list[int]) -> None:
        """Read these blocks and add them."""
        for block in read_blocks(connection, self.tournament, self.bots, keys):
            self.blocks.add(block.key)
            self.matches += len(block.matches)
            self.changes += block.changes
            self._columns.append(np.array(list(self._rows(block)), dtype=np.int64))
            self._sums.add(block.matches)

    def columns(self) -> SeatColumns:
        """The seats of all blocks that were taken so far."""
        rows = np.concatenate([np.empty((0, len(SeatColumns._fields)), dtype=np.int64), *self._columns])
        return SeatColumns(*np.ascontiguousarray(rows.T))

    def sums(self, connection: sa.Connection, tournament: int) -> list[tuple[Change, bool]]:
        """The rows of sums of the tournament with this key to be changed, and whether they are wrong: see `Sums`."""
        return list(self._sums.changes(connection, tournament, self._label))

    def _rows(self, block: RecordedBlock) -> Iterator[tuple[int, ...]]:
        for match in block.matches:
            for number, seat in enumerate(match.seats):
                fared = (seat.place, seat.faults, seat.points)
                yield block.key, match.rotation, number, self.bots[seat.bot], *fared, match.deals

    def _label(self, table: sa.Table, key: Key) -> str:
        """A row of sums in words that a user understands."""
        if table is PAIR:
            a, b, seats, clean = key
            kind = "without" if clean else "with"
            return f"{self._name(a)} against {self._name(b)} at tables of {seats}, blocks {kind} faults"
        what = {TOTAL: "totals", CHAIR: "seats", HABIT: "habits"}[table]
        return f"{what} of {self._name(key[0])}{''.join(f', {part}' for part in key[1:])}"

    def _name(self, bot: int) -> str:
        return self.labels.get(bot, f"a bot that never entered (number {bot})")


def _finished(connection: sa.Connection, tournament: int) -> list[int]:
    """The keys of the finished blocks of the tournament with this key, in plan order."""
    done = sa.select(BLOCK.c.key).where(BLOCK.c.tournament == tournament, BLOCK.c.state == BlockState.DONE)
    return list(connection.execute(done.order_by(BLOCK.c.ordinal)).scalars())


def _compare_list(
    connection: sa.Connection, tournament: int, clean: bool, rated: RatingList, count: _Count, *, mend: bool
) -> list[Difference]:
    """What differs in the list that is kept, if it is of the same blocks; it is replaced then, and when it is older."""
    kept = read_list(connection, tournament, clean)
    if kept is not None and kept.blocks > rated.blocks:
        return []
    same_blocks = kept is not None and (kept.blocks, kept.anchor) == (rated.blocks, rated.anchor)
    found = list(_list_differences(kept, rated, clean, count)) if kept is not None and same_blocks else []
    if mend and (found or not same_blocks):
        write_list(connection, tournament, clean, rated, count.bots)
    return found


def _list_differences(kept: RatingList, rated: RatingList, clean: bool, count: _Count) -> Iterator[Difference]:
    stored, rebuilt = ({bot.bot: bot for bot in one.bots} for one in (kept, rated))
    suffix = " in blocks without faults" if clean else ""
    for digest in sorted({*stored, *rebuilt}):
        where = f"rating of {count.labels.get(count.bots.get(digest, 0), digest.hex())}{suffix}"
        for field in BotReport._fields:
            was, now = (getattr(bots.get(digest), field, None) for bots in (stored, rebuilt))
            if not _same(was, now):
                yield Difference(where, field, was, now)
    if not _same(_plain(kept.summary), _plain(rated.summary)):
        yield Difference(f"summary of the ratings{suffix}", "summary", kept.summary, rated.summary)


def _plain(value: Any) -> Any:
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= EQUAL
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
