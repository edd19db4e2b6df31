"""The form of an exported match, as `proto/README.md` describes it, and the words for what is wrong with one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

Document = dict[str, Any]

NAMES = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
CARD, HEX = frozenset(NAMES), re.compile("[0-9a-f]{64}")
NUMBER, FROM_ONE = range(2**53), range(1, 2**53)
FREE = object
"""The shape of what is compared with what it must be."""

FAULTS = frozenset(["NOT_STARTED", "CRASHED", "TIMEOUT", "BAD_REPLY", "REFUSED", "STALE_TURN", "ILLEGAL_ACTION"])
FAULT = {"kind": FAULTS, "reason": str, "strike": FREE}
TURN = {"seat": FREE, "action": str, "micros": NUMBER, "fault": (None, dict)}
TURNS = {"play": TURN | {"discard": [CARD], "take": CARD | {"closed"}, "card": FREE}, "declare": TURN, "forfeit": TURN}
DEAL = dict.fromkeys(("starter", "hands", "upcard", "end", "totals", "points"), FREE) | {"turns": [dict]}
VARIANT = {
    **dict.fromkeys(("hand_size", "decks", "penalty", "threshold", "lap_cap", "deal_cap"), NUMBER),
    **dict.fromkeys(("upcard", "mixed_pairs", "tie_holds"), bool),
    "crossing": frozenset({"BEYOND", "REACH"}),
    "finish": frozenset({"LAST_STANDING", "FIRST_OUT"}),
}
MATCH = {
    **dict.fromkeys(("format", "match_id", "places", "points", "ending"), FREE),
    **dict.fromkeys(("tournament", "beacon"), str),
    **dict.fromkeys(("block", "rotation"), NUMBER),
    **dict.fromkeys(("block_id", "commitment", "seed"), HEX),
    "attempt": FROM_ONE,
    "secret": (None, HEX),
    "entries": [[re.compile(r"[^\t\n]*")]],
    "lineup": [HEX],
    "sandbox": frozenset({"none", "watchdog", "full"}),
    "limits": {"bank_ms": NUMBER, "show_names": bool, "strikes": FROM_ONE, "turn_ms": FROM_ONE},
    "variant": VARIANT,
    "seats": [{"bot": FREE, "version": FREE, "digest": HEX, "remote": bool}],
    "deals": [DEAL],
}

canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


class ProblemError(ValueError):
    """What is wrong."""


@contextmanager
def at(where: str) -> Iterator[None]:
    """Whatever is wrong inside is wrong there."""
    try:
        yield
    except ProblemError as problem:
        raise ProblemError(f"{where}: {problem}") from None


def expect(found: object, due: object, what: str) -> None:
    """Refuse what is not the same JSON; 1, 1.0 and true are not."""
    if canonical(found) != canonical(due):
        raise ProblemError(f"{what} is {found!a:.100}, but must be {due!a:.100}")


def require(holds: bool, what: str) -> None:
    if not holds:
        raise ProblemError(what)


def fit(value: Any, shape: Any, name: str) -> None:
    """Refuse a value of another shape."""
    match shape:
        case dict():
            require(type(value) is dict, f"{name} is no object")
            expect(sorted(value), sorted(shape), f"the keys of {name}")
            for key, part in shape.items():
                fit(value[key], part, key)
        case list():
            require(type(value) is list, f"{name} is no list")
            for item in value:
                fit(item, shape[0], name)
        case _:
            require(fits(value, shape), f"{name} cannot be {value!a:.100}")


def fits(value: Any, shape: Any) -> bool:
    match shape:
        case tuple():
            return any(fits(value, one) for one in shape)
        case range():
            return type(value) is int and value in shape
        case frozenset():
            return type(value) is str and value in shape
        case re.Pattern():
            return type(value) is str and shape.fullmatch(value) is not None
    return shape is FREE or value is shape or type(value) is shape


def unrepeated(pairs: list[tuple[str, Any]]) -> Document:
    require(len({key for key, _ in pairs}) == len(pairs), "a key stands twice")
    return dict(pairs)


def read(line: str | bytes) -> Document:
    """The match of a line, of a form that the rest can rely on; ValueError if it has none."""
    match: Document = json.loads(line.decode() if isinstance(line, bytes) else line, object_pairs_hook=unrepeated)
    fit(match, MATCH, "the match")
    expect(match["format"], "least-score/match/1", "format")
    require(all(len(entry) == 3 and fits(entry[2], HEX) for entry in match["entries"]), "an entry has another form")
    expect(len(match["lineup"]), len(match["seats"]), "the length of lineup")
    return match
