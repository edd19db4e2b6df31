"""Small drawings inside a table as numbers for SVG: intervals to one scale, and the course of a rating."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

EDGE = 5.0
"""Room for a dot at both ends."""


@dataclass(frozen=True)
class Scale:
    """From values to places of a drawing that is `width` wide."""

    low: float
    high: float
    width: int

    @classmethod
    def over(cls, values: Iterable[float], width: int) -> Scale:
        """The scale on which all of these have room."""
        known = list(values) or [0.0]
        low, high = min(known), max(known)
        return cls(low, high, width) if high > low else cls(low - 0.5, low + 0.5, width)

    def __call__(self, value: float) -> float:
        """The place of a value, at an edge when it lies beyond it."""
        share = (value - self.low) / (self.high - self.low)
        return EDGE + min(max(share, 0.0), 1.0) * (self.width - 2 * EDGE)


class Bar(NamedTuple):
    """An interval as drawn: the dot, the ends of the line, whether an end is open, and where a mark of the scale is."""

    width: int
    at: float | None
    low: float | None
    high: float | None
    open_low: bool
    open_high: bool
    zero: float | None


def bar(scale: Scale, at: float | None, low: float | None, high: float | None, zero: float | None = None) -> Bar:
    """Draw an interval; an end that is None is open, and goes to the edge when the other is there."""
    place = None if zero is None else scale(zero)
    if low is None and high is None:
        return Bar(scale.width, None if at is None else scale(at), None, None, False, False, place)
    start = EDGE if low is None else scale(low)
    end = scale.width - EDGE if high is None else scale(high)
    dot = None if at is None or low is None or high is None else scale(at)
    return Bar(scale.width, dot, start, end, low is None, high is None, place)


class Course(NamedTuple):
    """The course of a number as drawn: points of a line ("" for none), the last of them, and both ends in numbers."""

    width: int
    points: str
    last: tuple[float, float]
    first_value: float
    last_value: float


COURSE_WIDTH = 72
COURSE_HEIGHT = 20


def sparkline(values: Sequence[float | None]) -> Course:
    """Draw values from the left to the right, on a scale of their own; gaps are left out."""
    known = [(index, value) for index, value in enumerate(values) if value is not None]
    if len(known) < 2:
        return Course(COURSE_WIDTH, "", (0.0, 0.0), 0.0, 0.0)
    across = Scale(0, len(values) - 1, COURSE_WIDTH)
    up = Scale.over((value for _, value in known), COURSE_HEIGHT)
    places = [(across(index), COURSE_HEIGHT - up(value)) for index, value in known]
    return Course(COURSE_WIDTH, " ".join(f"{x:.1f},{y:.1f}" for x, y in places), places[-1], known[0][1], known[-1][1])
