"""Control groups: where the kernel lets us make them, it bounds the memory of a sandbox to the byte, tmpfs included."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.bots.guard import remove_groups

SUBTREE = "cgroup.subtree_control"


@dataclass(frozen=True, slots=True)
class _Files:
    """How the files of a control group are called in the two versions of them."""

    most: str
    most_with_swap: str
    peak: str
    events: str


_VERSIONS = {
    "cgroup": _Files(
        "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.max_usage_in_bytes", "memory.oom_control"
    ),
    "cgroup2": _Files("memory.max", "memory.swap.max", "memory.peak", "memory.events"),
}


@dataclass(frozen=True, slots=True)
class MemoryGroup:
    """A control group with a limit of memory, for one sandbox."""

    folder: Path
    files: _Files

    def add(self, pid: int) -> None:
        """Let the process `pid` and all that it starts from now on count here."""
        (self.folder / "cgroup.procs").write_text(str(pid))

    def pids(self) -> list[int]:
        """The processes in it."""
        return [int(pid) for pid in _read(self.folder / "cgroup.procs").split()]

    def peak_mb(self) -> int:
        """The most memory that was in use, in MiB."""
        return int(_read(self.folder / self.files.peak) or 0) >> 20

    def ran_out(self) -> bool:
        """Whether the kernel had to kill a process in it for its memory."""
        lines = _read(self.folder / self.files.events).splitlines()
        return any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in lines)

    def remove(self) -> None:
        """Remove it, and what may still be in it."""
        remove_groups(str(self.folder))


@dataclass(frozen=True, slots=True)
class ControlGroups:
    """The control groups below `parent`: the group that this process is in, or the topmost one."""

    parent: Path
    version: str

    def new(self, folder: Path, memory_mb: int) -> MemoryGroup:
        """A new group in `folder`, below `parent`, with a limit. Raises OSError."""
        files = _VERSIONS[self.version]
        if self.version == "cgroup2":
            for above in (self.parent, *reversed(folder.relative_to(self.parent).parents[:-1])):
                (self.parent / above).mkdir(exist_ok=True)
                (self.parent / above / SUBTREE).write_text("+memory")
        folder.mkdir(parents=True)
        limit = memory_mb << 20
        (folder / files.most).write_text(str(limit))
        with suppress(OSError):  # the kernel does not count swap
            (folder / files.most_with_swap).write_text(str(limit if self.version == "cgroup" else 0))
        return MemoryGroup(folder, files)


def control_groups(proc: Path = Path("/proc/self")) -> ControlGroups | None:
    """The control groups that this process may make; None where it may not, or memory is not among what they count."""
    own = dict(_own_groups(_read(proc / "cgroup")))
    for mount in _read(proc / "mounts").splitlines():
        _, place, version, options = mount.split()[:4]
        controller = "memory" if version == "cgroup" else ""
        if version not in _VERSIONS or controller not in own or (controller and controller not in options.split(",")):
            continue
        # In the second version a group that has processes of its own passes no memory on, but for the topmost one.
        for parent in (Path(place + own[controller]), Path(place)):
            groups = ControlGroups(parent, version)
            if parent.is_dir() and _usable(groups):
                return groups
    return None


def _own_groups(text: str) -> list[tuple[str, str]]:
    """Controller and path of the groups that this process is in; the second version has no controller's name."""
    lines = [line.split(":", 2) for line in text.splitlines()]
    return [(controller, path.rstrip("/")) for _, names, path in lines for controller in names.split(",")]


def _usable(groups: ControlGroups) -> bool:
    """Whether a group with a limit can really be made."""
    folder = groups.parent / f"arena-probe-{os.getpid()}"
    try:
        groups.new(folder, 64)
    except OSError:
        return False
    finally:
        with suppress(OSError):
            folder.rmdir()
    return True


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
