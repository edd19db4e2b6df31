"""Hostile bots in sandboxes of every level that can be had here, also in those of an ordinary user's arena."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.bots.errors import StartError
from arena.bots.folders import open_folder
from arena.bots.launcher import BotProcess, Launcher
from arena.bots.ring import OutputRing
from arena.bots.sandbox import Level
from arena.match.limits import ProcessLimits
from tests.bots import keeping
from tests.bots.making import make_hostile
from tests.needs import needs

LEVELS = [
    pytest.param("watchdog", marks=needs("sandbox"), id="watchdog"),
    pytest.param("full", marks=needs("sandbox", "control groups"), id="full"),
]
USER = "user"
"""A sandbox of level `watchdog` of an ordinary user's arena."""

LEVELS_AND_USER = [*LEVELS, pytest.param(USER, marks=needs("sandbox", "root", "system python"), id="user")]

UID = 54_321


@dataclass
class Fate:
    """What became of a hostile bot."""

    lines: list[str]
    exceeded: str | None
    ended: str

    @property
    def said(self) -> Any:
        """The JSON that it printed."""
        assert self.lines, self.ended
        return json.loads(self.lines[-1])


def suffer(folder: Path, kept: str, *words: str, seconds: float = 0.0, **limits: int) -> Fate:
    """Start the hostile bot of `words` and watch it until it ends, for at most `seconds`, or 0 for until it speaks.

    All of it is ended then.
    """
    bot = make_hostile(folder, *words, **limits)
    if kept == USER:
        return elsewhere(bot, kept, seconds)
    ring = OutputRing()
    with running(bot, level(kept), ring) as process:
        if isinstance(process, str):
            return Fate(lines(ring), None, process)
        gone = process.gone(seconds)
        while not (gone or seconds or ring.lines()):  # it has said it, and we hear it soon
            gone = process.gone(0.01)
        exceeded = process.exceeded()
        return Fate(lines(ring), exceeded and exceeded.limit, process.how_it_ended() if gone else "")


def level(name: str) -> Level:
    """A level by its name, for the type checker."""
    assert name in ("none", "watchdog", "full")
    return name  # type: ignore[return-value]


def lines(ring: OutputRing) -> list[str]:
    return [line.text for line in ring.lines()]


def heard(process: BotProcess | str, ring: OutputRing) -> str:
    """The first line that a process said, which it has done already: it is only drained a moment later."""
    assert isinstance(process, BotProcess), process
    while not ring.lines():
        assert not process.gone(0.01)
    return ring.lines()[0].text


@contextmanager
def running(bot: Path, kept: Level, ring: OutputRing) -> Iterator[BotProcess | str]:
    """A process of the bot in `bot`, or why it did not start; it is ended afterwards."""
    with Launcher(ProcessLimits(start_ms=5000), kept) as launcher:
        try:
            process = launcher.start(launcher.prepare(open_folder(bot)), ring, threading.Event())
        except StartError as error:
            yield str(error)
            return
        yield process
        process.end()


def command_as_user(*arguments: str) -> list[str]:
    """A command line that runs `keeping.py` as an ordinary user, with an interpreter that such a user can read."""
    person = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", "env", "PATH=/usr/bin:/bin"]
    return [*person, f"PYTHONPATH={_open_copy()}", "/usr/bin/python3", "-B", f"{_open_copy()}/keeping.py", *arguments]


def command(*arguments: str) -> list[str]:
    """A command line that runs `keeping.py`."""
    return [sys.executable, "-B", keeping.__file__, *arguments]


def survivors(token: str, limit_s: float) -> list[int]:
    """The processes with `token` in their command line that still run after `limit_s`; returns when there is none."""
    until = time.monotonic() + limit_s
    while (found := _with_token(token)) and time.monotonic() < until:
        pass
    return found


def _with_token(token: str) -> list[int]:
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208  many times a second
        with suppress(OSError):
            if name.isdigit() and token.encode() in Path(f"/proc/{name}/cmdline").read_bytes():
                found.append(int(name))
    return found


def elsewhere(
    bot: Path, kept: str, seconds: float, inherited: tuple[int, ...] = (), environment: Mapping[str, str] = os.environ
) -> Fate:
    """As `suffer`, in an arena that is a process of its own, with descriptors and an environment."""
    words = ["watchdog", str(public(bot))] if kept == USER else [kept, str(bot)]
    run = subprocess.run(
        (command_as_user if kept == USER else command)(*words, str(seconds)),
        env=environment, pass_fds=inherited, capture_output=True, text=True, timeout=60, check=False, cwd="/",
    )  # fmt: skip
    assert run.stdout, run.stderr
    return Fate(**json.loads(run.stdout.splitlines()[-1]))


def public(bot: Path) -> Path:
    """A copy of a bot's folder that every user can read."""
    folder = Path(tempfile.mkdtemp(dir=_open_copy())) / "bot"
    shutil.copytree(bot, folder)
    folder.parent.chmod(0o755)
    return folder


_copies: list[tempfile.TemporaryDirectory[str]] = []


def _open_copy() -> Path:
    """A folder that every user can read, with the arena's own modules and `keeping.py`; made once."""
    if not _copies:
        _copies.append(tempfile.TemporaryDirectory(prefix="open-"))
        folder = Path(_copies[0].name)
        folder.chmod(0o755)
        ignored = shutil.ignore_patterns("__pycache__", "sample_bots")
        shutil.copytree(Path(arena.__file__).parent, folder / "arena", ignore=ignored)
        shutil.copy(keeping.__file__, folder)
    return Path(_copies[0].name)
