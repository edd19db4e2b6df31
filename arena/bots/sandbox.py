"""The sandbox of a bot's process: the command of bubblewrap that makes it, and where things lie inside.

Inside there is a read-only system without network, without other processes and without the arena: the bot's folder,
what its language needs, a small `/tmp`, and a smaller place for its socket. As root the bot gets a real user id of its
own; as an ordinary user the process lives in a user namespace.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import arena
from arena.bots.manifest import BotLimits
from arena.bots.seccomp import filter_program
from arena.bots.usage import SPARE, most_data

Level: TypeAlias = Literal["none", "watchdog", "full"]
"""How well bots are kept: not at all, in a sandbox whose memory is watched from outside, or by the kernel."""

LEVELS: tuple[Level, ...] = ("none", "watchdog", "full")
"""From the weakest to the strongest."""


def level_named(name: str) -> Level:
    """The level that is called so. Raises ValueError for another word."""
    return LEVELS[LEVELS.index(name)]


BOT_FOLDER = "/bot"
SOCKET = "/run/arena/s"
"""Where the bot listens, as it sees it."""

TMP = "/tmp"  # noqa: S108  the bot's own
SOCKET_BYTES = 64 * 1024
SHARED_MEMORY_BYTES = 16 << 20
PROGRAMS = ("/usr/local/bin", "/usr/local/go/bin", "/usr/bin", "/bin")
ETC = ("ld.so.cache", "alternatives", "localtime", "java-*")
PYTHON_PARTS = ("pyvenv.cfg", "bin", "lib", "lib64")
ARENA_PARTS = ("__init__.py", "sdk", "game", "analysis", "wire/__init__.py", "wire/v1")
"""All of the arena that a bot in Python can see."""

FIRST_UID = 0x7000_0000
"""Here begin 2^28 user ids that nobody gives away."""

NOBODY = 65534

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A command inside its sandbox: what to run, and the descriptors that it inherits, which the caller closes."""

    command: tuple[str, ...]
    descriptors: tuple[int, ...]


def wrap(
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    limits: BotLimits,
    status: int,
    writable: bool = False,
) -> Wrapped:
    """`command` in a sandbox with `folder` as its own, to be started with an empty environment.

    bubblewrap reports the sandbox's first process on the descriptor `status`. A `writable` folder is for builds.
    Raises OSError, and `SeccompMissing`.
    """
    options = [
        *_separation(),
        *_system(),
        *_private(limits),
        *_python(),  # after its own /tmp, below which the interpreter may lie
        *_places(folder, writable),
        *(word for name, value in environment.items() for word in ("--setenv", name, value)),
        *("--json-status-fd", str(status)),
    ]
    descriptors: list[int] = []
    try:
        descriptors.append(_memory_file(filter_program()))
        options += ["--seccomp", str(descriptors[0])]
        descriptors.append(_memory_file(b"".join(os.fsencode(word) + b"\0" for word in options)))
    except BaseException:
        for fd in descriptors:
            os.close(fd)
        raise
    bubblewrap = shutil.which("bwrap") or "bwrap"
    return Wrapped((bubblewrap, "--args", str(descriptors[1]), "--", *command), tuple(descriptors))


def confined(command: Sequence[str], limits: BotLimits, uid: int) -> tuple[str, ...]:
    """`command` as the last step inside the sandbox: with its limits, and as root's bot with the user id `uid`."""
    size = limits.disk_mb << 20
    bounds = (
        "prlimit", "--core=0", f"--data={most_data(limits)}", f"--fsize={size}", f"--nproc={limits.processes + SPARE}",
        f"--nofile={limits.files + SPARE}", "--memlock=0", "--msgqueue=0", "--",
    )  # fmt: skip
    if os.geteuid() != 0:
        return (*bounds, *command)
    person = (
        "setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--no-new-privs", "--bounding-set=-all",
        "--inh-caps=-all", "--",
    )  # fmt: skip
    return (*bounds, *person, *command)


def new_uid() -> int:
    """A user id that no other process on this machine has, to be given to one process in a root's arena."""
    if os.geteuid() != 0:
        return NOBODY
    return FIRST_UID + (os.getpid() % 0xFF00) * 4096 + next(_numbers) % 4096


def search_path() -> str:
    """Where programs are looked for inside; first of all the interpreter that has `arena.sdk`."""
    return os.pathsep.join((str(Path(sys.executable).parent), *PROGRAMS))


def _separation() -> Iterator[str]:
    """Namespaces, privileges, and that it dies with whoever started it."""
    yield from ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try")
    yield from ("--hostname", "bot", "--new-session", "--die-with-parent", "--clearenv", "--cap-drop", "ALL")
    if os.geteuid() == 0:
        # No user namespace, in which the bot would be the real root to the kernel; `setpriv` needs these to leave it.
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            yield from ("--cap-add", capability)
    else:
        yield from ("--unshare-user", "--disable-userns", "--uid", str(NOBODY), "--gid", str(NOBODY))


def _system() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.exists():
            yield from ("--ro-bind", str(path), str(path))
    yield from ("--dir", "/etc")
    for path in (path for pattern in ETC for path in Path("/etc").glob(pattern)):
        yield from ("--ro-bind", str(path), str(path))
    # The first process is bubblewrap's own; without this it could be looked into.
    yield from ("--proc", "/proc", "--perms", "0555", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1")
    yield from ("--dev", "/dev", "--size", str(SHARED_MEMORY_BYTES), "--perms", "1777", "--tmpfs", "/dev/shm")  # noqa: S108
    yield from ("--remount-ro", "/dev")


def _python() -> Iterator[str]:
    """The interpreter, its libraries and the kit for bots; where the rest of the arena lies, nothing."""
    prefixes = {Path(sys.base_prefix), Path(sys.base_prefix).resolve(), Path(sys.prefix)}
    for prefix in sorted(prefix for prefix in prefixes if Path("/usr") not in (prefix, *prefix.parents)):
        yield from _ancestors(prefix / "lib")
        for part in PYTHON_PARTS:
            yield from ("--ro-bind-try", str(prefix / part), str(prefix / part))
    package = Path(arena.__file__).parent
    yield from _ancestors(package)
    yield from ("--perms", "0755", "--tmpfs", str(package))
    yield from ("--perms", "0755", "--dir", str(package / "wire"))
    for part in ARENA_PARTS:
        yield from ("--ro-bind-try", str(package / part), str(package / part))
    yield from ("--remount-ro", str(package))


def _private(limits: BotLimits) -> Iterator[str]:
    yield from ("--perms", "1777", "--size", str(limits.disk_mb << 20), "--tmpfs", TMP)


def _places(folder: Path, writable: bool) -> Iterator[str]:
    yield from ("--bind" if writable else "--ro-bind", str(folder), BOT_FOLDER)
    yield from _ancestors(Path(SOCKET).parent)
    yield from ("--perms", "1777", "--size", str(SOCKET_BYTES), "--tmpfs", str(Path(SOCKET).parent))
    yield from ("--remount-ro", "/", "--chdir", BOT_FOLDER)


def _ancestors(path: Path) -> Iterator[str]:
    """The folders above `path`, which would be made unreadable if they were not named."""
    for above in reversed(path.parents[:-1]):
        yield from ("--perms", "0755", "--dir", str(above))


def _memory_file(content: bytes) -> int:
    """A descriptor from which `content` can be read once."""
    fd = os.memfd_create("arena")
    with open(fd, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd
