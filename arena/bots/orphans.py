"""What a dead arena left: found by the lock of its folder, which nobody holds any more once its guard is dead too.

Usually there is nothing, since the guard clears up. Only who kills both at once, or the power, leaves something.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from arena.bots.guard import kill_strays, remove_folder, remove_groups, sandboxed

PREFIX = "arena-"
LOCK = "lock"


def claim(folder: Path) -> int:
    """Mark a new `folder` as that of a living arena: a descriptor that is to be kept, and inherited by the guard."""
    fd = os.open(folder / f".{LOCK}", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX)
    (folder / f".{LOCK}").rename(folder / LOCK)  # nobody ever sees it without its lock
    return fd


def sweep(place: Path, control_groups: Path | None) -> None:
    """End what dead arenas of this user left in `place`, where they had their folders, and remove that.

    Their control groups are below `control_groups`.
    """
    for folder in place.glob(f"{PREFIX}*"):
        with suppress(OSError):  # somebody else sweeps too
            lock = _lock_of_a_dead_arena(folder)
            if lock < 0:
                continue
            try:
                kill_strays(str(folder))
                kill_strays(str(folder), sandboxed)
                if control_groups is not None:
                    remove_groups(str(control_groups / folder.name))
                remove_folder(str(folder))
            finally:
                os.close(lock)


def _lock_of_a_dead_arena(folder: Path) -> int:
    """The lock of the folder, which is held from now on; -1 when an arena is alive there, or it is none of ours.

    Raises OSError when there is no lock.
    """
    if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
        return -1
    fd = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return -1
    return fd
