"""A program in its sandbox, as a process group whose end is certain: with its first process all of a sandbox dies."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from json import JSONDecoder
from pathlib import Path
from typing import NamedTuple

from arena.bots.control_groups import MemoryGroup
from arena.bots.guard import child_pidfd, kill_group, kill_pidfd, parent_of
from arena.bots.manifest import BotLimits
from arena.bots.processes import GATE, Guard, ProcessGroup, ending, open_gate
from arena.bots.ring import Drainer, OutputRing
from arena.bots.sandbox import SOCKET, TMP, confined, new_uid, wrap
from arena.bots.watchdog import (
    CROWDED_LOOKS,
    WHOLE_LOOK,
    Exceeded,
    LimitName,
    Watchdog,
    judge,
    resident,
    shared_memory,
    space,
    tree,
    usage,
)

START_S = 5.0
"""bubblewrap says within this time which process it started."""

DIE_S = 5.0
"""After its first process was killed, all of a sandbox is gone within this time."""

WRITABLE = (TMP, "/dev/shm", str(Path(SOCKET).parent))  # noqa: S108

LAST_LINES = 5
LAST_WORDS: tuple[tuple[LimitName, tuple[str, ...]], ...] = (
    ("memory", ("MemoryError", "bad_alloc", "out of memory", "Cannot allocate memory")),
    ("processes", ("can't start new thread", "Resource temporarily unavailable", "Cannot fork")),
    ("files", ("Too many open files", "File too large", "No space left on device", "Disk quota exceeded")),
)
"""What a program says last when it dies of a limit that the kernel held it to."""


class Keepers(NamedTuple):
    """Who sees to the processes of a launcher."""

    guard: Guard
    drainer: Drainer
    watchdog: Watchdog


class SandboxedGroup(ProcessGroup):
    """A program in a sandbox of its own."""

    GATE = ("/bin/sh", "-c", 'read -r go && exec "$@"', "sh")
    """The first of two gates: bubblewrap starts when the guard knows it, the program when it knows the sandbox too."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        ring: OutputRing,
        limits: BotLimits,
        keepers: Keepers,
        memory_group: MemoryGroup | None,
        uid: int | None = None,
        writable: bool = False,
    ) -> None:
        """Start `command` in `folder`, which it sees as its own, read-only unless `writable`.

        With a `memory_group` the kernel holds it to its memory, else the watchdog. As root it gets the user id `uid`,
        or a new one. Raises OSError and `SeccompMissing` when this machine cannot start a process in a sandbox.
        """
        self.child = 0
        self.seen: Exceeded | None = None
        self._child_fd = -1
        self._was_killed = False
        self._crowded = self._looks = 0
        self._pids: list[int] = []
        self._places: list[str] = []
        self._memory_group = memory_group
        self._watchdog = keepers.watchdog
        self._status, status = os.pipe()
        inner = (*GATE, *confined(command, limits, new_uid() if uid is None else uid))
        inherited: tuple[int, ...] = (status,)
        try:
            wrapped = wrap(
                inner, folder=folder, environment=environment, limits=limits, status=status, writable=writable
            )
            inherited += wrapped.descriptors
            super().__init__(
                wrapped.command, run_folder=folder, work_folder=Path("/"), environment={}, ring=ring, limits=limits,
                guard=keepers.guard, drainer=keepers.drainer, inherited=inherited,
            )  # fmt: skip
        except BaseException:
            self._free()
            raise
        finally:
            for fd in inherited:
                os.close(fd)
        keepers.watchdog.add(self)

    @property
    def root(self) -> str:
        """The sandbox's file system as seen from outside."""
        return f"/proc/{self.child}/root"

    def look(self, crowding: frozenset[int]) -> Exceeded | None:
        """What it exceeds now, if anything; `crowding` are the processes that have sent more than is read."""
        self._crowded = max(0, self._crowded + (1 if crowding.intersection(self._pids) else -1))
        if self._crowded >= CROWDED_LOOKS:
            return Exceeded("output", "more on its connection than is read")
        self._looks += 1
        grown = self._memory_group is None and resident(self._pids) >> 20 > self._limits.memory_mb
        return self._look_at_all() if grown or self._looks % WHOLE_LOOK == 1 else None

    def _look_at_all(self) -> Exceeded | None:
        pids = self._memory_group.pids() if self._memory_group else tree(self.child)
        self._pids = pids = [pid for pid in pids if pid not in (self.pid, self.child)]
        used, kept = usage(pids), space(self._writable())
        if (used.memory + kept.memory) >> 20 > self._limits.memory_mb:
            used = used._replace(memory=shared_memory(pids))
        if parent_of(self.child) != self.pid:
            return None  # it is gone, and its number may be another's
        if self._memory_group is not None:
            if self._memory_group.ran_out():
                return self._out_of_memory(self._memory_group)
            used, kept = used._replace(memory=0), kept._replace(memory=0)  # the kernel counts that better
        return judge(self._limits, used, kept)

    def _writable(self) -> Sequence[str]:
        """The places that it may write to, as seen from outside, once its file system is its own."""
        if not self._places:
            places = [self.root + place for place in WRITABLE]
            if all(_device(seen) not in (0, _device(place)) for seen, place in zip(places, WRITABLE, strict=True)):
                self._places = places
        return self._places

    def stop(self, exceeded: Exceeded) -> None:
        """Kill it for what it exceeded."""
        with self._lock:
            if not self._reaped:
                self._see(exceeded)
                self._kill()

    def exceeded(self) -> Exceeded | None:
        """The limit that ended it, or that it suffers from now; None when there is none."""
        if self.seen is None and not self._reaped:
            if self._memory_group is not None and self._memory_group.ran_out():
                self._see(self._out_of_memory(self._memory_group))
            elif self.gone() and not self._was_killed and (found := self._by_last_words()):
                self._see(found)
            elif self.ring.flooding():
                return Exceeded("output", "more than is read")
        return self.seen

    def _see(self, exceeded: Exceeded) -> None:
        """Take note of a limit that was exceeded, with the figures for the bot's author."""
        self.seen = exceeded
        self.ring.feed(f"\n[a limit was exceeded, {exceeded}]\n".encode())

    def end(self, grace_s: float = 0.0) -> None:
        """End the sandbox: SIGTERM and up to `grace_s` to comply if positive, then SIGKILL; reap, forget, free."""
        if not self._reaped and self.gone():
            self.exceeded()
        super().end(grace_s)

    def how_it_ended(self) -> str:
        """Once it is gone: 'exited with status 3', 'was killed by SIGKILL', or which limit it exceeded."""
        seen = self.exceeded()
        return f"exceeded its limit of {seen.limit}" if seen else self._ending()

    def _ending(self) -> str:
        text = super().how_it_ended()
        status = int(text.rpartition(" ")[2]) if text.startswith("exited") else 0
        return ending(128 - status) if status > 128 else text  # bubblewrap reports a signal as shells do

    def _out_of_memory(self, group: MemoryGroup) -> Exceeded:
        return Exceeded("memory", f"{group.peak_mb()} MB of {self._limits.memory_mb}")

    def _by_last_words(self) -> Exceeded | None:
        how = self._ending()
        if how.endswith("SIGXFSZ"):
            return Exceeded("files", f"one of more than {self._limits.disk_mb} MB")
        if how == "exited with status 0":
            return None
        self.ring.ended.wait(0.2)
        for line in reversed(self.ring.lines()[-LAST_LINES:]):
            for limit, words in LAST_WORDS:
                if any(word in line.text for word in words):
                    return Exceeded(limit, "the kernel refused more")
        return None

    def _admit(self, gate: int) -> None:
        if self._memory_group is not None:
            self._memory_group.add(self.pid)
        open_gate(gate)
        self.child = self._read_child()
        if self.child:
            self._child_fd = child_pidfd(self.child, self.pid)
            self._guard.add(self.pid, self.child)
        open_gate(gate)

    def _read_child(self) -> int:
        """The first process of the sandbox, as bubblewrap reports it; 0 when it reports none."""
        said = b""
        poll = select.poll()
        poll.register(self._status, select.POLLIN)
        while not said.endswith(b"\n") and poll.poll(START_S * 1000) and (part := os.read(self._status, 4096)):
            said += part
        if not said.endswith(b"\n"):
            return 0
        report, _ = JSONDecoder().raw_decode(said.decode())
        return int(report["child-pid"])

    def _kill(self) -> None:
        self._was_killed = True
        if self._child_fd < 0:
            super()._kill()
            return
        kill_pidfd(self._child_fd)
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGCONT)  # bubblewrap must see it, also when it is stopped itself

    def _reap(self) -> None:
        """Let bubblewrap see the end of its sandbox, so that it leaves nothing unreaped behind."""
        if not self.gone(DIE_S):
            kill_group(self.pid)
        super()._reap()

    def _clear_up(self) -> None:
        self._watchdog.remove(self)
        self._free()

    def _free(self) -> None:
        for fd in (self._status, self._child_fd):
            if fd >= 0:
                os.close(fd)
        self._status = self._child_fd = -1
        if self._memory_group is not None:
            self._memory_group.remove()

    def _ask_to_end(self) -> None:
        """Ask the programs in the sandbox; bubblewrap itself would end without asking anybody."""
        path = Path(f"/proc/{self.child}/task/{self.child}/children")
        with suppress(OSError):
            for pid in map(int, path.read_bytes().split()):
                fd = child_pidfd(pid, self.child)
                if fd >= 0:
                    for number in (signal.SIGTERM, signal.SIGCONT):
                        with suppress(OSError):
                            signal.pidfd_send_signal(fd, number)
                    os.close(fd)


def _device(place: str) -> int:
    """The device of our own `place`; 0 when there is none."""
    try:
        return os.stat(place).st_dev  # noqa: PTH116
    except OSError:
        return 0
