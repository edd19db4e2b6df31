"""Tournaments that are planned round by round, killed with -9 at random moments: as if nothing had happened."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.end_to_end.arena import SECRET, Arena
from tests.end_to_end.test_kill import kill_after, totals

SWISS = ("--format", "swiss", "--rounds", "4", "--seats", "2", "--deals", "2", "--deal-cap", "4", "--seed", SECRET)
BOTS = ("greedy", "planner", "random")
KILLS = 3


@pytest.mark.slow
def test_a_killed_swiss_is_resumed_with_the_rounds_of_an_unbroken_one(tmp_path: Path) -> None:
    whole, broken = Arena(tmp_path, "whole.db"), Arena(tmp_path, "broken.db")
    whole.ok("tournament", "run", *BOTS, *SWISS)
    chance, hits = random.Random(3), 0
    command = ["tournament", "run", *BOTS, *SWISS]
    while hits < KILLS and kill_after(broken.start(*command), chance.uniform(0.5, 2.5)):
        hits += 1
        if broken.has_opened():
            command = ["tournament", "resume", "--quiet"]
    broken.ok(*command)
    assert hits > 0
    assert broken.export() == whole.export()
    assert totals(broken) == totals(whole)
    (tournament,) = broken.json("tournament", "list")
    assert broken.json("tournament", "show")["rounds"] == 4
    assert "Everything holds" in broken.ok("verify", tournament["id"])
