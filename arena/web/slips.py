"""What the form of a tournament finds wrong itself, before anything is started; all else is judged by the command."""

from __future__ import annotations

from collections.abc import Iterator

from arena.game.cards import NAMES
from arena.game.variant import Variant, max_seats
from arena.rating.notes import Note
from arena.tournament.bounds import BOUNDS, MOST_SIGNS, Bounds, is_mistakable, is_plain
from arena.web.ordering import OPTIONS, PRESETS, VALUES, Order, option_of

NEEDS = {"gauntlet": "challenger", "informed": "until"}
"""The field without which a format cannot be played."""


def slips(order: Order) -> dict[str, Note]:
    """What is wrong, by field, at most one thing for each; empty when the form sees nothing."""
    found = {field: note for field, note in _numbers(order) if note is not None}
    if not found:  # else some of these would only follow from a number that is wrong
        found = {field: note for field, note in _together(order) if note is not None}
    for field in ("name", "beacon"):
        if (note := _line(field, getattr(order, field).strip())) is not None:
            found[field] = note
    return found


def _numbers(order: Order) -> Iterator[tuple[str, Note | None]]:
    for field in (*OPTIONS.get(order.format, ()), *VALUES):
        value = getattr(order, field).strip()
        if value and field in BOUNDS:
            yield field, _outside(value, BOUNDS[field])
    for field in ("seats", "hand_size"):
        yield field, _outside(_given(order, field), Bounds(1))


def _together(order: Order) -> Iterator[tuple[str, Note | None]]:
    """What depends on other fields."""
    decks = 2 if _given(order, "decks") == "2" else 1
    seats = _outside(_given(order, "seats"), Bounds(2, max_seats(decks)))
    yield "seats", seats
    if seats is None:
        most = (NAMES * decks - 2) // int(_given(order, "seats"))
        yield "hand_size", _outside(_given(order, "hand_size"), Bounds(1, most))
    if int(_given(order, "threshold")) == int(_given(order, "deal_cap")) == 0:
        yield "deal_cap", Note("", "nobody is knocked out, so the match would never end: give it a number of deals")
    missing = Note("", "this is needed with what you have chosen")
    if (needed := NEEDS.get(order.format)) and not getattr(order, needed).strip():
        yield needed, missing
    for field, other in (("beacon", "beacon_text"), ("beacon_text", "beacon")):
        if getattr(order, other).strip() and not getattr(order, field).strip():
            yield field, missing


def _given(order: Order, field: str) -> str:
    """A value as it counts: of the field, else of the preset, else of the command."""
    preset = dict(word.split("=") for word in PRESETS.get(order.rules, ()))
    usual = "3" if field == "seats" else str(getattr(Variant(), field))
    return getattr(order, field).strip() or preset.get(option_of(field), usual)


def _outside(value: str, bounds: Bounds) -> Note | None:
    """What to say of a value that is no whole number within these bounds."""
    try:
        number = int(value)
    except ValueError:
        number = bounds.min - 1
    if bounds.max is None:
        return None if number >= bounds.min else _wanted(bounds)
    return None if bounds.min <= number <= bounds.max else _wanted(bounds)


def _wanted(bounds: Bounds) -> Note:
    if bounds.max is None:
        return Note("", "a whole number of at least %(least)s is wanted here", {"least": bounds.min})
    values = {"least": bounds.min, "most": bounds.max}
    return Note("", "a whole number from %(least)s to %(most)s is wanted here", values)


def _line(field: str, text: str) -> Note | None:
    """What to say of a text that cannot be a name."""
    if len(text) > MOST_SIGNS or not is_plain(text):
        return Note("", "at most %(most)s characters are wanted here, all of them visible", {"most": MOST_SIGNS})
    if field == "name" and is_mistakable(text):
        return Note("", "a name has no slash and does not begin with '-', or it could not be told from other things")
    return None
