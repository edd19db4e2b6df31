"""The launcher: prepares bots once, and starts and ends their processes, each in a run folder of its own.

A run folder holds the process's copy of the bot, its home, its temporary files and its socket, and goes with it.
Nothing of a process outlives its launcher: not after `close`, not after an exception, not after kill -9.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from arena.bots.address import Address, new_address
from arena.bots.errors import BuildError, PackageError, StartError
from arena.bots.folders import BotFolder
from arena.bots.guard import remove_folder
from arena.bots.manifest import Manifest
from arena.bots.package import copy_bot, folder_digest
from arena.bots.processes import Guard, ProcessGroup
from arena.bots.ring import Drainer, OutputRing
from arena.match.limits import ProcessLimits

ADDRESS_VARIABLE = "ARENA_BOT_ADDRESS"
BUILD_LIMIT_S = 600.0
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

    def __init__(self, group: ProcessGroup, address: Address, run_folder: Path) -> None:
        self._group = group
        self._run_folder = run_folder
        self.address = address

    @property
    def pid(self) -> int:
        """The number of the process, which is also that of its group."""
        return self._group.pid

    @property
    def output(self) -> OutputRing:
        """What it has printed."""
        return self._group.ring

    def gone(self, timeout_s: float = 0.0) -> bool:
        """Whether it has ended by itself, waiting for that up to `timeout_s`."""
        return self._group.gone(timeout_s)

    def how_it_ended(self) -> str:
        """Once it is gone: 'exited with status 3' or 'was killed by SIGKILL'."""
        return self._group.how_it_ended()

    def kill(self) -> None:
        """Kill it at once, from any thread; `end` is still needed."""
        self._group.kill()

    def end(self, grace_s: float = 0.0) -> None:
        """End it and remove its run folder; with a positive `grace_s` it is asked by SIGTERM first."""
        self._group.end(grace_s)
        remove_folder(str(self._run_folder))


class Launcher:
    """Starts the bots of one arena process. Make it in the process that uses it: a fork must not share it."""

    def __init__(self, limits: ProcessLimits) -> None:
        self.limits = limits
        self._folder = Path(tempfile.mkdtemp(prefix="arena-")).resolve()
        self._guard = Guard(self._folder)
        self._drainer = Drainer()
        self._numbers = itertools.count()
        self._prepared: dict[bytes, PreparedBot] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill whatever still runs and remove every folder; prepared bots are gone too."""
        self._guard.close()
        self._drainer.close()

    def prepare(self, bot: BotFolder) -> PreparedBot:
        """Copy and build a bot, once for each digest.

        Raises `PackageError` when the folder has changed since it was read, `BuildError`, and OSError of the arena's.
        """
        if bot.digest not in self._prepared:
            folder = self._folder / "prepared" / bot.digest.hex()
            copy_bot(bot.path, bot.manifest, folder)
            if folder_digest(folder, bot.manifest) != bot.digest:
                remove_folder(str(folder))
                raise PackageError(f"{bot.path} was changed while it was read; try again")
            prepared = PreparedBot(bot.manifest, bot.digest, folder)
            if bot.manifest.build:
                self._build(prepared)
            self._prepared[bot.digest] = prepared
        return self._prepared[bot.digest]

    def start(self, bot: PreparedBot, output: OutputRing, cancelled: threading.Event) -> BotProcess:
        """Start a process that prints into `output`, and wait until it listens, up to the start-up limit.

        Raises `StartError` when it does not or `cancelled` is set meanwhile; OSError when the arena itself is at fault.
        """
        run_folder = self._run_folder()
        group = None
        try:
            work_folder = run_folder / "bot"
            shutil.copytree(bot.folder, work_folder, symlinks=True)
            address = new_address(run_folder)
            environment = _environment(run_folder) | {ADDRESS_VARIABLE: address.target}
            _check_command(bot.manifest.command, work_folder, environment["PATH"])
            group = self._group(bot.manifest, bot.manifest.command, run_folder, work_folder, environment, output)
            _await(group, address, self.limits.start_ms / 1000, cancelled)
            return BotProcess(group, address, run_folder)
        except BaseException:
            if group is not None:
                group.end()
            remove_folder(str(run_folder))
            raise

    def _build(self, bot: PreparedBot) -> None:
        run_folder = self._run_folder()
        environment = _environment(run_folder)
        _check_command(bot.manifest.build, bot.folder, environment["PATH"], BuildError)
        group = self._group(bot.manifest, bot.manifest.build, run_folder, bot.folder, environment, OutputRing())
        try:
            if not group.gone(BUILD_LIMIT_S):
                raise BuildError(f"{bot.manifest.name}: the build took more than {BUILD_LIMIT_S:.0f} s")
            ending = group.how_it_ended()
            group.ring.ended.wait(0.2)
            if ending != "exited with status 0":
                raise BuildError(f"{bot.manifest.name}: the build {ending}{group.ring.last_words()}")
        finally:
            group.end()
            remove_folder(str(run_folder))

    def _run_folder(self) -> Path:
        folder = self._folder / str(next(self._numbers))
        for name in ("home", "tmp"):
            (folder / name).mkdir(parents=True)
        return folder

    def _group(
        self,
        manifest: Manifest,
        command: tuple[str, ...],
        run_folder: Path,
        work_folder: Path,
        environment: dict[str, str],
        output: OutputRing,
    ) -> ProcessGroup:
        return ProcessGroup(
            command, run_folder=run_folder, work_folder=work_folder, environment=environment, ring=output,
            memory_mb=manifest.limits.memory_mb, guard=self._guard, drainer=self._drainer,
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


def _check_command(
    command: tuple[str, ...], work_folder: Path, path: str, error: type[StartError | BuildError] = StartError
) -> None:
    """Tell a wrong path and a missing run bit by name, before a shell says it less clearly."""
    program = command[0]
    place = str(work_folder / program) if os.sep in program else program
    if shutil.which(place, path=path) is None:
        if Path(place).is_file():
            raise error(f"{program} may not be run; give it the run bit (chmod +x)")
        raise error(f"the program {program} of its command was not found")


def _await(group: ProcessGroup, address: Address, limit_s: float, cancelled: threading.Event) -> None:
    until = time.monotonic() + limit_s
    while not address.listens():
        if group.gone(LOOK_EVERY_S):
            group.ring.ended.wait(0.2)
            raise StartError(f"{group.how_it_ended()} before it listened{group.ring.last_words()}")
        if cancelled.is_set():
            raise StartError("was ended while it started")
        if time.monotonic() > until:
            raise StartError(f"did not listen within {limit_s:g} s{group.ring.last_words()}")
