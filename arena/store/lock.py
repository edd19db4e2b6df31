"""A lock that one process holds, that ends with that process however it dies, and that its children do not inherit."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE_S = 0.05
"""Longer than anybody looks whether a lock is held."""


class LockTakenError(Exception):
    """Another holds the lock; the message is the number of its process, empty when it is not known."""


def lock_file(database: Path, tournament: int) -> Path:
    """The lock of whoever leads the tournament with this key, beside its database."""
    return database.with_name(f"{database.stem}-{tournament}{database.suffix}.lock")


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock file at `path`; it is made when missing and gone afterwards.

    Raises LockTakenError when another process, or another part of this one, holds it, and OSError when the file cannot
    be made.
    """
    handle = _acquire(path)
    try:
        os.ftruncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock file at `path`; one that a killed process left is held by nobody."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _acquire(path: Path) -> int:
    until = time.monotonic() + PATIENCE_S
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(handle, 20).decode("ascii", "replace")
            os.close(handle)
            if not isinstance(error, BlockingIOError):
                raise
            if time.monotonic() > until:
                raise LockTakenError(holder) from None
            time.sleep(PATIENCE_S / 10)  # perhaps somebody only looks
            continue
        if _is_at(handle, path):
            return handle
        os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    """Whether the locked file still is the one at `path`: its last holder may have removed it in between."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
