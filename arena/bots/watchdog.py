"""The watchdog: one thread that looks at all sandboxes of a launcher and ends the one that takes more than its limits.

The kernel bounds most of it already; the watchdog sees what no limit of the kernel names, and says which it was.
"""

from __future__ import annotations

import fcntl
import os
import socket
import sys
import termios
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias

from arena.bots.manifest import BotLimits

EVERY_S = 0.075
"""The time between two looks."""

WHOLE_LOOK = 4
"""Every so many looks all is looked at; at the others only memory that grew, and crowded connections."""

MOST_INODES = 20_000
"""Files and folders in all that a bot may write to; a limit of bytes does not bound them."""

LONGEST_QUEUE = 32 * 1024
"""Bytes that may wait to be read from a bot's connection."""

CROWDED_LOOKS = 8
"""So many looks with a longer queue, less those without, make a flood."""

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

LimitName: TypeAlias = Literal["memory", "processes", "files", "output"]


class Exceeded(NamedTuple):
    """A limit that a bot exceeded: its name, and the figures, as '812 MB of 512'."""

    limit: LimitName
    figures: str

    def __str__(self) -> str:
        return f"{self.limit}: {self.figures}"


class Watched(Protocol):
    """What the watchdog looks at."""

    def look(self, crowding: frozenset[int]) -> Exceeded | None:
        """What it exceeds now, if anything; `crowding` are the processes that have sent more than is read."""
        ...

    def stop(self, exceeded: Exceeded) -> None:
        """End it for that."""
        ...


class Watchdog:
    """Looks at what it was given until that is taken away; its thread begins with the first and ends with `close`."""

    def __init__(self) -> None:
        self._watched: set[Watched] = set()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, watched: Watched) -> None:
        """Look at it from now on."""
        with self._lock:
            self._watched.add(watched)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
                self._thread.start()

    def remove(self, watched: Watched) -> None:
        """Look at it no longer; it may still be looked at while this returns."""
        with self._lock:
            self._watched.discard(watched)

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._closed.wait(EVERY_S):
            with self._lock:
                watched = list(self._watched)
            with suppress(OSError):  # no descriptors are left to look with; the next time there may be
                crowding = crowding_processes()
                for one in watched:
                    exceeded = one.look(crowding)
                    if exceeded is not None:
                        self.remove(one)
                        one.stop(exceeded)


def crowding_processes() -> frozenset[int]:
    """The processes at the other ends of our Unix sockets from which more is waiting than any answer is long.

    gRPC reads at once and works through all that comes, so what floods a connection with control frames shows only by
    its queue that never empties.
    """
    found = set()
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208  many times a second
        with suppress(OSError):
            waiting = fcntl.ioctl(int(name), termios.FIONREAD, bytes(4))
            if int.from_bytes(waiting, sys.byteorder) > LONGEST_QUEUE:
                found.add(_peer(int(name)))
    return frozenset(found)


def _peer(fd: int) -> int:
    """The process that listens at the other end of a socket. Raises OSError when it is none."""
    copy = os.dup(fd)
    try:
        with socket.socket(fileno=copy) as connection:
            credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    except OSError:
        with suppress(OSError):
            os.close(copy)
        raise
    return int.from_bytes(credentials[:4], sys.byteorder)


class Usage(NamedTuple):
    """What processes take together; `files` is the most open files of one of them."""

    memory: int
    threads: int
    files: int


def usage(pids: Iterable[int]) -> Usage:
    """What the processes `pids` take now, in bytes and numbers; those that are gone take nothing."""
    memory = threads = files = 0
    for pid in pids:
        with suppress(OSError):
            fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
            threads += int(fields[17])
            memory += int(fields[21]) * PAGE
            files = max(files, len(os.listdir(f"/proc/{pid}/fd")))  # noqa: PTH208  many times a second
    return Usage(memory, threads, files)


def resident(pids: Iterable[int]) -> int:
    """The bytes of memory alone, where what processes share counts for each: quick, and never too little."""
    memory = 0
    for pid in pids:
        with suppress(OSError):
            memory += int(_read(f"/proc/{pid}/statm").split()[1]) * PAGE
    return memory


def _read(path: str, most: int = 4096) -> bytes:
    """A file of /proc, which are read whole or not at all; a third of a file object's time. Raises OSError."""
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, most)
    finally:
        os.close(fd)


def shared_memory(pids: Iterable[int]) -> int:
    """The bytes that the processes `pids` take together, where what they share counts once; slower than `usage`."""
    memory = 0
    for pid in pids:
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            memory += next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)
    return memory


def tree(root: int) -> list[int]:
    """The processes below `root`; when that is the first of a sandbox, none can have left it."""
    found = [root]
    for pid in found:  # grows as it goes
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
                found += map(int, _read(f"/proc/{pid}/task/{task}/children", 65_536).split())
    return found[1:]


class Space(NamedTuple):
    """What lies in file systems that live in memory."""

    memory: int
    inodes: int


def space(folders: Iterable[str]) -> Space:
    """What lies in the file systems at `folders`, in bytes and numbers."""
    memory = inodes = 0
    for folder in folders:
        with suppress(OSError):
            seen = os.statvfs(folder)
            memory += (seen.f_blocks - seen.f_bfree) * seen.f_frsize
            inodes += seen.f_files - seen.f_ffree
    return Space(memory, inodes)


def judge(limits: BotLimits, used: Usage, kept: Space) -> Exceeded | None:
    """The first limit that is exceeded, if one is."""
    if used.threads > limits.processes:  # before their memory, which they may share
        return Exceeded("processes", f"{used.threads} of {limits.processes}")
    memory_mb = (used.memory + kept.memory) >> 20
    if memory_mb > limits.memory_mb:
        return Exceeded("memory", f"{memory_mb} MB of {limits.memory_mb}")
    if used.files > limits.files:
        return Exceeded("files", f"{used.files} open of {limits.files}")
    if kept.inodes > MOST_INODES:
        return Exceeded("files", f"{kept.inodes} written of {MOST_INODES}")
    return None
