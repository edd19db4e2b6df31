from __future__ import annotations

from typing import Any

import pytest

from arena.bench.table import Row, rows, shown

TURN = {
    "what": "one table",
    "median": 31.0,
    "low": 30.0,
    "high": 32.0,
    "at_most": 30,
    "ratios": {
        "ping/2": {"to": "a ping", "yardstick": 620.0, "median": 0.05, "low": 0.05, "high": 0.05, "at_most": 0.057}
    },
}


def test_a_measure_is_followed_by_its_ratios_each_with_its_own_goal() -> None:
    report: dict[str, Any] = {"measures": {"Turns, µs": {"turn/2": TURN}}}
    assert list(rows(report)) == [
        Row(0, "Turns, µs"),
        Row(1, "one table", "31.0", "30.0–32.0", "≤ 30", "no"),
        Row(2, "÷ a ping (620)", "0.050", "", "≤ 0.057", "yes"),
    ]


@pytest.mark.parametrize(
    ("figure", "text"), [(97_812.4, "97,812"), (525.0, "525"), (31.25, "31.2"), (1.234, "1.23"), (0.0571, "0.057")]
)
def test_figures_have_three_digits_or_all_before_the_point(figure: float, text: str) -> None:
    assert shown(figure) == text
