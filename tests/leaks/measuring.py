"""What a process holds: counted before and after, so that a difference is a leak."""

from __future__ import annotations

import gc
import os
import threading
import time
from pathlib import Path
from typing import NamedTuple

import grpc
import psutil

MB = 2**20


class Held(NamedTuple):
    """Counts of what this process holds now; `threads` are those of the kernel, gRPC's own among them."""

    descriptors: int
    python_threads: int
    threads: int
    processes: int
    channels: int
    folders: int
    memory: int


def held(folder: Path) -> Held:
    """Count it all; `folder` is where bots get folders of their own."""
    gc.collect()
    process = psutil.Process()
    return Held(
        descriptors=process.num_fds(),
        python_threads=threading.active_count(),
        threads=process.num_threads(),
        processes=len(process.children(recursive=True)),
        channels=sum(isinstance(thing, grpc.Channel) for thing in gc.get_objects()),
        folders=len(os.listdir(folder)),  # noqa: PTH208  names only
        memory=process.memory_info().rss,
    )


def assert_flat(before: Held, folder: Path, *, threads: int, memory_mb: int, seconds: float = 10.0) -> None:
    """Make sure that nothing has been gained but at most so many kernel threads and so much memory.

    What is being cleared away just now, by the kernel or by gRPC's own threads, has `seconds` to go.
    """
    until = time.monotonic() + seconds
    while leaks := _gained(before, held(folder), threads, memory_mb * MB):
        assert time.monotonic() < until, f"gained {leaks}"


def _gained(before: Held, now: Held, threads: int, memory: int) -> dict[str, int]:
    allowed = Held(0, 0, threads, 0, 0, 0, memory)
    gains = zip(Held._fields, before, now, allowed, strict=True)
    return {name: after - had for name, had, after, most in gains if after - had > most}
