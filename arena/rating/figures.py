"""How numbers about results are written, with the digits that they deserve."""

from __future__ import annotations

from collections.abc import Callable

DASH = "–"
"""Stands where there is nothing to count yet."""

Number = Callable[[float, int], str]
"""Writes a number with so many digits after the point."""


def plain_number(value: float, digits: int) -> str:
    """A number as programs write it."""
    return f"{value:.{digits}f}"


def around(half_width: float, number: Number = plain_number) -> str:
    """`± 99`; a narrow interval is told with as many digits as it takes to be more than nothing."""
    return f"± {number(half_width, digits(half_width))}"


def digits(half_width: float) -> int:
    """Digits after the point that an Elo number with this interval deserves."""
    return 0 if half_width >= 1 else 1 if half_width >= 0.1 else 3


def signed(value: float, digits: int = 2, number: Number = plain_number) -> str:
    """A number with its sign: `+1.25`, `-0.50`, and `0.00` without one."""
    rounded = round(value, digits) + 0.0  # which takes the sign from a zero
    return f"{'+' if rounded > 0 else ''}{number(rounded, digits)}"


def likelihood(los: float, number: Number = plain_number) -> str:
    """`98 %`, `99.7 %`; never quite sure."""
    percent = 100 * los
    if percent > 99.9:
        return f">{number(99.9, 1)} %"
    if percent < 0.1:
        return f"<{number(0.1, 1)} %"
    return f"{number(percent, 0 if 1 <= percent <= 99 else 1)} %"
