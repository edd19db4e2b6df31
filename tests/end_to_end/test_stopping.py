"""A tournament that is asked to stop stops soon, can be resumed, and leaves nothing running; a reader that leaves early
is no error."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from arena.cli.errors import FAILED
from tests.bots.making import make_scripted
from tests.cli.conftest import CUP
from tests.cli.stored import store_tournament
from tests.end_to_end.arena import Arena, family, survivors

SOON_S = 5.0
"""A stop takes no longer than this, also with bots that do not want to end."""


def until_it_plays(process: subprocess.Popen[str], bots: int) -> list[psutil.Process]:
    """Wait until so many bot processes run below the command; the whole family then."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        running = family(process)
        if sum("scripted.py" in " ".join(line) for line in map(command_line, running)) >= bots:
            return running
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    raise AssertionError("no bot was started")


def command_line(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


@pytest.fixture(autouse=True)
def heeded_hangups() -> Iterator[None]:
    """Tests that were started by `nohup` would hand on that hang-ups are ignored."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """A folder with two bots: `calm`, and `stubborn`, which ignores every polite signal and takes its time."""
    make_scripted(tmp_path / "calm", "slow:5")
    make_scripted(tmp_path / "stubborn", "slow:5", "ignore-term")
    (tmp_path / "tmp").mkdir()
    return Arena(tmp_path, environment={"TMPDIR": tempfile.mkdtemp(dir=tmp_path / "tmp")})


def start(arena: Arena) -> subprocess.Popen[str]:
    limits = ["--seats", "2", "--deals", "300", "--workers", "2", "--quiet"]
    return arena.start("tournament", "run", "./calm", "./stubborn", *limits)


def check_stopped(arena: Arena, process: subprocess.Popen[str], running: list[psutil.Process]) -> str:
    """Make sure that the command ended as it ought to; returns the id of the tournament."""
    began = time.monotonic()
    output, errors = process.communicate(timeout=20)
    assert time.monotonic() - began < SOON_S
    assert survivors(running, 1.0) == []
    assert list(Path(arena.environment["TMPDIR"]).iterdir()) == []
    assert (process.returncode, output, errors.count("\n")) == (FAILED, "", 1), errors
    (latest,) = arena.json("tournament", "list")
    assert f"`arena tournament resume {latest['id']}`" in errors
    assert latest["finished"] is None
    assert sorted(path.name for path in arena.folder.glob("arena*")) == ["arena.db"]
    return str(latest["id"])


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_stops_a_tournament_soon_and_nothing_of_it_runs_afterwards(name: str, arena: Arena) -> None:
    process = start(arena)
    running = until_it_plays(process, 2)
    process.send_signal(getattr(signal, name))
    check_stopped(arena, process, running)


@pytest.mark.slow
def test_an_impatient_user_who_presses_ctrl_c_again_and_again_gets_the_same(arena: Arena) -> None:
    process = start(arena)
    running = until_it_plays(process, 2)
    for _ in range(10):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    check_stopped(arena, process, running)


@pytest.mark.slow
def test_a_stopped_tournament_is_played_to_its_end_when_it_is_resumed(arena: Arena) -> None:
    make_scripted(arena.folder / "other", "slow:5")
    options = ["--seats", "2", "--deals", "8", "--deal-cap", "1", "--workers", "1", "--tables", "8", "--quiet"]
    process = arena.start("tournament", "run", "./calm", "./other", *options)
    running = until_it_plays(process, 2)
    process.terminate()
    name = check_stopped(arena, process, running)
    arena.ok("tournament", "resume", name, "--quiet")
    (latest,) = arena.json("tournament", "list")
    assert latest["finished"] is not None
    assert latest["blocks"]["done"] == 8
    arena.ok("verify", name)


@pytest.mark.slow
def test_a_hangup_does_not_stop_what_was_started_to_outlive_it(arena: Arena) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # what `nohup` does, and children inherit
    try:
        process = start(arena)
    finally:
        signal.signal(signal.SIGHUP, before)
    running = until_it_plays(process, 2)
    process.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    process.terminate()
    check_stopped(arena, process, running)


@pytest.mark.parametrize(
    "line", ["matches --limit 1000", "rankings", "tournament list --json", "export Cup --out -", "verify Cup"]
)
def test_a_reader_that_leaves_early_hears_and_causes_no_complaint(line: str, tmp_path: Path) -> None:
    store_tournament(tmp_path / "arena.db", CUP)
    readable, writable = os.pipe()
    os.close(readable)  # the reader has left before the first word
    arena = Arena(tmp_path)
    process = arena.start(*line.split(), output=writable)
    os.close(writable)
    _, errors = process.communicate(timeout=20)
    assert errors in ("", "exported 12 matches\n")
