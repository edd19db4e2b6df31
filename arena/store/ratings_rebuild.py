"""Everything that is counted, made anew from the records of a tournament's finished blocks, and set against what is
stored: matches, seats, sums, ratings. Records are never changed; whatever differs from them can be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa

from arena.rating.bot_rows import BotReport
from arena.store.aggregates import BotSums, bot_sums, pair_counts
from arena.store.bots import entered_keys
from arena.store.engine import Store
from arena.store.ratings import both_lists, plan_order
from arena.store.ratings_changes import Change, Difference
from arena.store.ratings_columns import Integers, SeatColumns, results_of
from arena.store.ratings_history import history
from arena.store.ratings_lists import RatingList, read_list, write_list
from arena.store.ratings_marks import write_marks
from arena.store.ratings_records import RecordedBlock, read_blocks
from arena.store.tables import BLOCK, PAIR, TOTAL, TOURNAMENT
from arena.tournament.ports import BlockState, Tournament

BLOCKS_AT_ONCE = 50

EQUAL = 1e-6
"""Ratings closer than this are the same: another machine may round the last digits otherwise."""

_PAIR_KEY = ("a", "b", "seats", "clean")
_PAIR_SUMS = ("n", "wins", "draws")
_BOT_SUMS = BotSums._fields[1:]


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
        changes = [*count.changes, *count.sums(connection, key)]
        differences = [difference for change in changes for difference in change.differences()]
        for change in changes if mend else ():
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
        self._pairs: dict[tuple[int, ...], list[int]] = defaultdict(lambda: [0] * len(_PAIR_SUMS))
        self._totals: dict[tuple[int, ...], list[int]] = defaultdict(lambda: [0] * len(_BOT_SUMS))

    def take(self, connection: sa.Connection, keys: list[int]) -> None:
        """Read these blocks and add them."""
        for block in read_blocks(connection, self.tournament, self.bots, keys):
            self.blocks.add(block.key)
            self.matches += len(block.matches)
            self.changes += block.changes
            self._columns.append(np.array(list(self._rows(block)), dtype=np.int64))
            for pair in pair_counts(block.matches):
                key = (self.bots[pair.a], self.bots[pair.b], pair.seats, pair.clean)
                _add(self._pairs[key], (pair.games, pair.wins, pair.draws))
            for sums in bot_sums(block.matches):
                _add(self._totals[self.bots[sums.bot],], sums[1:])

    def columns(self) -> SeatColumns:
        """The seats of all blocks that were taken so far."""
        rows = np.concatenate([np.empty((0, len(SeatColumns._fields)), dtype=np.int64), *self._columns])
        return SeatColumns(*np.ascontiguousarray(rows.T))

    def sums(self, connection: sa.Connection, tournament: int) -> Iterator[Change]:
        """The rows of sums of the tournament with this key that are not what was added up."""
        yield from _compare_sums(connection, PAIR, tournament, self._pairs, _PAIR_KEY, self._pair_label)
        yield from _compare_sums(connection, TOTAL, tournament, self._totals, ("bot",), self._total_label)

    def _rows(self, block: RecordedBlock) -> Iterator[tuple[int, ...]]:
        for match in block.matches:
            for number, seat in enumerate(match.seats):
                fared = (seat.place, seat.faults, seat.points)
                yield block.key, match.rotation, number, self.bots[seat.bot], *fared, match.deals

    def _pair_label(self, key: tuple[int, ...]) -> str:
        a, b, seats, clean = key
        kind = "without" if clean else "with"
        return f"{self._name(a)} against {self._name(b)} at tables of {seats}, blocks {kind} faults"

    def _total_label(self, key: tuple[int, ...]) -> str:
        return f"totals of {self._name(key[0])}"

    def _name(self, bot: int) -> str:
        return self.labels.get(bot, f"a bot that never entered (number {bot})")


def _finished(connection: sa.Connection, tournament: int) -> list[int]:
    """The keys of the finished blocks of the tournament with this key, in plan order."""
    done = sa.select(BLOCK.c.key).where(BLOCK.c.tournament == tournament, BLOCK.c.state == BlockState.DONE)
    return list(connection.execute(done.order_by(BLOCK.c.ordinal)).scalars())


def _add(sums: list[int], more: tuple[Any, ...]) -> None:
    sums[:] = [one + other for one, other in zip(sums, more, strict=True)]


def _compare_sums(
    connection: sa.Connection,
    table: sa.Table,
    tournament: int,
    rebuilt: Mapping[tuple[int, ...], list[int]],
    key_fields: tuple[str, ...],
    label: Callable[[tuple[int, ...]], str],
) -> Iterator[Change]:
    fields = [column.name for column in table.c if not column.primary_key]
    rows = connection.execute(sa.select(table).where(table.c.tournament == tournament)).all()
    stored = {tuple(row._mapping[name] for name in key_fields): row._mapping for row in rows}
    for key in sorted({*stored, *rebuilt}):
        was = {name: stored[key][name] for name in fields} if key in stored else None
        now = dict(zip(fields, rebuilt[key], strict=True)) if key in rebuilt else None
        if was != now:
            where = {"tournament": tournament} | dict(zip(key_fields, key, strict=True))
            yield Change(label(key), table, where, was, now)


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
