"""A report of speed as the lines of a table: each measure, and below it its ratios to yardsticks of the same run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from arena.bench.measures import PING_US

COLUMNS = ("measure", "found", "middle half", "goal", "holds")

NOTE = (
    "Medians over {rounds} and the middle half; ÷ is the ratio to a yardstick (its median) in the same round. Goals in "
    f"microseconds are for a machine on which a ping takes {PING_US} µs: elsewhere the goal for the ratio to a ping is "
    "the one that counts."
)


class Row(NamedTuple):
    """One line as texts; of the depth 0 for a title, 1 for a measure, 2 for its ratio to a yardstick."""

    depth: int
    measure: str
    found: str = ""
    middle_half: str = ""
    goal: str = ""
    holds: str = ""


def rows(report: dict[str, Any]) -> Iterator[Row]:
    """The lines of a report that `arena.bench.speed.run` made."""
    for title, measures in report["measures"].items():
        yield Row(0, title)
        for one in measures.values():
            yield _row(1, one["what"], one)
            for ratio in one["ratios"].values():
                yield _row(2, f"÷ {ratio['to']} ({shown(ratio['yardstick'])})", ratio)


def _row(depth: int, what: str, one: dict[str, Any]) -> Row:
    found, low, high = one["median"], one["low"], one["high"]
    middle = f"{shown(low)}–{shown(high)}" if low != high else ""
    row = Row(depth, what, shown(found), middle)
    if "at_least" in one:
        return row._replace(goal=f"≥ {one['at_least']:,}", holds=_word(found >= one["at_least"]))
    if "at_most" in one:
        return row._replace(goal=f"≤ {one['at_most']:,}", holds=_word(found <= one["at_most"]))
    return row


def _word(holds: bool) -> str:
    return "yes" if holds else "no"


def shown(figure: float) -> str:
    """With three digits, or all before the point: `97,812`, `31.2`, `0.057`."""
    if figure >= 100:
        return f"{figure:,.0f}"
    digits = 1 if figure >= 10 else 2 if figure >= 1 else 3
    return f"{figure:.{digits}f}"
