"""What a dead arena left: found by the lock of its folder, which nobody holds any more once its guard is dead too.

Usually there is nothing, since the guard clears up. Only who kills both at once, or the power, leaves something.
"""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from arena.bots.guard import LOCK, kill_strays, remove_folder, remove_groups, sandboxed

PREFIX = "arena-"
_OURS = re.compile(re.escape(PREFIX) + "[a-z0-9_]{8}")


def new_folder(place: Path) -> tuple[Path, int]:
    """A new folder in `place` for a living arena, and the lock that says so, to be kept and inherited by the guard."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place)).resolve()
        with suppress(FileNotFoundError):  # somebody swept it up, since it had no lock yet
            return folder, claim(folder)


def claim(folder: Path) -> int:
    """Mark an empty folder as that of a living arena. FileNotFoundError when it is swept up meanwhile."""
    fd = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX)
    if not (folder / LOCK).exists():
        os.close(fd)
        raise FileNotFoundError(folder)
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

    One that was killed before it had a lock left an empty folder, which is removed at once. Raises OSError when there
    is nothing to be done.
    """
    if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
        return -1
    if not (folder / LOCK).exists():
        if _OURS.fullmatch(folder.name):
            folder.rmdir()
        return -1
    fd = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return -1
    return fd
