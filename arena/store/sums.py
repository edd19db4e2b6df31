"""The tables of sums, and the rows that a block adds to each: stored block by block, and rebuilt from records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from arena.store.aggregates import bot_sums, chair_sums, habit_sums, pair_sums
from arena.store.ratings_changes import Change
from arena.store.tables import CHAIR, HABIT, PAIR, TOTAL
from arena.tournament.ports import MatchResult

OF_BLOCK: tuple[tuple[sa.Table, Callable[[Sequence[MatchResult]], Any]], ...] = (
    (PAIR, pair_sums),
    (TOTAL, bot_sums),
    (CHAIR, chair_sums),
    (HABIT, habit_sums),
)
"""For each table what a block adds to it: tuples whose fields are its columns, with digests for the keys of bots."""

BOTS = ("a", "b", "bot")
"""The columns that hold bots."""

Key = tuple[Any, ...]


def keys_of(table: sa.Table) -> list[str]:
    """What tells the rows of a table of sums apart within a tournament."""
    return [column.name for column in table.primary_key if column.name != "tournament"]


def sums_of(table: sa.Table) -> list[str]:
    """What is added up in a table."""
    return [column.name for column in table.c if not column.primary_key]


def block_rows(matches: Sequence[MatchResult], bots: Mapping[bytes, int]) -> Iterator[tuple[sa.Table, list[Any]]]:
    """What a block adds to each table, as rows in the order of their keys; `bots` are keys by digest."""
    for table, added in OF_BLOCK:
        rows = [
            {name: bots[value] if name in BOTS else value for name, value in row._asdict().items()}
            for row in added(matches)
        ]
        names = keys_of(table)
        yield table, sorted(rows, key=lambda row: [row[name] for name in names])


class Sums:
    """All sums of a tournament, made anew from its blocks; `bots` are keys by digest."""

    def __init__(self, bots: Mapping[bytes, int]) -> None:
        self._bots = bots
        self._found: dict[sa.Table, dict[Key, dict[str, int]]] = {table: {} for table, _ in OF_BLOCK}

    def add(self, matches: Sequence[MatchResult]) -> None:
        """Add a block."""
        for table, rows in block_rows(matches, self._bots):
            names, fields = keys_of(table), sums_of(table)
            for row in rows:
                sums = self._found[table].setdefault(tuple(row[name] for name in names), defaultdict(int))
                for field in fields:
                    sums[field] += row[field]

    def changes(
        self, connection: sa.Connection, tournament: int, label: Callable[[sa.Table, Key], str]
    ) -> Iterator[tuple[Change, bool]]:
        """What must be changed in the rows of the tournament with this key, and whether that is a mistake.

        None is where nothing was counted yet, by an older program.
        """
        for table, rebuilt in self._found.items():
            names, fields = keys_of(table), sums_of(table)
            rows = connection.execute(sa.select(table).where(table.c.tournament == tournament)).mappings().all()
            stored = {tuple(row[name] for name in names): {name: row[name] for name in fields} for row in rows}
            for key in sorted({*stored, *rebuilt}):
                was, now = stored.get(key), rebuilt.get(key)
                if was != now:
                    where = {"tournament": tournament} | dict(zip(names, key, strict=True))
                    yield Change(label(table, key), table, where, was, now), bool(stored) or table is not HABIT
