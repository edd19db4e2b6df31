"""What processes take of a machine, as the kernel tells it from outside, and which limit that exceeds."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from arena.bots.manifest import BotLimits

SPARE = 16
"""What the kernel lets processes and open files be above their limits, so that it is seen who exceeds them."""

STACK_BYTES = 8 << 20

MOST_INODES = 20_000
"""Files and folders in all that a bot may write to; a limit of bytes does not bound them."""

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

LimitName: TypeAlias = Literal["memory", "processes", "files", "output"]


class Exceeded(NamedTuple):
    """A limit that a bot exceeded: its name, and the figures, as '812 MB of 512'."""

    limit: LimitName
    figures: str

    def __str__(self) -> str:
        return f"{self.limit}: {self.figures}"


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


def peak(pids: Iterable[int]) -> int:
    """The most bytes that the processes `pids` have had in memory until now, each at its own worst moment, summed."""
    memory = 0
    for pid in pids:
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            memory += next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:")), 0)
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


def most_data(limits: BotLimits) -> int:
    """The bytes that the kernel lets a process reserve: what is used is counted elsewhere, but much is reserved and
    never used, like the stacks of threads."""
    return 2 * (limits.memory_mb << 20) + limits.processes * STACK_BYTES


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
