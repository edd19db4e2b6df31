"""Nothing of a bot outlives its arena, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest

from arena.bots.address import UnixAddress
from arena.bots.guard import remove_folder
from arena.bots.launcher import Launcher
from arena.bots.processes import GATE
from tests.arena_bots.conftest import LISTENER, Prepare, Start, alive
from tests.bots.making import make_bot

STUBBORN = """
import os, signal, socket, time
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:  # a child in its group, and a daemon outside of it
    if os.fork() == 0:
        os.setsid()
    time.sleep(600)
server = socket.socket(socket.AF_UNIX)
server.bind(os.environ["ARENA_BOT_ADDRESS"][5:])
time.sleep(600)
"""
ARENA = """
import sys, threading
from pathlib import Path
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.ring import OutputRing
from arena.match.limits import ProcessLimits

launcher = Launcher(ProcessLimits())
bot = launcher.prepare(open_folder(Path(sys.argv[1])))
print(bot.folder.parent.parent, flush=True)
for _ in range(int(sys.argv[2])):
    launcher.start(bot, OutputRing(), threading.Event())
print("ready", flush=True)
sys.stdin.read()
"""


def gone(folder: str) -> bool:
    """Whether nothing works below `folder` any more and it is removed."""
    return not of(folder) and not Path(folder).exists()


def of(folder: str) -> list[int]:
    """The living processes that work below `folder`."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and process.cwd().startswith(folder):
                found.append(process.pid)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


def until(happened: Callable[[], bool], limit_s: float) -> bool:
    end = time.monotonic() + limit_s
    while not happened():
        if time.monotonic() > end:
            return False
    return True


def arena(bot: Path, count: int) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-c", ARENA, str(bot), str(count)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_killed_arena_leaves_no_bot_alive(tmp_path: Path, number: signal.Signals) -> None:
    bot = make_bot(tmp_path / "bot", ["python", "-I", "-S", "-c", STUBBORN])
    process, folder = arena(bot, 2)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert until(lambda: len(of(folder)) == 6, 5.0)
    process.send_signal(number)
    process.communicate()
    assert until(lambda: not of(folder), 1.0)
    assert until(lambda: not Path(folder).exists(), 1.0)


def test_an_arena_killed_while_it_launches_leaves_no_bot_alive(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot", ["python", "-I", "-S", "-c", STUBBORN])
    for delay_ms in (0, 3, 6, 10, 15, 22, 30, 40):
        process, folder = arena(bot, 50)
        with suppress(subprocess.TimeoutExpired):
            process.wait(delay_ms / 1000)
        process.kill()
        process.communicate()
        assert until(partial(gone, folder), 1.0)


def test_a_program_that_waits_at_the_gate_goes_when_the_arena_does(tmp_path: Path) -> None:
    read, write = os.pipe()
    started = tmp_path / "started"
    gate = subprocess.Popen([*GATE, "touch", str(started)], stdin=read)
    os.close(read)
    os.close(write)
    assert gate.wait(5) != 0
    assert not started.exists()


def test_a_daemon_is_gone_when_its_bot_was_ended(prepare: Prepare, start: Start) -> None:
    process = start(prepare(["python", "-I", "-S", "-c", STUBBORN]))
    assert isinstance(process.address, UnixAddress)
    folder = str(process.address.path.parent)
    assert until(lambda: len(of(folder)) == 3, 5.0)
    process.end(grace_s=0.05)
    assert of(folder) == []


def test_a_guard_that_was_killed_is_replaced_and_knows_what_runs(
    launcher: Launcher, prepare: Prepare, start: Start
) -> None:
    bot = prepare(LISTENER)
    first = start(bot)
    guards = [child for child in psutil.Process().children() if "guard.py" in " ".join(child.cmdline())]
    guards[0].kill()
    until(lambda: not alive(guards[0].pid), 1.0)
    second = start(bot)
    launcher.close()
    assert first.gone(1.0)
    assert second.gone(1.0)


def test_a_folder_that_a_bot_locked_is_removed_all_the_same(tmp_path: Path) -> None:
    inner = tmp_path / "run" / "locked"
    (inner / "deep").mkdir(parents=True)
    (inner / "deep" / "file").touch()
    (tmp_path / "run" / "link").symlink_to("/")
    (inner / "deep").chmod(0)
    inner.chmod(0)
    remove_folder(str(tmp_path / "run"))
    assert not (tmp_path / "run").exists()
