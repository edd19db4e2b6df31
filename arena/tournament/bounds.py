"""What may be asked of a tournament, field by field: the one place where commands and pages find it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

MOST_SIGNS = 80
"""The longest name of a tournament or a beacon."""


class Bounds(NamedTuple):
    """The smallest and the largest number that a field takes; None where something else sets the limit."""

    min: int
    max: int | None = None


BOUNDS: Mapping[str, Bounds] = MappingProxyType(
    {
        "deals": Bounds(1),
        "lineups": Bounds(1),
        "rounds": Bounds(1),
        "most_blocks": Bounds(1),
        "bots_per_owner": Bounds(1),
        "threshold": Bounds(0, 100_000),
        "lap_cap": Bounds(2, 1_000),
        "deal_cap": Bounds(0, 10_000),
        "penalty": Bounds(0, 1_000),
        "turn_limit_ms": Bounds(1, 3_600_000),
        "bank_ms": Bounds(0, 3_600_000),
        "strikes": Bounds(1, 1_000),
    }
)
"""By the name of the field; seats and hand size depend on the decks, see `arena.game.variant.check_variant`."""


def is_plain(text: str) -> bool:
    """Whether a text can stand in a line of a table: no control or invisible character, and no space at an end."""
    return text.isprintable() and text == text.strip()


def is_mistakable(name: str) -> bool:
    """Whether the name of a tournament could not be told from a match (a slash) or an option."""
    return name[:1] == "-" or "/" in name
