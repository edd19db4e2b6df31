"""Where the seats are put round a table that is drawn as three rows: above, beside the middle, and below."""

from __future__ import annotations

COLUMNS = 12
"""The rows are cut into so many columns."""


def seating(seats: int) -> tuple[str, ...]:
    """The classes of each seat for the style sheet: its row, the column it begins at and how many it is wide.

    Seat 0 sits below, at the right end of that row, and the others follow clockwise.
    """
    beside = 0 if seats < 4 else 2
    above = (seats - beside + 1) // 2
    below = seats - beside - above
    left, right = ["left"] * (beside > 0), ["right"] * (beside > 0)
    return (*_row("below", below)[::-1], *left, *_row("above", above), *right)


def _row(name: str, seats: int) -> list[str]:
    """So many seats in a row, from the left."""
    width = COLUMNS // max(1, seats)
    return [f"{name} from-{1 + seat * width} span-{width}" for seat in range(seats)]
