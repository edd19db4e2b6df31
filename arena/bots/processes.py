"""Process groups that are started without a gap, watched, and ended for certain.

A program is started behind a gate: a shell that waits for one line on its input before it becomes the program. The
line is sent once the guard knows the process, so an arena that is killed at any moment leaves nothing: before the line
the gate sees its input end, after it the guard does.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from arena.bots import guard as guard_program
from arena.bots.manifest import BotLimits
from arena.bots.refusals import refused
from arena.bots.ring import MOST_AT_ONCE, RATE, Drainer, OutputRing
from arena.bots.traffic import Traffic
from arena.bots.usage import SPARE, Exceeded, Space, judge, most_data, resident, shared_memory, tree, usage
from arena.bots.watchdog import WHOLE_LOOK, Watchdog

GATE = ("/bin/sh", "-c", 'read -r go && exec "$@" </dev/null', "sh")


class Guard:
    """The guard process of this process's bots; see `guard.py`. It dies last and removes `folder`."""

    def __init__(self, folder: Path, control_group: Path | None = None, lock: int = -1) -> None:
        """`control_group` is removed too, with all below it; `lock` is held as long as it lives."""
        self._lock_fds = (lock,) if lock >= 0 else ()
        self._arguments = [str(folder), *([str(control_group)] if control_group else [])]
        self._lock = threading.Lock()
        self._groups: dict[int, str] = {}
        self._closed = False
        self._start()

    def add(self, group: int, child: int = 0) -> None:
        """From now on `group`, and the sandbox whose first process is `child`, die with this process, at the latest."""
        with self._lock:
            if self._closed:
                raise OSError("the launcher is closed")
            line = f"+{group} {child}\n" if child else f"+{group}\n"
            self._groups[group] = line
            self._tell(line)

    def remove(self, group: int) -> None:
        """`group` was killed and is about to be reaped; its number may soon be somebody else's."""
        with self._lock:
            self._groups.pop(group, None)
            if not self._closed:
                self._tell(f"-{group}\n")

    def close(self) -> None:
        """Let the guard kill what is left, remove the folder and end."""
        with self._lock:
            if not self._closed:
                self._closed = True
                os.close(self._pipe)
                self._process.wait()

    def _start(self) -> None:
        read, self._pipe = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", guard_program.__file__, *self._arguments],
                stdin=read, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                cwd="/", env={}, start_new_session=True, pass_fds=self._lock_fds,
            )  # fmt: skip
        finally:
            os.close(read)

    def _tell(self, line: str) -> None:
        try:
            os.write(self._pipe, line.encode())
        except BrokenPipeError:  # somebody killed the guard: a new one takes over what is running
            os.close(self._pipe)
            self._process.wait()
            self._start()
            for told in self._groups.values():
                os.write(self._pipe, told.encode())


class Keepers(NamedTuple):
    """Who sees to the processes of a launcher."""

    guard: Guard
    drainer: Drainer
    watchdog: Watchdog


class ProcessGroup:
    """A program in a process group and session of its own, with its output in `ring`."""

    GATE = GATE

    def __init__(
        self,
        command: Sequence[str],
        *,
        run_folder: Path,
        work_folder: Path,
        environment: Mapping[str, str],
        ring: OutputRing,
        limits: BotLimits,
        keepers: Keepers,
        traffic: Traffic,
        inherited: tuple[int, ...] = (),
    ) -> None:
        """Start `command` in `work_folder`, which with all that is the program's own lies below `run_folder`.

        `inherited` are further descriptors that it gets. Raises OSError when this machine cannot start a process.
        """
        self.traffic = traffic
        self._seen: Exceeded | None = None
        self._was_killed = False
        self._looks = 0
        self._pids: list[int] = []
        self._limits = limits
        self._inherited = inherited
        self._keepers = keepers
        self._run_folder = run_folder
        self._lock = threading.Lock()
        self._reaped = False
        self.ring = ring
        output, gate = self._spawn([*self.GATE, *command], work_folder, environment)
        self.pid = self._process.pid
        self._pidfd = _pidfd(self.pid)
        keepers.drainer.add(output, ring)
        try:
            keepers.guard.add(self.pid)
            self._admit(gate)
        except BaseException:
            self.end()
            raise
        finally:
            os.close(gate)
        keepers.watchdog.add(self)

    def gone(self, timeout_s: float = 0.0) -> bool:
        """Whether the program has ended, waiting for that up to `timeout_s`; it is not reaped, its number stays its."""
        if self._pidfd >= 0:
            poll = select.poll()
            poll.register(self._pidfd, select.POLLIN)
            return bool(poll.poll(timeout_s * 1000))
        until = time.monotonic() + timeout_s
        while not (ended := _ended(self._process)) and (left := until - time.monotonic()) > 0:
            time.sleep(min(0.005, left))
        return ended

    def how_it_ended(self) -> str:
        """Once it is gone or was ended: 'exited with status 3', 'was killed by SIGKILL', or which limit it exceeded."""
        exceeded = self.exceeded()
        return f"exceeded its limit of {exceeded.limit}" if exceeded else self._ending()

    def exceeded(self) -> Exceeded | None:
        """The limit that ended it, or that it suffers from now; None when there is none, or none is known."""
        if self._seen is None and not self._reaped:
            if (found := self._refused()) is not None:
                self._see(found)
            elif self.ring.flooding():
                written = f"{self.ring.at_once >> 20} MB at once, of which {RATE >> 20} MB a second are read"
                return Exceeded("output", written)
        return self._seen

    def pids(self) -> list[int]:
        """Its processes."""
        return [self.pid, *tree(self.pid)]

    def owns(self, pid: int, uid: int) -> bool:  # noqa: ARG002  here all are processes of the same user
        """Whether the process `pid` of the user `uid` is its."""
        return pid in self._pids

    def look(self) -> Exceeded | None:
        """What it exceeds now, if anything: all is looked at every `WHOLE_LOOK` times."""
        if self.ring.at_once > MOST_AT_ONCE:
            return Exceeded("output", f"{self.ring.at_once >> 20} MB of {MOST_AT_ONCE >> 20} at once")
        self._looks += 1
        return self._look_at_all() if self._looks % WHOLE_LOOK == 1 or self._grown() else None

    def stop(self, exceeded: Exceeded) -> None:
        """Kill it for what it exceeded."""
        with self._lock:
            if not self._reaped:
                self._see(exceeded)
                self._kill()

    def kill(self) -> None:
        """Kill the group at once, from any thread; `end` is still needed."""
        with self._lock:
            if not self._reaped:
                self._kill()

    def end(self, grace_s: float = 0.0) -> None:
        """End the group: SIGTERM and up to `grace_s` to comply if positive, then SIGKILL; reap, forget, free."""
        if not self._reaped and self.gone():
            self.exceeded()
        elif grace_s > 0:
            self._ask_to_end()
            self.gone(grace_s)
        with self._lock:
            if self._reaped:
                return
            self._kill()
            self._keepers.guard.remove(self.pid)
            self._reap()
            self._reaped = True
        self._clear_up()
        self._keepers.drainer.remove(self.ring)
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1

    def _look_at_all(self) -> Exceeded | None:
        self._pids = pids = self.pids()
        used = usage(pids)
        if used.memory >> 20 > self._limits.memory_mb:
            used = used._replace(memory=shared_memory(pids))
        return None if self._reaped else judge(self._limits, used, Space(0, 0))

    def _grown(self) -> bool:
        """Whether it seems to have taken too much memory since it was looked at."""
        return resident(self._pids) >> 20 > self._limits.memory_mb

    def _refused(self) -> Exceeded | None:
        """The limit that the kernel held it to, once it is gone and because of that."""
        if not self.gone() or self._was_killed:
            return None
        how = self._ending()
        if how != "exited with status 0":
            self.ring.ended.wait(0.2)
        return refused(self._limits, how, self.ring)

    def _see(self, exceeded: Exceeded) -> None:
        """Take note of a limit that was exceeded, with the figures for the bot's author."""
        self._seen = exceeded
        self.ring.feed(f"\n[a limit was exceeded, {exceeded}]\n".encode())

    def _ending(self) -> str:
        with self._lock:
            if not self._reaped and hasattr(os, "waitid"):
                seen = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
                if seen is not None:
                    return ending(seen.si_status if seen.si_code == os.CLD_EXITED else -seen.si_status)
            return ending(self._process.wait())

    def _admit(self, gate: int) -> None:
        """Let the program through its gate, now that the guard knows it."""
        _limit(self.pid, self._limits)
        open_gate(gate)

    def _kill(self) -> None:
        """Kill all of it. Its number is still ours until the leader is reaped, so this can hit nobody else."""
        self._was_killed = True
        guard_program.kill_group(self.pid)

    def _reap(self) -> None:
        """Wait for the leader, after which its number is nobody's."""
        self._process.wait()

    def _clear_up(self) -> None:
        """After the leader was reaped: see that nothing else is left."""
        self._keepers.watchdog.remove(self)
        guard_program.kill_strays(str(self._run_folder))

    def _ask_to_end(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGTERM)
            os.killpg(self.pid, signal.SIGCONT)  # one that is stopped could not comply

    def _spawn(self, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, int]:
        """Start the program behind its gate; the ends of the pipes of its output and of the gate."""
        ours: list[int] = []
        theirs: list[int] = []
        try:
            for own in (0, 1):
                pipe = os.pipe()
                ours.append(pipe[own])
                theirs.append(pipe[1 - own])
            self._process = subprocess.Popen(
                command, stdin=theirs[1], stdout=theirs[0], stderr=theirs[0],
                cwd=folder, env=dict(environment), start_new_session=True, pass_fds=self._inherited,
            )  # fmt: skip
        except OSError:
            for fd in ours:
                os.close(fd)
            raise
        finally:
            for fd in theirs:
                os.close(fd)
        return ours[0], ours[1]


def open_gate(gate: int) -> None:
    """Send the line that a gate waits for."""
    with suppress(BrokenPipeError):  # killed already: whoever waits for it sees that
        os.write(gate, b"go\n")


def _pidfd(pid: int) -> int:
    """A descriptor that tells when the process ends, or -1 where there are none."""
    try:
        return os.pidfd_open(pid) if hasattr(os, "pidfd_open") else -1
    except OSError:
        return -1


def _ended(process: subprocess.Popen[bytes]) -> bool:
    if hasattr(os, "waitid"):
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
    return process.poll() is not None


def _limit(pid: int, limits: BotLimits) -> None:
    """Bound what the kernel can bound of a process alone, before it passes the gate (Linux)."""
    if not hasattr(resource, "prlimit"):
        return
    bounds = {
        resource.RLIMIT_DATA: most_data(limits),
        resource.RLIMIT_FSIZE: limits.disk_mb << 20,
        resource.RLIMIT_NOFILE: limits.files + SPARE,
        resource.RLIMIT_CORE: 0,
    }
    for bound, most in bounds.items():
        with suppress(OSError, ValueError):  # gone, or a lower limit is set for all of us
            resource.prlimit(pid, bound, (most, most))


def ending(returncode: int) -> str:
    """How a process with this `Popen.returncode` ended, in words."""
    if returncode >= 0:
        return f"exited with status {returncode}"
    try:
        return f"was killed by {signal.Signals(-returncode).name}"
    except ValueError:
        return f"was killed by signal {-returncode}"
