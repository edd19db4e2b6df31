"""What an install from a clean checkout brings."""

from __future__ import annotations

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
    assert "index-url" not in text
    assert "://" not in text
    pinned = [line for line in text.splitlines() if "==" in line and not line.startswith((" ", "#"))]
    assert len(pinned) > 15
    assert all(line.rstrip().endswith("\\") for line in pinned)


@pytest.mark.slow
def test_a_wheel_from_a_clean_checkout_holds_all_that_the_command_needs(tmp_path: Path) -> None:
    source, wheels, installed = tmp_path / "source", tmp_path / "wheels", tmp_path / "installed"
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", wheels, "."], cwd=source, check=True)
    (wheel,) = wheels.glob("least_score_arena-*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"arena/wire/v1/bot_pb2.py", "arena/wire/v1/bot_pb2.pyi", "arena/sample_bots/greedy/bot.toml"} <= names
    assert {"arena/wire/v1/bot.proto", "arena/bots/templates/go/main.go", "arena/sample_bots/tally/arena.js"} <= names
    assert not any(name.startswith(("tests/", "sample_bots/")) for name in names)
    subprocess.run([*pip, "install", "--no-deps", "--target", installed, wheel], check=True)
    environment = {**os.environ, "PYTHONPATH": str(installed), "ARENA_DATABASE_URL": "sqlite:///arena.db"}
    where = [sys.executable, "-P", "-c", "import arena; print(arena.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()).is_relative_to(installed)
    command = [
        sys.executable,
        "-P",
        "-m",
        "arena",
        "tournament",
        "run",
        "--deals",
        "1",
        "--deal-cap",
        "1",
        "--quiet",
        "--sandbox",
        "off",
    ]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "planner" in done.stdout
    new = [sys.executable, "-P", "-m", "arena", "bots", "new", "fox", "--language", "go"]
    done = subprocess.run(new, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "my_bots" / "fox" / "bot.proto").exists()
