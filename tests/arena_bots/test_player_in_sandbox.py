"""A player whose bot is kept in a sandbox: called by the limit that it exceeds in a call, it plays on anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.match.faults import FaultKind
from arena.match.limits import ProcessLimits
from arena.match.player import CallResult
from tests.arena_bots.sandboxes import LEVELS, level
from tests.arena_bots.test_player import question
from tests.bots.making import make_scripted


@pytest.fixture(params=LEVELS)
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
