"""A report of speed as the rows of a table: each measure, and below it its ratios to yardsticks of the same run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

COLUMNS = ("measure", "found", "middle half", "goal", "holds")

NOTE = (
    "Medians and the middle half of {rounds}; a ratio is that of figures of one round. Goals in microseconds were set "
    "where a ping took about {ping} µs: as goals for the ratio to a ping they hold on any machine, and so those decide."
)


class Row(NamedTuple):
    """One line, as texts; `nested` for the ratio to a yardstick. What has no goal has neither goal nor verdict."""

    measure: str
    found: str
    middle_half: str
    goal: str
    holds: str
    nested: bool


def rows(document: dict[str, Any]) -> Iterator[Row]:
    """The lines of a report; see `arena.bench.speed.document`."""
    for one in document["measures"].values():
        yield _row(f"{one['what']}, {one['unit']}", one, nested=False)
        for ratio in one["ratios"].values():
            yield _row(f"times {ratio['what']} ({shown(ratio['yardstick'])})", ratio, nested=True)


def _row(what: str, one: dict[str, Any], *, nested: bool) -> Row:
    found, low, high = one["median"], one["low"], one["high"]
    at_least = one.get("at_least")
    goal = one.get("at_most", at_least)
    middle = f"{shown(low)}–{shown(high)}" if low != high else ""
    if goal is None:
        return Row(what, shown(found), middle, "", "", nested)
    holds = found <= goal if at_least is None else found >= goal
    return Row(
        what, shown(found), middle, f"{'≤' if at_least is None else '≥'} {goal:,}", "yes" if holds else "no", nested
    )


def shown(figure: float) -> str:
    """With three digits or all before the point: `97,812`, `31.2`, `0.0571`."""
    if figure >= 100:
        return f"{figure:,.0f}"
    digits = 1 if figure >= 10 else 2 if figure >= 0.1 else 4
    return f"{figure:.{digits}f}"
