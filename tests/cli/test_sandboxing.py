"""`--sandbox`: what is asked for is had, or it is said that it is not; a tournament never goes on less well kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.probe import Offer, offered
from arena.bots.sandbox import Level
from arena.cli import order
from arena.cli.errors import CommandFailed, Misuse
from arena.cli.order import NO_SANDBOX, check_sandbox, sandboxing
from tests.end_to_end.arena import Arena
from tests.needs import needs


def offer(monkeypatch: pytest.MonkeyPatch, level: Level, reason: str = "") -> None:
    monkeypatch.setattr(order, "offered", lambda: Offer(level, reason))


@pytest.mark.parametrize("wanted", ["auto", "require"])
@pytest.mark.parametrize("level", ["watchdog", "full"])
def test_a_sandbox_that_is_offered_is_used_and_not_talked_about(
    monkeypatch: pytest.MonkeyPatch, level: Level, wanted: str
) -> None:
    offer(monkeypatch, level)
    assert sandboxing(wanted) == (level, "")


def test_auto_does_without_and_says_so_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "none", "bubblewrap is not installed: install the package bubblewrap")
    level, note = sandboxing("auto")
    assert level == "none"
    assert note == f"{NO_SANDBOX} (bubblewrap is not installed: install the package bubblewrap)"


def test_require_refuses_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "none", "bubblewrap is not installed: install the package bubblewrap")
    with pytest.raises(CommandFailed, match="--sandbox require: bubblewrap is not installed"):
        sandboxing("require")


def test_off_looks_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "offered", None)
    assert sandboxing("off") == ("none", NO_SANDBOX)
    check_sandbox("none")


def test_another_word_is_misuse() -> None:
    with pytest.raises(Misuse, match="--sandbox maybe: choose auto, require or off"):
        sandboxing("maybe")


@pytest.mark.parametrize(("opened", "here"), [("watchdog", "none"), ("full", "none"), ("full", "watchdog")])
def test_a_tournament_does_not_go_on_less_well_kept(
    monkeypatch: pytest.MonkeyPatch, opened: Level, here: Level
) -> None:
    offer(monkeypatch, here, "the reason")
    with pytest.raises(CommandFailed, match=f"level '{opened}', but this machine offers '{here}': the reason"):
        check_sandbox(opened)


@pytest.mark.parametrize(("opened", "here"), [("none", "full"), ("watchdog", "full"), ("full", "full")])
def test_a_tournament_may_go_on_where_as_much_is_offered(
    monkeypatch: pytest.MonkeyPatch, opened: Level, here: Level
) -> None:
    offer(monkeypatch, here)
    check_sandbox(opened)


@pytest.mark.slow
def test_without_bubblewrap_a_tournament_is_played_and_stamped_and_require_plays_none(tmp_path: Path) -> None:
    arena = Arena(tmp_path, environment={"PATH": str(tmp_path)})
    few = ["tournament", "run", "greedy", "random", "--seats", "2", "--deals", "2"]
    played = arena.run(*few)
    assert played.returncode == 0, played.stderr
    assert played.stderr.count("No sandbox") == 1
    assert "bubblewrap is not installed" in played.stderr
    assert [found["sandbox"] for found in arena.json("tournament", "list")] == ["none"]
    refused = arena.run(*few, "--sandbox", "require")
    assert refused.returncode == 1
    assert "--sandbox require: bubblewrap is not installed" in refused.stderr
    assert len(arena.json("tournament", "list")) == 1


@needs("sandbox")
def test_with_bubblewrap_a_tournament_is_played_in_the_sandbox(tmp_path: Path) -> None:
    arena = Arena(tmp_path)
    arena.ok("tournament", "run", "greedy", "random", "--seats", "2", "--deals", "2", "--sandbox", "require")
    assert [found["sandbox"] for found in arena.json("tournament", "list")] == [offered().level]
