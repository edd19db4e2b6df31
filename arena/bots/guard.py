"""The guard: a program of its own that outlives the arena by a moment and leaves none of its bots alive.

It is told the process groups of the running bots on its standard input, one a line: `+ID` started, `-ID` ended. When
the input ends, because the arena closed it or because it died in whatever way, the guard kills all that is left,
removes the folder with the run folders, and exits. Run as `python -I -S guard.py FOLDER`; standard library only.
"""

# It starts with every arena process, and pathlib would be most of that time.
# ruff: noqa: PTH101, PTH112, PTH115, PTH123, PTH208

import os
import shutil
import signal
import sys
import time
from contextlib import suppress


def kill_group(group: int) -> None:
    """Kill a process group, if it is still there."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


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


def kill_strays(folder: str, rounds: int = 20) -> None:
    """Kill the strays of `folder` until none is found: one that forks quickly may escape a single look."""
    for _ in range(rounds):
        found = strays(folder)
        if not found:
            return
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def remove_folder(folder: str) -> None:
    """Remove a folder, also one in which a bot took its own permissions away."""
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.isdir(folder):
        for place, _, _ in os.walk(folder):
            for entry in os.scandir(place):
                if entry.is_dir(follow_symlinks=False):
                    os.chmod(entry.path, 0o700)
        shutil.rmtree(folder, ignore_errors=True)


def main(folder: str) -> None:
    """Watch until the input ends, then clear up."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        if line[0] == "+":
            groups.add(group)
        else:
            groups.discard(group)
    for group in groups:
        kill_group(group)
    kill_strays(folder)
    remove_folder(folder)


if __name__ == "__main__":
    main(sys.argv[1])
