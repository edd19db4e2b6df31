"""Tournaments that are planned round by round, killed with -9 at random moments: as if nothing had happened."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest

from tests.end_to_end.arena import SECRET, Arena
from tests.end_to_end.test_kill import kill_after, totals

QUICK = ("--deal-cap", "3", "--seed", SECRET)
RUNS = {
    "swiss": [
        "tournament",
        "run",
        "greedy",
        "planner",
        "random",
        "--format",
        "swiss",
        "--rounds",
        "3",
        "--seats",
        "2",
        "--deals",
        "4",
    ],
    "ab": ["ab", "planner", "greedy", "--nelo1", "60"],
}
KILLS = 2


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", RUNS)
def test_after_kills_rounds_and_results_are_those_of_an_unbroken_run(kind: str, tmp_path: Path) -> None:
    whole, broken = Arena(tmp_path, "whole.db"), Arena(tmp_path, "broken.db")
    start = [*RUNS[kind], *QUICK]
    whole.ok(*start)
    chance, hits, command = random.Random(3), 0, start
    while hits < KILLS and kill_after(broken.start(*command), chance.uniform(0.8, 2.5)):
        hits += 1
        if broken.has_opened():
            command = ["tournament", "resume", "--quiet"]
    broken.ok(*command)
    assert hits > 0
    assert broken.export() == whole.export()
    assert totals(broken) == totals(whole)
    (tournament,) = broken.json("tournament", "list")
    shown = [arena.json("tournament", "show") for arena in (broken, whole)]
    assert shown[0]["closing"] == shown[1]["closing"] != ""
    assert shown[0]["rounds"] == shown[1]["rounds"] > 1
    assert "Everything holds" in broken.ok("verify", tournament["id"])


@pytest.mark.slow
def test_an_ab_test_is_stopped_by_ctrl_c_resumed_where_it_was(tmp_path: Path) -> None:
    arena = Arena(tmp_path)
    process = arena.start("ab", "planner", "greedy", "--nelo1", "60", *QUICK)
    assert process.stderr is not None
    while "undecided between" not in process.stderr.readline():
        assert process.poll() is None, "it tells how it stands after each round"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "continue with `arena tournament resume" in errors
    assert "Accepted: H1 (A leads by +60 nElo)" in " ".join(arena.ok("tournament", "resume").split())
