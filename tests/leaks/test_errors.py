"""After three hundred errors of all kinds the arena holds what it held before."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from threading import Semaphore

import pytest

from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.match.faults import FaultKind
from arena.match.limits import ProcessLimits
from arena.match.player import CallResult
from tests.arena_bots.test_player import question
from tests.bots.making import make_bot
from tests.fuzz import babble
from tests.leaks.measuring import assert_flat, held

WAYS = {
    "hang-up": FaultKind.REFUSED,
    "silence": FaultKind.TIMEOUT,
    "death": FaultKind.CRASHED,
    "bad-gzip": FaultKind.BAD_REPLY,
    "strange-status": FaultKind.REFUSED,
    "no-message": FaultKind.BAD_REPLY,
}
"""What a bot does in every call after its first, and what that is called."""

ERRORS = 300


@pytest.fixture
def errors() -> list[Exception]:
    """What the arena itself did wrong."""
    return []


@pytest.fixture
def launcher() -> Iterator[Launcher]:
    with Launcher(ProcessLimits(start_ms=5000, shutdown_ms=500)) as launcher:
        yield launcher


def ask(player: ProcessPlayer) -> CallResult:
    results: SimpleQueue[CallResult] = SimpleQueue()
    player.call((question(),), 0.05 if "silence" in player._bot.manifest.name else 5.0, results.put)
    return results.get(timeout=60)


def settle(players: list[ProcessPlayer]) -> None:
    """Wait until each has the process that it goes on with."""
    ready = Semaphore(0)
    for player in players:
        player.prepare(ready.release)
    for _ in players:
        assert ready.acquire(timeout=30)


@pytest.mark.slow
def test_three_hundred_errors_leave_nothing(tmp_path: Path, launcher: Launcher, errors: list[Exception]) -> None:
    with ExitStack() as stack:
        players = []
        for way in WAYS:
            bot = make_bot(tmp_path / way, ["python3", "-I", "-S", "babble.py", way, "1"])
            shutil.copy(babble.__file__, bot)
            prepared = launcher.prepare(open_folder(bot))
            players.append(ProcessPlayer(prepared, launcher, errors.append))
            stack.callback(players[-1].close)
        kinds = list(WAYS.values())

        def fail(times: int) -> None:
            for number in itertools.islice(itertools.cycle(range(len(players))), times):
                failure = ask(players[number]).failure
                assert failure is not None
                assert failure.kind is kinds[number], failure

        fail(10 * len(players))  # until pools of threads and caches are as large as they get
        settle(players)
        place = prepared.folder.parent.parent
        before = held(place)
        assert before.channels >= 1
        fail(ERRORS)
        settle(players)
        assert_flat(before, place, threads=8, memory_mb=8)
    assert errors == []
