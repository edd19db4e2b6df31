"""`arena bench luck`: the design effect of duplicate deals, and the variance that is left without the luck of draws."""

from __future__ import annotations

from typing import Any

from arena.cli.bench import BLOCKS, SIZES, Measured, measure
from arena.rating.wording import effect_text


def run() -> dict[str, Any]:
    """By points a deal and by the share of seats beaten, each with its interval of 95 %."""
    found: dict[str, Any] = {"blocks": BLOCKS}
    for seats in SIZES:
        for matches in (False, True):
            for shared in (False, True):
                kind = (
                    f"{'matches' if matches else 'deals'}, {seats} seats, {'one order' if shared else 'an order each'}"
                )
                found |= {f"{kind}, {name}": text for name, text in figures(seats, matches, shared)}
    return found


def figures(seats: int, matches: bool, shared: bool) -> list[tuple[str, str]]:
    one: Measured = measure(seats, BLOCKS, matches=matches, shared=shared)
    return [
        ("points", effect_text(one.effect.points, one.effect.points_error)),
        ("places", effect_text(one.effect.places, one.effect.places_error)),
        ("left", f"{one.left_points:.2f} points, {one.left_places:.2f} places"),
    ]
