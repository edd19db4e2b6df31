"""The two ways to a SQLite file: writers that queue for the one write lock before they read, and readers that cannot
write. The driver's own transactions are switched off, since they lose updates without a word.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, IntegrityError, ProgrammingError

from arena.store.errors import explain

BUSY_TIMEOUT_S = 10.0
"""So long a database that another program has locked is waited for, where nothing else is said."""


def connect(path: Path, parameters: str, patience_s: float = BUSY_TIMEOUT_S) -> sqlite3.Connection:
    """Open a SQLite file as the `parameters` of SQLite's URIs say, with no transactions of its own."""
    uri = f"file:{quote(str(path))}?{parameters}"
    return sqlite3.connect(uri, uri=True, timeout=patience_s, isolation_level=None, check_same_thread=False)


def sqlite_engine(path: Path, mode: str, begin: str, *pragmas: str, patience_s: float = BUSY_TIMEOUT_S) -> sa.Engine:
    """An engine on a SQLite file whose transactions start with `begin` and whose connections have these pragmas set."""

    def creator() -> sqlite3.Connection:
        return connect(path, f"mode={mode}", patience_s)

    engine = sa.create_engine("sqlite://", creator=creator, poolclass=sa.QueuePool)

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:
        for pragma in ("synchronous = FULL", *pragmas):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def start(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


class Store:
    """An open database of the arena. Every use of it is one transaction; close it, or use it in a `with`."""

    def __init__(self, path: Path, patience_s: float = BUSY_TIMEOUT_S) -> None:
        self.path = path
        self.writer = sqlite_engine(path, "rw", "BEGIN IMMEDIATE", "foreign_keys = ON", patience_s=patience_s)
        self.reader = sqlite_engine(path, "rw", "BEGIN", "query_only = ON", patience_s=patience_s)

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A write transaction: alone from its start, stored as a whole or not at all. Raises StoreError."""
        with self._explained(), self.writer.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A read transaction: one unchanging picture; keep it short, since the log grows as long. Raises StoreError."""
        with self._explained(), self.reader.begin() as connection:
            yield connection

    def analyze(self) -> None:
        """Let the database learn how its rows are spread, from samples, so that it goes on choosing the quick ways."""
        with self.writing() as connection:
            connection.exec_driver_sql("PRAGMA analysis_limit = 1000")
            connection.exec_driver_sql("ANALYZE")

    def close(self) -> None:
        """Give back all files; the last to leave folds the log into the database."""
        self.reader.dispose()
        self.writer.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (IntegrityError, ProgrammingError):
            raise  # a mistake of the program, not of the database
        except DatabaseError as error:
            raise explain(self.path, error) from error
