"""The database as the pages read it: opened when there is one, opened anew when another file took its place, and asked
cheaply whether anything in it has changed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import monotonic

from arena.store.engine import Store, connect
from arena.store.errors import StoreEmptyError, StoreError, explain
from arena.store.opening import open_store
from arena.store.results import Results

LOOKED_AT_MOST_EVERY_S = 0.5
"""While a tournament runs, each of its blocks changes the database; pages need not be newer than that."""

READ_PATIENCE_S = 1.0
"""Readers meet a lock only where another program keeps all others out; who waits takes the place of those who do not
need the database at all."""

WRITE_PATIENCE_S = 5.0
"""Whoever changes something waits so long for others who write."""

FAILED_S = 1.0
"""So long nobody tries again to open what could not be opened; whoever asks meanwhile is told at once."""


class UnreadableError(StoreError):
    """The database is there and cannot be used; nothing that a reader asks for can change that."""


class Database:
    """The database at a URL. All of it may be used from several threads."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = Lock()
        self._open: _Open | None = None
        self._opened = 0
        self._failure = ""
        self._try_again = 0.0

    def results(self) -> Results:
        """What can be read; raises StoreEmptyError as long as nothing was played, else UnreadableError."""
        with self._lock:
            return self._current().results

    def version(self) -> str:
        """Differs from an earlier answer of this process when anything may have changed; raises as `results` does."""
        with self._lock:
            current = self._current()
            return f"{self._opened}.{current.version}"

    @contextmanager
    def writing(self, patience_s: float | None = None) -> Iterator[Store]:
        """The database for what a page changes; raises StoreEmptyError when there is none, and StoreError."""
        with open_store(
            self._url, write=True, create=False, patience_s=WRITE_PATIENCE_S if patience_s is None else patience_s
        ) as store:
            yield store

    def close(self) -> None:
        """Give back all files."""
        with self._lock:
            self._close()

    def _current(self) -> _Open:
        if self._open is not None and not self._open.is_still_the_same():
            self._close()
        if self._open is None:
            if monotonic() < self._try_again:
                raise UnreadableError(self._failure)
            try:
                self._open = _Open(open_store(self._url, write=False, patience_s=READ_PATIENCE_S))
            except StoreEmptyError:
                raise
            except StoreError as error:
                self._failure, self._try_again = str(error), monotonic() + FAILED_S
                raise UnreadableError(str(error)) from error
            self._opened += 1
        return self._open

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


class _Open:
    """A database file that was opened, with a connection of its own that only looks for changes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.results = Results.of(store)
        self._file = _identity(store.path)
        self._looking = connect(store.path, "mode=rw", READ_PATIENCE_S)
        self._schema: int | None = None
        self.version = 0
        self._looked = -LOOKED_AT_MOST_EVERY_S
        try:
            self._has_schema()
        except StoreError:
            self.close()
            raise

    def is_still_the_same(self) -> bool:
        """Whether the file under this name is the one that was opened, with the schema that it had."""
        return _identity(self._store.path) == self._file and self._has_schema()

    def _has_schema(self) -> bool:
        """Look for changes, seldom; False when another program has changed the schema.

        The version is SQLite's own count of commits (https://www.sqlite.org/pragma.html#pragma_data_version).
        """
        if monotonic() - self._looked >= LOOKED_AT_MOST_EVERY_S:
            try:
                schema, self.version = self._asked("PRAGMA schema_version"), self._asked("PRAGMA data_version")
            except sqlite3.Error as error:
                raise explain(self._store.path, error) from error
            if self._schema not in (None, schema):
                return False
            self._schema, self._looked = schema, monotonic()
        return True

    def _asked(self, question: str) -> int:
        return int(self._looking.execute(question).fetchone()[0])

    def close(self) -> None:
        """Give back all files; who still reads finishes first."""
        with suppress(sqlite3.Error):
            self._looking.close()
        self._store.close()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 — twice as quick as a Path's, on the way to every page
    except OSError:
        return None
    return found.st_dev, found.st_ino
