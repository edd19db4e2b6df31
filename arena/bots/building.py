"""Builds: how one is waited for, and how it is held to what it may write into its folder, which lies on a disk that no
limit of the kernel's bounds.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

from arena.bots.errors import BuildError
from arena.bots.manifest import BotLimits
from arena.bots.processes import ProcessGroup
from arena.bots.usage import Exceeded, Space

BUILD_LIMITS = BotLimits(memory_mb=4096, processes=512, files=1024, disk_mb=2048)
"""What a build may take, whatever its bot may; `disk_mb` counts twice, in its folder and in its temporary files."""

BUILD_LIMIT_S = 600.0

MOST_FILES = 100_000
"""Files and folders that there may be when a bot is built."""

LOOK_EVERY_S = 0.1

LOOKING = 10
"""A look may take so much less time than passes until the next one."""


def await_build(group: ProcessGroup, name: str, folders: Sequence[Path]) -> None:
    """Wait for the build of the bot `name`, and end it when what it writes to `folders` is too much.

    Raises BuildError when it fails, takes too long, or exceeds a limit, which is then named.
    """
    until = monotonic() + BUILD_LIMIT_S
    pause_s = LOOK_EVERY_S
    try:
        gone = False
        while not gone:
            gone = group.gone(min(pause_s, max(0.0, until - monotonic())))
            began = monotonic()
            if (exceeded := judge(taken(folders, () if gone else group.pids()))) is not None:
                raise BuildError(f"{name}: the build exceeded its limit of {exceeded}")
            if not gone and monotonic() >= until:
                raise BuildError(f"{name}: the build exceeded its limit of time: more than {BUILD_LIMIT_S:.0f} s")
            pause_s = max(LOOK_EVERY_S, LOOKING * (monotonic() - began))
        ending = group.how_it_ended()
        group.ring.ended.wait(0.2)
        if ending != "exited with status 0":
            raise BuildError(f"{name}: the build {ending}", group.ring.last_words(), group.ring.last())
    finally:
        group.end()


def judge(written: Space) -> Exceeded | None:
    """The limit that a build exceeds which has `written` so much, if any."""
    if written.memory >> 20 >= BUILD_LIMITS.disk_mb:  # the kernel lets no single file grow beyond it
        return Exceeded("files", f"{written.memory >> 20} MB written of {BUILD_LIMITS.disk_mb}")
    if written.inodes > MOST_FILES:
        return Exceeded("files", f"more than {MOST_FILES} written")
    return None


def taken(folders: Iterable[Path], pids: Iterable[int] = ()) -> Space:
    """What lies on disk in `folders`, and in files without a name there that the processes `pids` hold open."""
    folders = list(folders)
    size = number = 0
    linked: set[int] = set()
    for status in (*_named(folders), *_nameless(folders, pids)):
        number += 1
        if status.st_nlink != 1 and status.st_ino in linked:
            continue
        linked.add(status.st_ino)
        size += status.st_blocks * 512
    return Space(size, number)


def _named(folders: Iterable[Path]) -> Iterator[os.stat_result]:
    places = list(map(str, folders))
    seen = 0
    for place in places:  # grows as it goes
        with suppress(OSError), os.scandir(place) as entries:  # it may be gone again
            for entry in entries:
                with suppress(OSError):
                    yield entry.stat(follow_symlinks=False)
                    seen += 1
                    if seen > MOST_FILES:  # the rest does not matter any more
                        return
                    if entry.is_dir(follow_symlinks=False):
                        places.append(entry.path)


def _nameless(folders: Iterable[Path], pids: Iterable[int]) -> Iterator[os.stat_result]:
    """Files that were deleted and are still open, on the devices of `folders` (Linux)."""
    devices = {folder.stat().st_dev for folder in folders}
    for pid in pids:
        with suppress(OSError):
            for name in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208  a third of pathlib's time
                with suppress(OSError):
                    status = os.stat(f"/proc/{pid}/fd/{name}")  # noqa: PTH116
                    if status.st_nlink == 0 and status.st_dev in devices:
                        yield status
