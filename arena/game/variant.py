"""The choices that an organiser makes about the rules, and which of them can be played."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Self

from arena.game.cards import NAMES
from arena.game.errors import VariantError


class Crossing(Enum):
    """When points cross the threshold (rule 8): only beyond it, or on reaching it. Each value is its name."""

    BEYOND = "BEYOND"
    REACH = "REACH"


class Finish(Enum):
    """When a match ends: one seat is left, or the first is knocked out. Each value is its name."""

    LAST_STANDING = "LAST_STANDING"
    FIRST_OUT = "FIRST_OUT"


@dataclass(frozen=True, slots=True)
class Variant:
    """One reading of the rules; the defaults are the standard game. `arena/game/README.md` explains each field.

    A variant is only a value: `check_variant` says whether a match of so many seats can be played by it.
    """

    hand_size: int = 5
    decks: int = 1
    upcard: bool = True
    mixed_pairs: bool = False
    tie_holds: bool = True
    penalty: int = 20
    threshold: int = 50
    crossing: Crossing = Crossing.BEYOND
    finish: Finish = Finish.LAST_STANDING
    lap_cap: int = 60
    deal_cap: int = 0

    def as_dict(self) -> dict[str, int | bool | str]:
        """Return the 11 fields by name, enums as their names: what `from_dict` reads."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value.value if isinstance(value, Enum) else value for name, value in values.items()}

    def changes(self) -> dict[str, int | bool | str]:
        """Return of these fields those that are not as in the standard game."""
        standard = type(self)().as_dict()
        return {name: value for name, value in self.as_dict().items() if value != standard[name]}

    @classmethod
    def from_dict(cls, mapping: Mapping[str, object]) -> Self:
        """Return the variant with these 11 fields, enums given as their names.

        Raises:
            VariantError: a field is unknown, missing, or of the wrong type, or an enum value is unknown.
        """
        defaults = cls().as_dict()
        if unknown := sorted(set(mapping) - set(defaults)):
            raise VariantError(f"unknown variant field {unknown[0]!r}: the fields are {', '.join(defaults)}")
        if missing := [name for name in defaults if name not in mapping]:
            raise VariantError(f"variant field {missing[0]!r} is missing: all of {', '.join(defaults)} are needed")
        values: dict[str, Any] = {}
        for name, default in defaults.items():
            value = mapping[name]
            if type(value) is not type(default):
                raise VariantError(f"{name} must be {type(default).__name__}, not {type(value).__name__} ({value!r})")
            values[name] = value
        values["crossing"] = _member(Crossing, "crossing", values["crossing"])
        values["finish"] = _member(Finish, "finish", values["finish"])
        return cls(**values)


def max_seats(decks: int) -> int:
    """Return how many seats may play with so many decks: 8 with one, 10 with two."""
    return 8 if decks == 1 else 10


def check_variant(variant: Variant, seats: int) -> None:
    """Check that `seats` players can play by this variant.

    Raises:
        VariantError: they cannot; each refusal has a message of its own.
    """
    _check_enum(Crossing, "crossing", variant.crossing)
    _check_enum(Finish, "finish", variant.finish)
    for name in ("penalty", "threshold", "deal_cap"):
        if getattr(variant, name) < 0:
            raise VariantError(f"{name} must not be negative, it is {getattr(variant, name)}")
    if variant.decks not in (1, 2):
        raise VariantError(f"decks must be 1 or 2, it is {variant.decks}")
    if not 2 <= seats <= max_seats(variant.decks):
        raise VariantError(f"seats must be 2 to {max_seats(variant.decks)} with decks {variant.decks}, not {seats}")
    if variant.hand_size < 1:
        raise VariantError(f"hand_size must be at least 1, it is {variant.hand_size}")
    if variant.lap_cap < 2:
        raise VariantError(f"lap_cap must be at least 2, since nobody may declare in the first lap: {variant.lap_cap}")
    if variant.threshold == 0 and variant.deal_cap == 0:
        raise VariantError("threshold 0 knocks nobody out, so the match would never end: give a deal_cap")
    left = NAMES * variant.decks - variant.hand_size * seats - 1
    if left < 1:
        raise VariantError(
            f"too few cards: {seats} hands of hand_size {variant.hand_size} and the upcard leave {left} "
            f"of {NAMES * variant.decks} cards in the closed deck, and it needs at least 1"
        )


def _member(kind: type[Enum], name: str, value: str) -> Enum:
    if value not in kind.__members__:
        raise VariantError(f"{name} must be one of {', '.join(kind.__members__)}, not {value!r}")
    return kind[value]


def _check_enum(kind: type[Enum], name: str, value: object) -> None:
    if not isinstance(value, kind):
        raise VariantError(f"{name} must be a {kind.__name__} ({', '.join(kind.__members__)}), not {value!r}")
