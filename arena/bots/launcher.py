"""The launcher: prepares bots once, and starts and ends their processes, each in a run folder of its own.

Without a sandbox a run folder holds the process's copy of the bot, its home, its temporary files and its socket, and
goes with it; in a sandbox all that lies in memory, and the prepared copy is seen read-only. Nothing of a process
outlives its launcher: not after `close`, not after an exception, not after kill -9.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from arena.bots.address import Address, UnixAddress, new_address, reached_at
from arena.bots.building import BUILD_LIMITS, await_build
from arena.bots.control_groups import control_groups
from arena.bots.deadlines import Deadlines
from arena.bots.errors import BuildError, PackageError, StartError, UnkeptError
from arena.bots.folders import BotFolder
from arena.bots.guard import remove_folder
from arena.bots.manifest import BotLimits, Manifest
from arena.bots.orphans import new_folder, sweep
from arena.bots.package import copy_bot, folder_digest
from arena.bots.processes import Guard, Keepers, ProcessGroup
from arena.bots.ring import Drainer, OutputRing
from arena.bots.sandbox import SOCKET, TMP, Level, new_uid, search_path
from arena.bots.sandboxed import SandboxedGroup
from arena.bots.traffic import Traffic
from arena.bots.turnstile import Turnstile
from arena.bots.usage import Exceeded, peak
from arena.bots.watchdog import Watchdog
from arena.match.limits import ProcessLimits

ADDRESS_VARIABLE = "ARENA_BOT_ADDRESS"
BEGIN_LIMIT_S = 5.0
LOOK_EVERY_S = 0.005


@dataclass(frozen=True, slots=True)
class PreparedBot:
    """A bot ready to be started: a copy of exactly what the digest covers, and what its build made of it.

    Plain data: prepared once by one process, it may be started by others as long as the preparing launcher lives.
    """

    manifest: Manifest
    digest: bytes
    folder: Path


class BotProcess:
    """A running bot that listens at `address`."""

    def __init__(self, group: ProcessGroup, address: Address, run_folder: Path | None) -> None:
        self.traffic = group.traffic
        self._group = group
        self._run_folder = run_folder
        self.address = address

    @property
    def pid(self) -> int:
        """The number of the process, which is also that of its group; in a sandbox that of bubblewrap."""
        return self._group.pid

    @property
    def output(self) -> OutputRing:
        """What it has printed."""
        return self._group.ring

    def gone(self, timeout_s: float = 0.0) -> bool:
        """Whether it has ended by itself, waiting for that up to `timeout_s`."""
        return self._group.gone(timeout_s)

    def how_it_ended(self) -> str:
        """Once it is gone: 'exited with status 3', 'was killed by SIGKILL' or which limit it exceeded."""
        return self._group.how_it_ended()

    def exceeded(self) -> Exceeded | None:
        """The limit that ended it, or that it suffers from now; None when there is none, or none is known."""
        return self._group.exceeded()

    def peak_memory(self) -> int:
        """The most bytes that it has had in memory until now; 0 once it has ended."""
        with suppress(OSError):  # it may be ending now
            return peak(self._group.pids())
        return 0

    def kill(self) -> None:
        """Kill it at once, from any thread; `end` is still needed."""
        self._group.kill()

    def end(self, grace_s: float = 0.0) -> None:
        """End it and remove its run folder; with a positive `grace_s` it is asked by SIGTERM first."""
        self._group.end(grace_s)
        self.address.close()
        if self._run_folder is not None:
            remove_folder(str(self._run_folder))


class Launcher:
    """Starts the bots of one arena process. Make it in the process that uses it: a fork must not share it.

    `sandbox` is the level at which they are kept, one that `arena.bots.probe` found to be offered here. A process in a
    sandbox ends with the thread that started it.
    """

    def __init__(self, limits: ProcessLimits, sandbox: Level = "none", abreast: int | None = None) -> None:
        """`abreast` is how many starts may go on at once; as many as cores by default."""
        self.limits = limits
        self.starts = Turnstile(abreast or os.cpu_count() or 1)
        self._closed = False
        self._beginning = 0
        self._begun = threading.Condition()
        self.sandbox = sandbox
        self._control = control_groups() if sandbox == "full" else None
        sweep(Path(tempfile.gettempdir()), self._control.parent if self._control else None)
        self._folder, self._claim = new_folder(Path(tempfile.gettempdir()))
        self._control_folder = self._control.parent / self._folder.name if self._control else None
        guard = Guard(self._folder, self._control_folder, self._claim)
        self.keepers = Keepers(guard, Drainer(), Watchdog())
        self.deadlines = Deadlines()
        self._numbers = itertools.count()
        self._prepared: dict[bytes, PreparedBot] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill whatever still runs and remove every folder; prepared bots are gone too.

        A start that was just beginning is waited for, since until then nobody knows what it would leave.
        """
        with self._begun:
            self._closed = True
            self._begun.wait_for(lambda: not self._beginning, BEGIN_LIMIT_S)
            if self._claim >= 0:
                os.close(self._claim)
                self._claim = -1
        self.keepers.guard.close()
        self.keepers.watchdog.close()
        self.keepers.drainer.close()
        self.deadlines.close()

    def scratch(self) -> Path:
        """A new folder of nobody else's, which goes with the launcher."""
        return Path(tempfile.mkdtemp(dir=self._folder))

    def prepare(self, bot: BotFolder) -> PreparedBot:
        """Copy and build a bot, once for each digest.

        Raises `PackageError` when the folder has changed since it was read, `BuildError`, `UnkeptError` for a bot that
        somebody submitted when there is no sandbox, and OSError of the arena's.
        """
        if bot.owner and self.sandbox == "none":
            raise UnkeptError(f"{bot.label} was submitted by {bot.owner}, so it runs in the sandbox only")
        if bot.digest not in self._prepared:
            folder = self._folder / "prepared" / bot.digest.hex()
            copy_bot(bot.path, bot.manifest, folder)
            if folder_digest(folder, bot.manifest) != bot.digest:
                remove_folder(str(folder))
                raise PackageError(f"{bot.path} was changed while it was read; try again")
            prepared = PreparedBot(bot.manifest, bot.digest, folder)
            if bot.manifest.build:
                try:
                    self._build(prepared)
                except BaseException:
                    remove_folder(str(folder))  # it may have filled the disk
                    raise
            _open_up(folder)
            self._prepared[bot.digest] = prepared
        return self._prepared[bot.digest]

    def start(self, bot: PreparedBot, output: OutputRing, cancelled: threading.Event) -> BotProcess:
        """Start a process that prints into `output`, and wait until it listens, up to the start-up limit.

        Raises `StartError` when it does not or `cancelled` is set meanwhile; OSError when the arena itself is at fault.
        """
        begin = self._begin_in_sandbox if self.sandbox != "none" else self._begin
        with self._open():
            process = begin(bot, output)
        try:
            _await(process, self.limits.start_ms / 1000, cancelled)
        except BaseException:
            process.end()
            raise
        return process

    @contextmanager
    def _open(self) -> Iterator[None]:
        """Hold the launcher open while a process begins, until its guard knows it."""
        with self._begun:
            if self._closed:
                raise StartError("was not started, since the arena ends")
            self._beginning += 1
        try:
            yield
        finally:
            with self._begun:
                self._beginning -= 1
                self._begun.notify_all()

    def _begin_in_sandbox(self, bot: PreparedBot, output: OutputRing) -> BotProcess:
        environment = _sandbox_environment() | {ADDRESS_VARIABLE: f"unix:{SOCKET}"}
        _check_program(bot.manifest.command, bot.folder, environment["PATH"])
        group = self._sandboxed(bot.manifest.command, bot.folder, environment, output, bot.manifest.limits)
        return BotProcess(group, UnixAddress(Path(group.root + SOCKET)), None)

    def _begin(self, bot: PreparedBot, output: OutputRing) -> BotProcess:
        run_folder = self._run_folder()
        try:
            work_folder = run_folder / "bot"
            shutil.copytree(bot.folder, work_folder, symlinks=True)
            address = new_address(run_folder)
            environment = _environment(run_folder) | {ADDRESS_VARIABLE: address.target}
            _check_program(bot.manifest.command, work_folder, environment["PATH"])
            group = ProcessGroup(
                bot.manifest.command, run_folder=run_folder, work_folder=work_folder, environment=environment,
                ring=output, limits=bot.manifest.limits, keepers=self.keepers, traffic=Traffic(reached_at(address)),
            )  # fmt: skip
            return BotProcess(group, address, run_folder)
        except BaseException:
            remove_folder(str(run_folder))
            raise

    def _build(self, bot: PreparedBot) -> None:
        manifest = bot.manifest
        run_folder = self._run_folder()
        group: ProcessGroup
        try:
            if self.sandbox == "none":
                environment = _environment(run_folder)
                _check_program(manifest.build, bot.folder, environment["PATH"], manifest.name)
                group = ProcessGroup(
                    manifest.build, run_folder=run_folder, work_folder=bot.folder, environment=environment,
                    ring=OutputRing(), limits=BUILD_LIMITS, keepers=self.keepers, traffic=Traffic(),
                )  # fmt: skip
            else:
                environment = _sandbox_environment()
                _check_program(manifest.build, bot.folder, environment["PATH"], manifest.name)
                uid = new_uid()
                _give(bot.folder, uid)
                group = self._sandboxed(manifest.build, bot.folder, environment, OutputRing(), BUILD_LIMITS, uid)
            await_build(group, manifest.name, (bot.folder, run_folder))
        finally:
            if self.sandbox != "none":
                _give(bot.folder, os.geteuid())
            remove_folder(str(run_folder))

    def _run_folder(self) -> Path:
        folder = self._folder / str(next(self._numbers))
        for name in ("home", "tmp"):
            (folder / name).mkdir(parents=True)
        return folder

    def _sandboxed(
        self,
        command: tuple[str, ...],
        folder: Path,
        environment: dict[str, str],
        output: OutputRing,
        limits: BotLimits,
        uid: int | None = None,
    ) -> SandboxedGroup:
        """Start `command` in a sandbox; with an `uid` its folder is writable."""
        memory_group = None
        if self.sandbox == "full":
            if self._control is None or self._control_folder is None:
                raise OSError("this process may not make control groups, so there is no full sandbox here")
            memory_group = self._control.new(self._control_folder / str(next(self._numbers)), limits.memory_mb)
        return SandboxedGroup(
            command, folder=folder, environment=environment, ring=output, limits=limits, keepers=self.keepers,
            traffic=Traffic(), memory_group=memory_group, uid=uid, writable=uid is not None,
        )  # fmt: skip


def _environment(run_folder: Path) -> dict[str, str]:
    """All that a bot gets to see of the environment; `python` is the interpreter that has `arena.sdk`."""
    return {
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath))),
        "HOME": str(run_folder / "home"),
        "TMPDIR": str(run_folder / "tmp"),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _sandbox_environment() -> dict[str, str]:
    """All that a bot in a sandbox gets to see of the environment."""
    return {
        "PATH": search_path(),
        "HOME": TMP,
        "TMPDIR": TMP,
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _check_program(command: tuple[str, ...], work_folder: Path, path: str, built: str = "") -> None:
    """Tell a wrong path and a missing run bit by name, before a shell says it less clearly.

    Raises StartError, or BuildError when it is the bot `built` whose build it is.
    """
    program = command[0]
    place = str(work_folder / program) if os.sep in program else program
    if shutil.which(place, path=path) is not None:
        return
    if Path(place).is_file():
        why, more = f"{program} may not be run; give it the run bit (chmod +x)", ""
    else:
        why = f"the program {program} of its {'build' if built else 'command'} was not found"
        more = "" if os.sep in program else f": it was looked for in {', '.join(path.split(os.pathsep))}"
    raise BuildError(f"{built}: {why}", more) if built else StartError(why, more)


def _await(process: BotProcess, limit_s: float, cancelled: threading.Event) -> None:
    until = time.monotonic() + limit_s
    while not process.address.listens():
        if process.gone(LOOK_EVERY_S):
            process.output.ended.wait(0.2)
            raise StartError(f"{process.how_it_ended()} before it listened", process.output.last_words())
        if cancelled.is_set():
            raise StartError("was ended while it started")
        if time.monotonic() > until:
            raise StartError(f"did not listen within {limit_s:g} s", process.output.last_words())


def _everything(folder: Path) -> Iterator[Path]:
    """A folder and all in it."""
    yield folder
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            yield Path(place, name)


def _give(folder: Path, uid: int) -> None:
    """Make a folder and all in it somebody's own, as root; links are not followed."""
    if os.geteuid() == 0:
        for path in _everything(folder):
            os.chown(path, uid, uid, follow_symlinks=False)


def _open_up(folder: Path) -> None:
    """Let every user read a prepared bot, whatever our umask is: its processes are users of their own."""
    for path in _everything(folder):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod((mode | 0o444 | (0o111 if mode & 0o100 else 0)) & 0o755)
