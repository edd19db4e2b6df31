"""The guard: a program of its own that outlives the arena by a moment and leaves none of its bots alive.

It is told the process groups of the running bots on its standard input, one a line: `+ID` started, `+ID CHILD` has a
sandbox whose first process is its child CHILD, `-ID` ended. When the input ends, because the arena closed it or because
it died in whatever way, the guard kills all that is left, removes the folder with the run folders and the control group
of the bots, and exits. Run as `python -I -S guard.py FOLDER [CONTROL_GROUP]`; standard library only.
"""

# It starts with every arena process, and pathlib would be most of that time.
# ruff: noqa: PTH101, PTH106, PTH108, PTH112, PTH115, PTH119, PTH123, PTH208

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

LOCK = "lock"
"""The file in the folder of an arena by which others see that it lives."""


def kill_group(group: int) -> None:
    """Kill a process group, if it is still there."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def parent_of(pid: int) -> int:
    """The parent of a process; 0 when it is gone (Linux)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            return int(stream.read().rpartition(b")")[2].split()[1])
    except OSError:
        return 0


def child_pidfd(child: int, parent: int) -> int:
    """A descriptor by which `child` can be killed and nobody else; -1 when it is no child of `parent` any more."""
    try:
        fd = os.pidfd_open(child)
    except OSError:
        return -1
    if parent_of(child) == parent:
        return fd
    os.close(fd)
    return -1


def kill_pidfd(pidfd: int) -> None:
    """Kill what a descriptor stands for: with the first process of a sandbox all others in it die too."""
    with suppress(ProcessLookupError, PermissionError):
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)


def remove_groups(folder: str, limit_s: float = 2.0) -> None:
    """Remove a control group with its children, killing what is still in them."""
    until = time.monotonic() + limit_s
    while os.path.isdir(folder) and time.monotonic() < until:
        for place, _, _ in os.walk(folder, topdown=False):
            try:
                os.rmdir(place)
            except OSError:  # somebody is still in it
                with suppress(OSError), open(place + "/cgroup.procs", "rb") as stream:
                    for pid in stream.read().split():
                        os.kill(int(pid), signal.SIGKILL)
        time.sleep(0.001)


def strays(folder: str) -> list[int]:
    """The processes that left their group, known by their environment or working folder below `folder` (Linux)."""
    found = []
    mark = b"=" + os.fsencode(folder) + b"/"
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as stream:
                marked = mark in stream.read()
            if marked or os.readlink(f"/proc/{name}/cwd").startswith(folder + "/"):
                found.append(int(name))
        except OSError:  # ended meanwhile, or another user's
            continue
    return found


def sandboxed(folder: str) -> list[int]:
    """The processes in sandboxes that a launcher made, known by their bot's place below its `folder` (Linux)."""
    found = []
    mark = b"/" + os.fsencode(os.path.basename(folder)) + b"/prepared/"
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/mountinfo", "rb") as stream:
                if mark in stream.read():
                    found.append(int(name))
    return found


def kill_strays(folder: str, find: Callable[[str], list[int]] = strays, rounds: int = 20) -> None:
    """Kill the strays of `folder` until none is found: one that forks quickly may escape a single look."""
    for _ in range(rounds):
        found = find(folder)
        if not found:
            return
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def remove_folder(folder: str) -> None:
    """Remove a folder, also one in which a bot took its own permissions away.

    The lock goes last: whoever is killed meanwhile leaves what the next arena knows to be a dead one's.
    """
    for entry in os.scandir(folder) if os.path.isdir(folder) else ():
        if entry.is_dir(follow_symlinks=False):
            _remove(entry.path)
        elif entry.name != LOCK:
            with suppress(OSError):
                os.unlink(entry.path)
    _remove(folder)


def _remove(folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.isdir(folder):
        for place, _, _ in os.walk(folder):
            for entry in os.scandir(place):
                if entry.is_dir(follow_symlinks=False):
                    os.chmod(entry.path, 0o700)
        shutil.rmtree(folder, ignore_errors=True)


def watch(lines: Iterable[str]) -> None:
    """Follow what is told until its end, and then kill all that is left."""
    groups: dict[int, int] = {}
    for line in lines:
        group, *child = map(int, line[1:].split())
        if line[0] == "+":
            groups[group] = child_pidfd(child[0], group) if child else groups.get(group, -1)
        elif (pidfd := groups.pop(group, -1)) >= 0:
            os.close(pidfd)
    for group, pidfd in groups.items():
        if pidfd >= 0:
            kill_pidfd(pidfd)
        kill_group(group)


def main(folder: str, control_group: str = "") -> None:
    """Watch until the input ends, then clear up."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    watch(sys.stdin)
    kill_strays(folder)
    if control_group:
        remove_groups(control_group)
    remove_folder(folder)


if __name__ == "__main__":
    main(*sys.argv[1:3])
