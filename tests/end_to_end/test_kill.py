"""kill -9 of the arena at random moments, then resume: every block once, an unbroken run's totals, nothing left."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.arena import SECRET, Arena, family, survivors
from tests.fleet.running import SAMPLES

OPTIONS = ("--deal-cap", "6", "--seed", SECRET, "--quiet")


@pytest.fixture
def bots(tmp_path: Path) -> list[str]:
    names = ("greedy", "planner", "random")
    for name in names:
        shutil.copytree(SAMPLES / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return list(names)


def kill_after(process: subprocess.Popen[str], seconds: float) -> bool:
    """Kill the arena with -9 after so long; False when it was through before. Nothing of it is left within 5 s."""
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        below = family(process)
        process.kill()
        process.communicate()
        assert survivors(below, 5) == []
        return True
    return False


def totals(arena: Arena) -> list[dict[str, Any]]:
    """The ranking without what counts runs."""
    return [{key: row[key] for key in row if key not in ("tournament", "voids")} for row in arena.json("rankings")]


def played_through_kills(arena: Arena, bots: list[str], blocks: int, kills: int, rng: random.Random) -> int:
    """Play one tournament, killed so often at random moments; returns how many kills hit."""
    hits = 0
    command = ["tournament", "run", *bots, "--seats", str(len(bots)), "--deals", str(blocks), *OPTIONS]
    while hits < kills:
        if not kill_after(arena.start(*command), rng.uniform(0.2, 2.5)):
            break
        hits += 1
        if arena.has_opened():
            command = ["tournament", "resume", "--quiet"]
    arena.ok(*command)
    return hits


def check(tmp_path: Path, bots: list[str], blocks: int, kills: int, seed: int) -> int:
    whole, broken = Arena(tmp_path, "whole.db"), Arena(tmp_path, "broken.db")
    whole.ok("tournament", "run", *bots, "--seats", str(len(bots)), "--deals", str(blocks), *OPTIONS)
    hits = played_through_kills(broken, bots, blocks, kills, random.Random(seed))
    (tournament,) = broken.json("tournament", "list")
    exported = broken.export()
    assert len({(match["block_id"], match["rotation"]) for match in exported}) == len(exported) == len(bots) * blocks
    assert exported == whole.export()
    assert totals(broken) == totals(whole)
    broken.ok("verify", tournament["id"])
    return hits


@pytest.mark.slow
def test_a_killed_tournament_is_resumed_as_if_nothing_had_happened(tmp_path: Path, bots: list[str]) -> None:
    assert check(tmp_path, bots[:2], blocks=8, kills=1, seed=5) == 1


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_thirty_kills_lose_nothing_and_count_nothing_twice(tmp_path: Path, bots: list[str]) -> None:
    hits, seed = 0, 0
    while hits < 30:
        folder = tmp_path / str(seed)
        folder.mkdir()
        for name in bots:
            shutil.copytree(tmp_path / name, folder / name)
        hits += check(folder, bots, blocks=24, kills=30 - hits, seed=seed)
        seed += 1
