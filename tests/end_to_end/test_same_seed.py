"""One seed gives one tournament, whatever the workers, tables, batches and hash seeds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.bots.making import make_bot
from tests.end_to_end.arena import SECRET, Arena
from tests.fleet.running import SAMPLES
from tests.needs import needs

BATCHED = """
import sys
from pathlib import Path
from arena.sdk import Declare, Play, serve, total

def choose(seen):
    if seen.may_declare and seen.total <= 7:
        return Declare()
    return Play(seen.rng().choice(seen.legal_discards()), None)

serve(choose, max_batch=int(Path(sys.argv[1]).read_text()))
"""


@pytest.fixture
def bots(tmp_path: Path) -> list[str]:
    """Three bots; what one of them takes in a call stands outside its folder, so that its digest stays.

    From a sandbox it could not be read.
    """
    batched = make_bot(tmp_path / "batched", ["python", "main.py", str(tmp_path / "batch")])
    (batched / "main.py").write_text(BATCHED)
    for name in ("greedy", "random"):
        shutil.copytree(SAMPLES / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return [str(tmp_path / name) for name in ("batched", "greedy", "random")]


def played(folder: Path, bots: list[str], batch: int, workers: int, tables: int, hash_seed: str) -> Arena:
    (folder / "batch").write_text(str(batch))
    arena = Arena(folder, f"{batch}-{workers}-{tables}.db", {"PYTHONHASHSEED": hash_seed})
    options = ["--seats", str(len(bots)), "--seed", SECRET, "--deals", "4", "--deal-cap", "3", "--quiet"]
    options += ["--sandbox", "off"]  # one of the bots reads what lies outside of its folder
    arena.ok("tournament", "run", *bots, *options, "--workers", str(workers), "--tables", str(tables))
    return arena


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
def test_an_export_differs_only_in_what_was_measured(tmp_path: Path, bots: list[str], seats: int) -> None:
    runs = [(64, 1, 192, "0"), (1, 2, 5, "1"), (7, 2, 64, "random")]
    exports = [played(tmp_path, bots[:seats], *run).export() for run in runs]
    assert len(exports[0]) == 4 * seats
    assert exports[0] == exports[1] == exports[2]


@needs("sandbox")
@pytest.mark.slow
def test_the_sandbox_changes_no_result(tmp_path: Path) -> None:
    exports = []
    for kept in ("off", "require"):
        arena = Arena(tmp_path, f"{kept}.db")
        options = ["--seats", "2", "--seed", SECRET, "--deals", "2", "--quiet", "--sandbox", kept]
        arena.ok("tournament", "run", "greedy", "random", *options)
        exports.append(arena.export())
    assert len(exports[0]) == 4
    assert exports[0] == exports[1]


@pytest.mark.slow
def test_a_whole_tournament_is_verified_from_its_export_and_from_the_database(tmp_path: Path, bots: list[str]) -> None:
    arena = played(tmp_path, bots[:2], 64, 2, 64, "0")
    (latest,) = arena.json("tournament", "list")
    arena.ok("export", latest["id"], "--out", "cup.jsonl")
    arena.ok("verify", "cup.jsonl")
    arena.ok("verify", latest["id"])
    lines = (tmp_path / "cup.jsonl").read_text().splitlines()
    match = json.loads(lines[4])
    match["deals"][0]["turns"][1]["micros"] += 1
    match["points"][0] += 1
    (tmp_path / "cup.jsonl").write_text("\n".join([*lines[:4], json.dumps(match), *lines[5:]]) + "\n")
    done = arena.run("verify", "cup.jsonl")
    assert done.returncode == 1
    assert "points" in done.stdout + done.stderr
    assert "line 5" in done.stdout + done.stderr


@pytest.mark.slow
def test_a_second_tournament_on_the_same_database_is_a_new_one(tmp_path: Path, bots: list[str]) -> None:
    for _ in range(2):
        arena = played(tmp_path, bots[:2], 64, 1, 64, "0")
    listed = arena.json("tournament", "list")
    assert len({tournament["id"] for tournament in listed}) == 2
    for tournament in listed:
        assert len(arena.ok("export", tournament["id"], "--out", "-").splitlines()) == 8
