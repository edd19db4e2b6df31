"""A launcher with short limits, and bots that are tiny programs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.bots.folders import open_folder
from arena.bots.launcher import BotProcess, Launcher, PreparedBot
from arena.bots.ring import OutputRing
from arena.match.limits import ProcessLimits
from tests.bots.making import make_bot

LISTEN = "import os,socket; s=socket.socket(socket.AF_UNIX); s.bind(os.environ['ARENA_BOT_ADDRESS'][5:]); s.listen(); "
LISTENER = ["python", "-I", "-S", "-c", LISTEN + "import time; time.sleep(600)"]
"""The command of the smallest bot that starts: it listens and sleeps."""

Prepare = Callable[..., PreparedBot]
Start = Callable[[PreparedBot], BotProcess]


@pytest.fixture
def launcher() -> Iterator[Launcher]:
    with Launcher(ProcessLimits(start_ms=5_000, shutdown_ms=500)) as launcher:
        yield launcher


@pytest.fixture
def prepare(launcher: Launcher, tmp_path: Path) -> Prepare:
    """Prepare a bot that is only a command."""

    def make(command: list[str], name: str = "bot", **more: Any) -> PreparedBot:
        return launcher.prepare(open_folder(make_bot(tmp_path / name, command, **more)))

    return make


@pytest.fixture
def start(launcher: Launcher) -> Start:
    return lambda bot: launcher.start(bot, OutputRing(), threading.Event())


def alive(pid: int) -> bool:
    """Whether a process still does anything; one that waits to be reaped does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def resources() -> tuple[int, int, int]:
    """Descriptors, threads and child processes of this process."""
    return psutil.Process().num_fds(), threading.active_count(), len(psutil.Process().children(recursive=True))
