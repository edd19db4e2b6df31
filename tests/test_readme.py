"""What the README shows is run as it stands there."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import typer.main

from arena.cli.main import app
from tests.cli.stored import Shell
from tests.end_to_end.arena import Arena

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


@pytest.fixture
def empty_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path / "arena.db", monkeypatch, capsys)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands() -> list[str]:
    """Every command of the arena by its whole name."""
    root = typer.main.get_command(app)
    found: list[str] = []
    for name, command in getattr(root, "commands", {}).items():
        inner = getattr(command, "commands", None)
        found += [f"arena {name} {sub}" for sub in inner] if inner else [f"arena {name}"]
    return found


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """The arena in a folder that has the bot of the README in my_bots/."""
    fox = tmp_path / "my_bots" / "fox"
    fox.mkdir(parents=True)
    (fox / "main.py").write_text(blocks("python")[0])
    (fox / "bot.toml").write_text(blocks("toml")[0])
    return Arena(tmp_path)


def test_the_bot_in_six_lines_has_six_lines_and_plays_without_a_fault(arena: Arena) -> None:
    assert len([line for line in blocks("python")[0].splitlines() if line]) == 6
    arena.ok("tournament", "run", "--seats", "2", "--deals", "1", "--deal-cap", "3", "--quiet")
    rows = {row["bot"]: row for row in arena.json("rankings")}
    assert {"fox", "greedy", "planner", "random"} <= set(rows)
    assert rows["fox"]["matches"] > 0
    assert rows["fox"]["faults"] == 0


@pytest.mark.slow
def test_the_commands_work_as_they_are_shown(arena: Arena) -> None:
    lines = [shlex.split(line, comments=True) for line in blocks("sh")[1].splitlines()]
    assert len(lines) == 6
    for _, *words in lines:
        if "ID" in words:
            listing = "matches" if words[0] == "replay" else "tournament list"
            first = arena.json(*listing.split())[0]["id"]
            words[words.index("ID")] = first
        assert arena.ok(*words) != "" or words[0] == "export"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_questions_are_answered_as_they_are_shown(arena: Arena) -> None:
    lines = [shlex.split(line, comments=True) for line in blocks("sh")[2].splitlines()]
    assert len(lines) == 5
    for _, *words in lines:
        assert arena.ok(*words) != ""


@pytest.mark.slow
def test_a_person_plays_and_a_match_is_explained_as_shown(arena: Arena) -> None:
    arena.ok("tournament", "run", "greedy", "planner", "--seats", "2", "--deals", "1", "--deal-cap", "2", "--quiet")
    match = arena.json("matches")[0]["id"]
    lines = [shlex.split(line, comments=True) for line in blocks("sh")[3].splitlines()]
    assert len(lines) == 3
    for _, *words in lines:
        assert arena.ok(*(match if word == "ID" else word for word in words)) != ""


@pytest.mark.parametrize("command", commands())
def test_every_command_is_on_the_page(command: str) -> None:
    assert f"`{command}`" in README


@pytest.mark.parametrize("command", commands())
def test_every_help_text_shows_an_example(empty_shell: Shell, command: str) -> None:
    assert f"$ {command}" in empty_shell(*command.split()[1:], "--help").out


def test_every_link_leads_somewhere() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert len(targets) > 5
    assert all((ROOT / target).exists() for target in targets)


def test_every_package_is_on_the_map() -> None:
    packages = {path.parent.name for path in (ROOT / "arena").glob("*/__init__.py")}
    assert packages == set(re.findall(r"`arena/(\w+)/`", README))


@pytest.mark.parametrize("goal", re.findall(r"^make (\w+)", "\n".join(blocks("sh")), re.MULTILINE))
def test_the_goals_of_make_are_there(goal: str) -> None:
    make = shutil.which("make")
    assert make is not None
    plan = subprocess.run([make, "-n", goal], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True)
    assert plan.stdout != ""
