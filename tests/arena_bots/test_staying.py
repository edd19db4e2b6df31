"""Nothing of a bot in a sandbox stays: not when it is ended, not when its arena is killed, not while it starts."""

from __future__ import annotations

import itertools
import os
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from arena.bots.control_groups import control_groups
from arena.bots.errors import StartError
from arena.bots.folders import open_folder
from arena.bots.guard import child_pidfd, kill_pidfd
from arena.bots.launcher import BotProcess, Launcher
from arena.bots.ring import OutputRing
from arena.match.limits import ProcessLimits
from tests.arena_bots.conftest import LISTEN, resources
from tests.arena_bots.sandboxes import (
    LEVELS,
    LEVELS_AND_USER,
    USER,
    command,
    command_as_user,
    level,
    public,
    running,
    survivors,
)
from tests.bots.making import make_bot, make_hostile
from tests.needs import needs

_numbers = itertools.count()


@pytest.fixture
def token() -> str:
    """A word by which the processes of a test are known; bubblewrap's own have it in their command line too."""
    return f"token-{os.getpid()}-{next(_numbers)}-"


def arena(bot: Path, kept: str, count: int) -> subprocess.Popen[str]:
    words = ["watchdog", str(public(bot))] if kept == USER else [kept, str(bot)]
    line = (command_as_user if kept == USER else command)(*words, "60", str(count))
    return subprocess.Popen(line, stdout=subprocess.PIPE, text=True, cwd="/")


@pytest.mark.parametrize("kept", LEVELS)
def test_a_bot_that_ignores_all_and_has_daemons_is_gone_when_it_was_ended(
    tmp_path: Path, kept: str, token: str
) -> None:
    bot = make_hostile(tmp_path / "bot", "later", "stubborn", token)
    with running(bot, level(kept), OutputRing()) as process:
        assert isinstance(process, BotProcess)
        while len(survivors(token, 0.0)) < 5:  # bubblewrap twice, the bot, its child and its daemon
            assert not process.gone()
        began = time.monotonic()
        process.end(grace_s=0.05)
        assert survivors(token, 0.0) == []
        assert time.monotonic() - began < 1.0


@pytest.mark.parametrize("kept", LEVELS)
def test_a_daemon_does_not_outlive_the_bot_that_left_it(tmp_path: Path, kept: str, token: str) -> None:
    with running(make_hostile(tmp_path / "bot", "later", "orphan", token), level(kept), OutputRing()) as process:
        assert isinstance(process, BotProcess)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(process.address.target.removeprefix("unix:"))
        assert process.gone(10.0)
        assert survivors(token, 1.0) == []


@pytest.mark.parametrize("kept", LEVELS_AND_USER)
def test_a_killed_arena_leaves_none(tmp_path: Path, kept: str, token: str) -> None:
    ends_with_its_arena(tmp_path, kept, signal.SIGKILL, token)


@needs("sandbox")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_an_arena_that_was_told_to_end_leaves_none(tmp_path: Path, number: signal.Signals, token: str) -> None:
    ends_with_its_arena(tmp_path, "watchdog", number, token)


def ends_with_its_arena(tmp_path: Path, kept: str, number: signal.Signals, token: str) -> None:
    process = arena(make_hostile(tmp_path / "bot", "later", "stubborn", token), kept, 2)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert survivors(token, 0.0)
    process.send_signal(number)
    process.communicate()
    assert survivors(token, 2.0) == []


@pytest.mark.slow
@pytest.mark.parametrize("kept", LEVELS_AND_USER)
def test_an_arena_killed_while_it_launches_leaves_none(tmp_path: Path, kept: str, token: str) -> None:
    bot = make_hostile(tmp_path / "bot", "later", "stubborn", token)
    for delay_ms in range(0, 300, 12):
        process = arena(bot, kept, 50)
        with suppress(subprocess.TimeoutExpired):
            process.wait(delay_ms / 1000)
        process.kill()
        process.communicate()
        assert survivors(token, 5.0) == []  # what is promised, also on a busy machine


@pytest.mark.parametrize("kept", LEVELS)
def test_many_starts_leave_nothing(tmp_path: Path, kept: str) -> None:
    with Launcher(ProcessLimits(start_ms=5000), level(kept)) as launcher:
        good = launcher.prepare(open_folder(make_hostile(tmp_path / "good", "see")))
        bad = launcher.prepare(open_folder(make_hostile(tmp_path / "bad", "files-and-die")))
        launcher.start(good, OutputRing(), threading.Event()).end()
        before = resources()
        for _ in range(10):
            launcher.start(good, OutputRing(), threading.Event()).end()
            with pytest.raises(StartError, match="exceeded its limit of files"):
                launcher.start(bad, OutputRing(), threading.Event())
        assert resources() == before
    groups = control_groups()
    if groups is not None:
        assert not (groups.parent / good.folder.parent.parent.name).exists()


@pytest.mark.parametrize("kept", LEVELS)
def test_a_bot_is_asked_to_end_before_it_is_killed(tmp_path: Path, kept: str) -> None:
    polite = "import signal, sys; signal.signal(15, lambda *_: sys.exit(7)); "
    bot = make_bot(tmp_path / "bot", ["python3", "-I", "-S", "-c", polite + LISTEN + "s.accept()"])
    with running(bot, level(kept), OutputRing()) as process:
        assert isinstance(process, BotProcess)
        process.end(grace_s=10.0)
        assert process.how_it_ended() == "exited with status 7"


def test_a_number_that_was_given_anew_is_not_killed() -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        assert child_pidfd(process.pid, os.getpid() + 1) == -1
        found = child_pidfd(process.pid, os.getpid())
        kill_pidfd(found)
        assert process.wait(5.0) == -signal.SIGKILL
        os.close(found)
    assert child_pidfd(process.pid, os.getpid()) == -1
