"""Submitted bots from beginning to end: taken in, listed, played, stopped and resumed, retired."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.end_to_end.arena import Arena
from tests.end_to_end.test_kill import kill_after
from tests.fleet.running import SAMPLES
from tests.needs import needs

SHORT = ("--deal-cap", "2", "--quiet")

pytestmark = [pytest.mark.slow, needs("sandbox")]


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """The arena in a folder in which it also keeps bots for a while; nothing of them may be left."""
    (tmp_path / "tmp").mkdir()
    yield Arena(tmp_path, environment={"TMPDIR": str(tmp_path / "tmp")})
    assert list((tmp_path / "tmp").glob("arena-*")) == []


def copy_of(sample: str, folder: Path, name: str, remark: str = "") -> Path:
    """A bot that plays like a sample and has a name of its own."""
    shutil.copytree(SAMPLES / sample, folder, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace(f'name = "{sample}"', f'name = "{name}"') + remark)
    return folder


def entered(arena: Arena) -> dict[str, int]:
    """The bots of the latest tournament with their matches."""
    return {f"{row['bot']} {row['version']}": row["matches"] for row in arena.json("rankings")}


def test_a_bot_is_submitted_listed_played_and_retired(arena: Arena) -> None:
    copy_of("greedy", arena.folder / "work/fox", "fox")
    copy_of("planner", arena.folder / "work/hen", "hen")
    subprocess.run(["tar", "-czf", "hen.tgz", "-C", "work", "hen"], cwd=arena.folder, check=True)
    arena.ok("submit", "work/fox", "--owner", "ann")
    arena.ok("submit", "hen.tgz", "--owner", "bob")
    assert {bot["name"]: bot["owner"] for bot in arena.json("bots", "list")} == {"fox": "ann", "hen": "bob"}
    shutil.rmtree(arena.folder / "work")  # what was submitted does not need its folder any more
    arena.ok("tournament", "run", "--seats", "2", "--deals", "1", *SHORT)
    assert {"fox 1.0", "hen 1.0", "greedy 1.0"} <= entered(arena).keys()
    assert all(entered(arena).values())
    copy_of("greedy", arena.folder / "work/fox", "fox", "# better\n")
    assert "fox 1.0+2" in arena.ok("submit", "work/fox", "--owner", "ann")
    arena.ok("tournament", "run", "fox", "fox@1.0", "hen", "--seats", "2", "--deals", "1", *SHORT)
    assert entered(arena) == {"fox 1.0": 2, "fox 1.0+2": 2, "hen 1.0": 4}, "two bots of an owner never meet"
    arena.ok("bots", "retire", "fox")
    arena.ok("tournament", "run", "--seats", "2", "--deals", "1", *SHORT)
    assert "hen 1.0" in entered(arena) and not any(name.startswith("fox") for name in entered(arena))
    (latest, *_) = arena.json("tournament", "list")
    arena.ok("verify", latest["id"])


def test_a_killed_tournament_finds_its_submitted_bots_again_also_when_they_were_retired(arena: Arena) -> None:
    for name, owner in (("fox", "ann"), ("hen", "bob")):
        copy_of("greedy", arena.folder / "work" / name, name)
        arena.ok("submit", f"work/{name}", "--owner", owner)
        shutil.rmtree(arena.folder / "work")
    process = arena.start("tournament", "run", "fox", "hen", "--seats", "2", "--deals", "60", *SHORT)
    while not arena.has_opened():
        assert process.poll() is None
    kill_after(process, 0)
    arena.ok("bots", "retire", "fox")
    arena.ok("tournament", "resume", "--quiet")
    assert entered(arena) == {"fox 1.0": 120, "hen 1.0": 120}


def test_a_submission_killed_at_any_moment_is_there_whole_or_not_at_all(arena: Arena) -> None:
    copy_of("greedy", arena.folder / "work/fox", "fox")
    for fifths in range(1, 8):
        if not kill_after(arena.start("submit", "work/fox", "--owner", "ann"), fifths / 5):
            break
    said = arena.ok("submit", "work/fox", "--owner", "ann")
    assert said.startswith(("Submitted fox 1.0", "fox 1.0 was submitted already"))
    with closing(sqlite3.connect(arena.folder / "arena.db")) as database:
        found = database.execute("SELECT submission.digest = package.digest FROM submission, package").fetchall()
    assert found == [(1,)]
    until = time.monotonic() + 5
    while list((arena.folder / "tmp").glob("arena-*")) and time.monotonic() < until:
        pass  # the last guard clears up behind a killed arena
