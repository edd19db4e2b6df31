"""What a bot's processes have had of the cores and how long they waited for one, as the kernel counts it.

Linux tells it by thread in `/proc/PID/task/TID/schedstat`. On other systems everything reads as zero: nobody is known
to have waited.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from arena.bots.usage import tree as descendants

ROUNDS = 8
"""How often a tree is gone through for processes that were forked while it was being stopped."""


class ThreadTimes(NamedTuple):
    """What one thread has had since it began, in nanoseconds: of a core, and of waiting for one."""

    ran_ns: int
    waited_ns: int


NO_TIMES = ThreadTimes(0, 0)

Times: TypeAlias = dict[int, ThreadTimes]
"""The times of threads by the number of the thread."""


def tree(pid: int) -> list[int]:
    """A process and its living descendants; those whose parent ended are not found."""
    return [pid, *descendants(pid)]


def thread_times(pids: Iterable[int]) -> Times:
    """The times of all threads of these processes; of one that is gone there are none."""
    return {thread: times for pid in pids for thread in _threads(pid) if (times := _times(pid, thread)) is not None}


def own_thread_times(thread: int) -> ThreadTimes:
    """The times of a thread of this process, by its native number."""
    return _times(os.getpid(), thread) or NO_TIMES


def since(before: Times, after: Times) -> ThreadTimes:
    """What the threads of `after` had since `before`, together; a thread that is new had all it has."""
    ran = waited = 0
    for thread, times in after.items():
        first = before.get(thread, NO_TIMES)
        ran += max(0, times.ran_ns - first.ran_ns)
        waited += max(0, times.waited_ns - first.waited_ns)
    return ThreadTimes(ran, waited)


def runnable(pids: Iterable[int]) -> set[int]:
    """The threads of these processes that run or would, had they a core."""
    return {
        thread
        for pid in pids
        for thread in _threads(pid)
        # The state follows the name, which stands in brackets and may hold anything.
        if _read(f"/proc/{pid}/task/{thread}/stat").rpartition(b")")[2].split()[:1] == [b"R"]
    }


def stuck(threads: set[int], before: Times, after: Times) -> bool:
    """Whether some of `threads`, all runnable, have had nothing of a core between two looks: the kernel counts a wait
    only when it is over."""
    return any(thread in after and before.get(thread, NO_TIMES).ran_ns == after[thread].ran_ns for thread in threads)


def cpu_s(pids: Iterable[int]) -> float:
    """Seconds of a core that these processes have used, their ended threads included; costs 0.3 µs a process."""
    total = 0.0
    for pid in pids:
        with suppress(OSError):  # it is gone
            total += time.clock_gettime(~pid << 3 | 2)  # the kernel's name for the CPU clock of a whole process
    return total


def send_to_tree(pid: int, number: signal.Signals) -> None:
    """Send SIGSTOP or SIGCONT to a process and all its descendants, also those that are forked meanwhile.

    The root must not be reaped meanwhile. A descendant is held by a descriptor and looked for again before it is
    signalled, so that a number that was given anew is not hit.
    """
    reached: set[int] = set()
    for _ in range(ROUNDS):
        new = [process for process in tree(pid) if process not in reached]
        if not new:
            return
        reached.update(new)
        for process in new:
            with suppress(OSError):  # it is gone
                descriptor = os.pidfd_open(process)
                try:
                    if process in tree(pid):
                        signal.pidfd_send_signal(descriptor, number)
                finally:
                    os.close(descriptor)


def _threads(pid: int) -> list[int]:
    try:
        return list(map(int, os.listdir(f"/proc/{pid}/task")))  # noqa: PTH208  a third of pathlib's time
    except OSError:
        return []


def _times(pid: int, thread: int) -> ThreadTimes | None:
    words = _read(f"/proc/{pid}/task/{thread}/schedstat").split()
    return ThreadTimes(int(words[0]), int(words[1])) if len(words) >= 2 else None


def _read(path: str) -> bytes:
    """A file of /proc, or nothing when it is gone; twice as quick as a file object."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
