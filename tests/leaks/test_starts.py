"""After two thousand starts of a tiny program the arena holds what it held before, also when the program fails."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.bots.errors import StartError
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher, PreparedBot
from arena.bots.ring import OutputRing
from arena.match.limits import ProcessLimits
from tests.arena_bots.sandboxes import LEVELS, level
from tests.bots.making import make_bot
from tests.leaks.measuring import assert_flat, held

LISTEN = (
    "use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) "
    'and bind(S, pack_sockaddr_un("" . substr($ENV{ARENA_BOT_ADDRESS}, 5))) '
    "and listen(S, 1) and sleep 600"
)
STARTS = 2000
ABREAST = 4
FAILING = 20
"""Of so many starts one fails."""


def start_and_end(launcher: Launcher, good: PreparedBot, bad: PreparedBot, number: int) -> None:
    never = threading.Event()
    if number % FAILING == 0:
        with pytest.raises(StartError, match="exited with status 1"):
            launcher.start(bad, OutputRing(), never)
    else:
        launcher.start(good, OutputRing(), never).end()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kept", ["none", *LEVELS])
def test_two_thousand_starts_leave_nothing(tmp_path: Path, kept: str) -> None:
    with Launcher(ProcessLimits(start_ms=30_000), level(kept)) as launcher:
        good = launcher.prepare(open_folder(make_bot(tmp_path / "good", ["perl", "-e", LISTEN])))
        bad = launcher.prepare(open_folder(make_bot(tmp_path / "bad", ["sh", "-c", "exit 1"])))
        place = good.folder.parent.parent
        with ThreadPoolExecutor(ABREAST) as pool:

            def start(times: int) -> None:
                list(pool.map(lambda number: start_and_end(launcher, good, bad, number), range(times)))

            start(100)
            before = held(place)
            start(STARTS)
            assert_flat(before, place, threads=0, memory_mb=8)
