from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.bench.measures import Against, Goal, Measure, Source, gains, needed, parts
from arena.bench.speed import finding, measure, run

COUNTING = """
import sys
for number, _ in enumerate(sys.stdin):
    print('{"%s": %d}' % (sys.argv[1], number), flush=True)
"""
"""A program that answers its first line with 0, the second with 1."""


def counting(name: str, *, suffix: str = "", once: bool = False) -> Source:
    return Source(name + suffix, (name,), (Measure(name, name),), suffix=suffix, once=once)


def command(source: Source) -> list[str]:
    return [sys.executable, "-c", COUNTING, *source.arguments]


def test_rounds_go_through_all_sources_in_turn() -> None:
    asked: list[tuple[int, str]] = []
    found = measure([counting("a"), counting("b")], 2, command, lambda *what: asked.append(what))
    assert asked == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]
    assert found == {"a": [0, 1], "b": [0, 1]}


def test_figures_of_another_engine_have_names_of_their_own_and_what_is_no_matter_of_chance_is_asked_once() -> None:
    sources = [counting("a"), counting("a", suffix=", old"), counting("b", once=True)]
    assert measure(sources, 2, command, lambda *_: None) == {"a": [0, 1], "a, old": [0, 1], "b": [0]}


def test_a_ratio_is_the_median_of_the_ratios_in_single_rounds() -> None:
    turn = Measure("turn", "", None, (Against("ping", "a ping"),))
    found = finding(turn, {"turn": [10.0, 40.0, 90.0], "ping": [10.0, 10.0, 30.0]})
    assert found["median"] == 40
    assert found["ratios"]["ping"]["yardstick"] == 10
    assert found["ratios"]["ping"]["median"] == 3


@pytest.mark.parametrize(("ping", "holds"), [(500.0, True), (400.0, False)])
def test_a_goal_for_the_ratio_decides_and_not_that_in_units(ping: float, holds: bool) -> None:
    turn = Measure("turn", "", Goal(25), (Against("ping", "a ping", Goal(0.06)),))
    assert finding(turn, {"turn": [28.0], "ping": [ping]})["holds"] is holds


def test_a_goal_in_units_decides_where_its_yardstick_is_missing() -> None:
    rules = Measure("rules", "", Goal(100, at_least=True), (Against("uno", "Uno", Goal(2.4, at_least=True)),))
    assert finding(rules, {"rules": [120.0]})["holds"] is True


def test_whatever_is_measured_brings_its_yardsticks() -> None:
    for name, chosen in parts(2).items():
        there = {measure.name for source in needed(chosen, 2) for measure in source.measures}
        wanted = {against.yardstick for one in chosen for measure in one.measures for against in measure.against}
        assert wanted <= there, name


def test_two_pinned_workers_stand_beside_one_pinned_one_of_the_same_round() -> None:
    found = {"wall/2/1": 20.0, "wall/2/1 pinned": 30.0, "wall/2/2 pinned": 15.0, "wall/4/1 pinned": 40.0}
    assert gains(found) == {"gain/2": 2.0}


def test_games_of_other_projects_are_asked_in_their_own_environment(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\nwhile read -r line; do echo "{\\"$2\\": 1000}"; done\n')
    python.chmod(0o755)
    report = run(["rules"], 1, 0.01, python, lambda *_: None)
    rules = report["measures"]["Random play at 4 seats, decisions a second of a core"]["rules"]
    assert rules["ratios"]["uno_step"]["yardstick"] == 1000
    assert rules["ratios"]["uno_step"]["median"] == pytest.approx(rules["median"] / 1000, rel=1e-3)
    assert report["not_measured"] == []
