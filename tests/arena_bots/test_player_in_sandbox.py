"""A player whose bot is held to limits: called by one that it exceeds, in a call or between two, it plays on anew."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.bots.waiting import own_thread_times
from arena.match.faults import FaultKind
from arena.match.limits import ProcessLimits
from arena.match.player import CallResult
from tests.arena_bots.sandboxes import LEVELS, level
from tests.arena_bots.test_player import question
from tests.bots.making import make_scripted


@pytest.fixture(params=["none", *LEVELS])
def launcher(request: pytest.FixtureRequest) -> Iterator[Launcher]:
    with Launcher(ProcessLimits(), level(request.param)) as launcher:
        yield launcher


def ask(player: ProcessPlayer, deadline_s: float) -> CallResult:
    results: SimpleQueue[CallResult] = SimpleQueue()
    player.call((question(),), deadline_s, results.put)
    return results.get(timeout=60)


@pytest.mark.parametrize(
    ("word", "deadline_s", "limit"),
    [("hog@2", 50.0, "memory"), pytest.param("spam@2", 4.0, "output", marks=pytest.mark.slow)],
)
def test_a_limit_that_is_exceeded_in_a_call_is_a_crash_of_that_name(
    launcher: Launcher, tmp_path: Path, word: str, deadline_s: float, limit: str
) -> None:
    errors: list[Exception] = []
    bot = make_scripted(tmp_path / "bot", word, limits={"memory_mb": 128})
    player = ProcessPlayer(launcher.prepare(open_folder(bot)), launcher, errors.append)
    assert ask(player, 50.0).failure is None
    failure = ask(player, deadline_s).failure
    assert failure is not None
    assert (failure.kind, failure.reason) == (FaultKind.CRASHED, limit)
    assert failure.detail.startswith(f"{limit}: ")
    assert ask(player, 50.0).failure is None
    player.close()
    assert errors == []


@pytest.mark.parametrize(("word", "limit"), [("hog-later@1", "memory"), ("spam-later@1", "output")])
def test_a_limit_that_is_exceeded_between_calls_is_a_crash_of_that_name_in_the_next(
    launcher: Launcher, tmp_path: Path, word: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.bots.processes.MOST_AT_ONCE", 8 << 20)
    errors: list[Exception] = []
    bot = make_scripted(tmp_path / "bot", word, limits={"memory_mb": 128})
    player = ProcessPlayer(launcher.prepare(open_folder(bot)), launcher, errors.append)
    assert ask(player, 50.0).failure is None
    process = player._process
    assert process is not None
    assert process.gone(50.0)
    failure = ask(player, 50.0).failure
    assert failure is not None
    assert (failure.kind, failure.reason) == (FaultKind.CRASHED, limit)
    assert re.fullmatch(rf"{limit}: \d+ MB of \d+.*, between two calls", failure.detail)
    assert ask(player, 50.0).failure is None
    player.close()
    assert errors == []


@pytest.mark.slow
def test_who_prints_without_end_and_answers_is_slowed_down_and_costs_little(launcher: Launcher, tmp_path: Path) -> None:
    errors: list[Exception] = []
    player = ProcessPlayer(
        launcher.prepare(open_folder(make_scripted(tmp_path / "bot", "chatter"))), launcher, errors.append
    )
    assert ask(player, 50.0).failure is None
    process = player._process
    assert process is not None
    while not process.output.flooding():
        assert not process.gone(0.01)
    thread, began = launcher.keepers.drainer._thread.native_id, time.monotonic()
    assert thread is not None
    before = own_thread_times(thread)
    while time.monotonic() - began < 5.0:
        assert ask(player, 0.5).failure is None
        process.gone(0.5)
    assert own_thread_times(thread).ran_ns - before.ran_ns < 5.0e9 * 0.05
    player.close()
    assert errors == []
