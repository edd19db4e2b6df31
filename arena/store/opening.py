"""The door: which file is the arena's, which schema it has, and what may be done to it.

A file is recognised by its first bytes, before SQLite touches it, so that one which is not ours, or which a newer
program wrote, stays as it was to the byte.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError

from arena.store.engine import BUSY_TIMEOUT_S, Store, connect, sqlite_engine
from arena.store.errors import CHOOSE_ANOTHER, StoreError, explain, nothing_played
from arena.store.migrations import HEAD

APPLICATION_ID = 0x4C534131
"""Marks a SQLite file as the arena's ("LSA1")."""

MAGIC = b"SQLite format 3\x00"
HEADER = slice(68, 72)
"""Where the application id stands in a SQLite file (https://www.sqlite.org/fileformat.html#database_header)."""


def open_store(url: str, *, write: bool) -> Store:
    """Open the database at `url` (`sqlite:///PATH`).

    For writing, a missing one is created and an older one brought up to date. Raises StoreEmptyError when there is
    nothing to read yet, and StoreError when the database is not the arena's, newer than this program, damaged, or of a
    kind that is not supported; then nothing has been written.
    """
    path = _database_path(url)
    revision = _revision(path) if _is_ours(path) else None
    if revision == HEAD:
        return Store(path)
    if revision is None and not write:
        raise nothing_played(path)
    if revision is not None:
        _check_older(path, revision, write)
    _bring_up_to_date(path)
    return Store(path)


def _database_path(url: str) -> Path:
    """The file that a URL names; StoreError when it names none that this program can use."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError(f"ARENA_DATABASE_URL is {url!r}, which is no database address: use sqlite:///PATH") from error
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:") or parsed.query:
        shown = parsed.render_as_string(hide_password=True)
        raise StoreError(f"the database {shown} is not supported, only a SQLite file is: use sqlite:///PATH")
    return Path(str(parsed.database)).resolve()


def _is_ours(path: Path) -> bool:
    """Whether the arena's database is there; False when there is none yet, StoreError when it is something else."""
    try:
        with path.open("rb") as file:
            start = file.read(100)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"the database {path} cannot be read ({error.strerror}): {CHOOSE_ANOTHER}") from error
    if not start:
        return False
    if not start.startswith(MAGIC):
        raise StoreError(f"{path} is not a SQLite database, so it is not the arena's: {CHOOSE_ANOTHER}")
    if int.from_bytes(start[HEADER], "big") != APPLICATION_ID:
        raise StoreError(f"{path} is the database of another program, not the arena's: {CHOOSE_ANOTHER}")
    return True


def _revision(path: Path) -> str | None:
    """The schema that the arena's file has; None when its creation was broken off. Leaves no file beside it."""
    try:
        with closing(connect(path, _harmless(path))) as connection:
            if not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall():
                return None
            return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])
    except (sqlite3.Error, TypeError) as error:
        raise explain(path, error) from error


def _harmless(path: Path) -> str:
    """How to look into a file without a trace: a log or a broken-off write that lies beside it must be heeded."""
    if path.with_name(f"{path.name}-journal").exists():
        return "mode=rw"
    return "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "immutable=1"


def _check_older(path: Path, revision: str, write: bool) -> None:
    """StoreError unless the schema is one that this program knows, and may be upgraded now."""
    from arena.store.upgrading import is_known  # noqa: PLC0415  (Alembic takes 0.2 s; a current database needs none)

    if not is_known(revision):
        raise StoreError(
            f"the database {path} was written by a newer version of this program (schema {revision}, known up to "
            f"{HEAD}): update the program, or {CHOOSE_ANOTHER}"
        )
    if not write:
        raise StoreError(
            f"the database {path} was written by an older version of this program (schema {revision}, needed "
            f"{HEAD}): a command that plays, such as `arena tournament resume`, brings it up to date"
        )


def _bring_up_to_date(path: Path) -> None:
    """Create the schema or upgrade it, in one transaction; foreign keys stay off, or rebuilt tables lose their rows."""
    from arena.store.upgrading import upgrade  # noqa: PLC0415  (see above)

    engine = sqlite_engine(path, "rwc", "BEGIN IMMEDIATE", "foreign_keys = OFF")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with engine.begin() as connection:
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            upgrade(connection)
            if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
                raise StoreError(
                    f"the database {path} could not be upgraded, its rows do not fit together: nothing was changed"
                )
        _use_log(engine)
    except OSError as error:
        raise StoreError(f"the folder {path.parent} cannot be made ({error.strerror}): {CHOOSE_ANOTHER}") from error
    except (DatabaseError, sqlite3.Error) as error:
        raise explain(path, error) from error
    finally:
        engine.dispose()


def _use_log(engine: sa.Engine) -> None:
    """Switch to write-ahead logging; SQLite does not wait for others here, so this does."""
    until = time.monotonic() + BUSY_TIMEOUT_S
    with closing(engine.raw_connection()) as connection:
        while True:
            try:
                connection.cursor().execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)
            else:
                return
