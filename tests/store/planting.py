"""Wrong numbers planted in a database behind the program's back, and all that such a change could touch."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.store.recomputed import rows

TABLES = ("match", "seat", "pair", "total", "chair", "habit", "rating", "rating_list", "block", "entry", "record")


def contents(path: Path) -> dict[str, list[object]]:
    return {table: rows(path, f'SELECT * FROM "{table}"') for table in TABLES}


def plant(path: Path, change: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        assert database.execute(change).rowcount > 0
        database.commit()
