"""What an install from a clean checkout brings."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCKS = [ROOT / "requirements.lock", ROOT / "requirements-dev.lock"]


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_nothing_generated_is_tracked() -> None:
    assert [name for name in tracked() if "_pb2" in name or name.endswith((".db", ".pyc"))] == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_the_lock_files_pin_with_hashes_and_name_no_index(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    pinned = [line for line in text.splitlines() if "==" in line and not line.startswith((" ", "#"))]
    assert len(pinned) > 15
    assert all(line.rstrip().endswith("\\") for line in pinned)


PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


def build(folder: Path, **settings: str) -> Path:
    """The wheel that is made of a clean checkout."""
    source, wheels = folder / "source", folder / "wheels"
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    command = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), "."]
    subprocess.run(command, cwd=source, env=os.environ | settings, check=True)
    (wheel,) = wheels.glob("least_score_arena-*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> dict[str, str]:
    """The environment in which the installed arena is found, and no other."""
    subprocess.run([*PIP, "install", "--no-deps", "--target", str(folder), str(wheel)], check=True)
    environment = {**os.environ, "PYTHONPATH": str(folder), "ARENA_DATABASE_URL": "sqlite:///arena.db"}
    where = [sys.executable, "-P", "-c", "import arena; print(arena.__file__)"]
    found = subprocess.run(where, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()).is_relative_to(folder)
    return environment


def run(folder: Path, environment: dict[str, str], *words: str) -> str:
    command = [sys.executable, "-P", "-m", "arena", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_wheel_from_a_clean_checkout_holds_all_that_the_command_needs(tmp_path: Path) -> None:
    wheel = build(tmp_path)
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"arena/wire/v1/bot_pb2.py", "arena/wire/v1/bot_pb2.pyi", "arena/sample_bots/greedy/bot.toml"} <= names
    assert {"arena/wire/v1/bot.proto", "arena/bots/templates/go/main.go", "arena/sample_bots/tally/arena.js"} <= names
    assert {"arena/web/templates/base.html", "arena/web/static/arena.css", "arena/web/locale/el.po"} <= names
    assert not any(name.startswith(("tests/", "sample_bots/")) for name in names)
    environment = install(wheel, tmp_path / "installed")
    played = run(
        tmp_path, environment, "tournament", "run", "--deals", "1", "--deal-cap", "1", "--quiet", "--sandbox", "off"
    )
    assert "planner" in played
    run(tmp_path, environment, "bots", "new", "fox", "--language", "go")
    assert (tmp_path / "my_bots" / "fox" / "bot.proto").exists()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_compiled_arena_passes_the_tests_of_what_is_compiled_and_plays_the_same_matches(tmp_path: Path) -> None:
    compiled = install(build(tmp_path, ARENA_COMPILE="1"), tmp_path / "installed")
    where = [sys.executable, "-P", "-c", "from arena.match import referee; print(referee.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=compiled, capture_output=True, text=True, check=True)
    assert found.stdout.strip().endswith(".so")
    tests = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow"]
    folders = ["tests/game", "tests/wire/codec", "tests/tournament", "tests/fleet/test_live_match.py"]
    done = subprocess.run([*tests, *folders], cwd=ROOT, env=compiled, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    plain = {key: value for key, value in compiled.items() if key != "PYTHONPATH"}
    exports = []
    for name, environment in (("compiled", compiled), ("plain", plain)):
        (tmp_path / name).mkdir()
        words = ["tournament", "run", "greedy", "planner", "random", "--seats", "3", "--deals", "3", "--name", "cup"]
        run(tmp_path / name, environment, *words, "--quiet", "--sandbox", "off", "--seed", "5a" * 32)
        run(tmp_path / name, environment, "export", "cup", "--out", "all.jsonl")
        exports.append(sorted(map(without_measures, (tmp_path / name / "all.jsonl").read_text().splitlines())))
    assert exports[0] == exports[1]
    assert len(exports[0]) == 9


def without_measures(line: str) -> str:
    """A match as its export tells it, without what differs between two runs of one seed."""
    match = json.loads(line)
    del match["tournament"]
    for turn in (turn for deal in match["deals"] for turn in deal["turns"]):
        del turn["micros"]
    return json.dumps(match, sort_keys=True)
