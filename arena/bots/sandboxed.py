"""A program in its sandbox, as a process group whose end is certain: with its first process all of a sandbox dies."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from json import JSONDecoder
from pathlib import Path

from arena.bots.control_groups import MemoryGroup
from arena.bots.guard import child_pidfd, kill_group, kill_pidfd, parent_of
from arena.bots.manifest import BotLimits
from arena.bots.processes import GATE, Keepers, ProcessGroup, ending, open_gate
from arena.bots.ring import OutputRing
from arena.bots.sandbox import NOBODY, SOCKET, TMP, confined, new_uid, wrap
from arena.bots.traffic import Traffic
from arena.bots.usage import Exceeded, judge, shared_memory, space, tree, usage

START_S = 5.0
"""bubblewrap says within this time which process it started."""

DIE_S = 5.0
"""After its first process was killed, all of a sandbox is gone within this time."""

WRITABLE = (TMP, "/dev/shm", str(Path(SOCKET).parent))  # noqa: S108


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
        traffic: Traffic,
        memory_group: MemoryGroup | None,
        uid: int | None = None,
        writable: bool = False,
    ) -> None:
        """Start `command` in `folder`, which it sees as its own, read-only unless `writable`.

        With a `memory_group` the kernel holds it to its memory, else the watchdog. As root it gets the user id `uid`,
        or a new one. Raises OSError and `SeccompMissing` when this machine cannot start a process in a sandbox.
        """
        self.child = 0
        self._child_fd = -1
        self._uid = new_uid() if uid is None else uid
        self._places: list[str] = []
        self._memory_group = memory_group
        self._status, status = os.pipe()
        inner = (*GATE, *confined(command, limits, self._uid))
        inherited: tuple[int, ...] = (status,)
        try:
            wrapped = wrap(
                inner, folder=folder, environment=environment, limits=limits, status=status, writable=writable
            )
            inherited += wrapped.descriptors
            super().__init__(
                wrapped.command, run_folder=folder, work_folder=Path("/"), environment={}, ring=ring, limits=limits,
                keepers=keepers, traffic=traffic, inherited=inherited,
            )  # fmt: skip
        except BaseException:
            self._free()
            raise
        finally:
            for fd in inherited:
                os.close(fd)

    @property
    def root(self) -> str:
        """The sandbox's file system as seen from outside."""
        return f"/proc/{self.child}/root"

    def pids(self) -> list[int]:
        """Its processes, without those of bubblewrap."""
        pids = self._memory_group.pids() if self._memory_group else tree(self.child)
        return [pid for pid in pids if pid not in (self.pid, self.child)]

    def owns(self, pid: int, uid: int) -> bool:
        """Whether the process `pid` of the user `uid` is its; also one that is gone, by a user of its own."""
        return pid in self._pids or uid == self._uid != NOBODY

    def _look_at_all(self) -> Exceeded | None:
        self._pids = pids = self.pids()
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

    def _grown(self) -> bool:
        return self._memory_group is None and super()._grown()

    def _writable(self) -> Sequence[str]:
        """The places that it may write to, as seen from outside, once its file system is its own."""
        if not self._places:
            places = [self.root + place for place in WRITABLE]
            if all(_device(seen) not in (0, _device(place)) for seen, place in zip(places, WRITABLE, strict=True)):
                self._places = places
        return self._places

    def _refused(self) -> Exceeded | None:
        if self._memory_group is not None and self._memory_group.ran_out():
            return self._out_of_memory(self._memory_group)
        return super()._refused()

    def _ending(self) -> str:
        text = super()._ending()
        status = int(text.rpartition(" ")[2]) if text.startswith("exited") else 0
        return ending(128 - status) if status > 128 else text  # bubblewrap reports a signal as shells do

    def _out_of_memory(self, group: MemoryGroup) -> Exceeded:
        return Exceeded("memory", f"{group.peak_mb()} MB of {self._limits.memory_mb}")

    def _admit(self, gate: int) -> None:
        if self._memory_group is not None:
            self._memory_group.add(self.pid)
        open_gate(gate)
        self.child = self._read_child()
        if self.child:
            self._child_fd = child_pidfd(self.child, self.pid)
            self._keepers.guard.add(self.pid, self.child)
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
        self._keepers.watchdog.remove(self)
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
