"""The door: which file is the arena's, which schema it has, and what may be done to it.

A file is recognised by its mark before anything is done to it, so that one which is not ours, or which a newer program
wrote, stays as it was to the byte.
"""

from __future__ import annotations

import errno
import os
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


def open_store(url: str, *, write: bool, create: bool = True, patience_s: float = BUSY_TIMEOUT_S) -> Store:
    """Open the database at `url` (`sqlite:///PATH`); when another program has locked it, that is waited for.

    For writing, an older one is brought up to date and, with `create`, a missing one is made. Raises StoreEmptyError
    when there is none and none is to be made, and StoreError when the database is not the arena's, newer than this
    program, damaged, locked, or of a kind that is not supported; then nothing has been written.
    """
    path = _database_path(url)
    revision = _revision(path, patience_s) if _is_ours(path) else None
    if revision == HEAD:
        return Store(path, patience_s)
    if revision is None and not (write and create):
        raise nothing_played(path)
    if revision is not None:
        _check_older(path, revision, write)
    _bring_up_to_date(path)
    return Store(path, patience_s)


def check_store(url: str, *, make_folder: bool) -> None:
    """Make sure, without a trace, that `open_store` can write to the database at `url`, as far as can be foretold.

    Without `make_folder` the folder of the database must exist already. Raises StoreError.
    """
    path = _database_path(url)
    revision = _revision(path) if _is_ours(path) else None
    if revision not in (None, HEAD):
        _check_older(path, str(revision), write=True)
    if not make_folder and not path.parent.is_dir():
        raise StoreError(f"the folder {path.parent} of the database does not exist: make it, or {CHOOSE_ANOTHER}")
    folder = next(parent for parent in path.parents if parent.exists())
    if not folder.is_dir():
        raise StoreError(f"the folder {path.parent} cannot be made, since {folder} is no folder: {CHOOSE_ANOTHER}")
    for place in (folder, path):
        if place.exists() and not os.access(place, os.W_OK):
            raise StoreError(
                f"the database {path} cannot be written, since {place} is write-protected: {CHOOSE_ANOTHER}"
            )


def _database_path(url: str) -> Path:
    """The file that a URL names; StoreError when it names none that this program can use."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError(f"ARENA_DATABASE_URL is {url!r}, which is no database address: use sqlite:///PATH") from error
    in_memory = parsed.database in (None, "", ":memory:")
    if parsed.get_backend_name() != "sqlite" or in_memory or parsed.host or parsed.query:
        shown = parsed.render_as_string(hide_password=True)
        raise StoreError(f"the database {shown} is not supported, only a SQLite file is: use sqlite:///PATH")
    try:
        return Path(str(parsed.database)).resolve()
    except (OSError, RuntimeError) as error:  # a name that is too long, a circle of links
        raise StoreError(f"the database {parsed.database} cannot be reached ({error}): {CHOOSE_ANOTHER}") from error


def _is_ours(path: Path) -> bool:
    """Whether the arena's database is there; False when there is none yet, StoreError when it is something else.

    SQLite itself looks, in a way that leaves everything as it is: had this process the database open already, then to
    close a file of its own would give up all locks on it (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    """
    try:
        if not path.stat().st_size:
            return False
        with closing(connect(path, "immutable=1")) as connection:
            marked = connection.execute("PRAGMA application_id").fetchone()[0]
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"the database {path} cannot be read ({error.strerror}): {CHOOSE_ANOTHER}") from error
    except sqlite3.Error as error:
        if wrong := _wrong_file(path, error.sqlite_errorcode):
            raise wrong from None
        raise explain(path, error) from error
    if marked != APPLICATION_ID:
        raise StoreError(f"{path} is the database of another program, not the arena's: {CHOOSE_ANOTHER}")
    return True


def _wrong_file(path: Path, code: int) -> StoreError | None:
    """When another file was meant, which is no failure of the database: the reason."""
    if code == sqlite3.SQLITE_NOTADB:
        return StoreError(f"{path} is not a SQLite database, so it is not the arena's: {CHOOSE_ANOTHER}")
    if code == sqlite3.SQLITE_CANTOPEN:
        reason = os.strerror(errno.EISDIR if path.is_dir() else errno.EACCES)
        return StoreError(f"the database {path} cannot be read ({reason}): {CHOOSE_ANOTHER}")
    return None


def _revision(path: Path, patience_s: float = BUSY_TIMEOUT_S) -> str | None:
    """The schema that the arena's file has; None when its creation was broken off. Leaves no file beside it."""
    try:
        with closing(connect(path, _harmless(path), patience_s)) as connection:
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
