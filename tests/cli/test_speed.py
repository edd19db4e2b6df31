from __future__ import annotations

import pytest

from arena.bench import speed
from tests.cli.stored import Shell


@pytest.fixture(autouse=True)
def no_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine has, as on one without."""
    monkeypatch.setattr(speed, "other_games", lambda: None)


def test_speed_is_told_with_its_circumstances(empty_shell: Shell) -> None:
    report = empty_shell("bench", "speed", "--only", "rules", "--rounds", "1", "--seconds", "0.01", "--json").json
    (rules,) = report["measures"].values()
    assert rules["rules"]["median"] > 0
    assert rules["rules"]["at_least"] == 150_000
    assert {"machine", "versions", "commit", "when"} <= set(report)
    assert not empty_shell.path.exists()


def test_a_yardstick_that_is_not_there_is_named_with_how_to_get_it(empty_shell: Shell) -> None:
    out = empty_shell("bench", "speed", "--only", "rules", "--rounds", "1", "--seconds", "0.01").out
    assert "the rules alone" in out
    assert "RLCard's Uno, stepped" in out
    assert "make yardsticks" in out


def test_what_cannot_be_measured_is_named(empty_shell: Shell) -> None:
    told = empty_shell("bench", "speed", "--only", "light")
    assert told.code == 2
    assert (
        "'light' is nothing that is measured: --only takes rules, turn, tournament, engine, compiled, memory"
        in told.err
    )


@pytest.mark.slow
def test_turns_and_tournaments_are_measured_with_both_engines(empty_shell: Shell) -> None:
    report = empty_shell("bench", "speed", "--only", "engine", "--rounds", "1", "--seconds", "0.01", "--json").json
    found = {name: one for measures in report["measures"].values() for name, one in measures.items()}
    assert set(found) == {
        f"{name}, old engine"
        for name in (
            *("ping/2", "pings in flight/2", "question/2", "turn/2", "turns/2"),
            *("wall/2/1", "arena/2/1", "bots/2/1"),
        )
    }
    assert all(ratio["median"] > 0 for one in found.values() for ratio in one["ratios"].values())
