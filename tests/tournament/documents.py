"""Ways through an exported match, for tests that alter it in every place."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

Path = tuple[str | int, ...]
Document = dict[str, Any]


def nodes(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The document and all its parts, each with the way to it."""
    yield path, value
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from nodes(part, (*path, key))


def leaves(document: Document) -> list[tuple[Path, Any]]:
    """Every value that is no object and no list; a fault that is null is one."""
    return [(path, value) for path, value in nodes(document) if not isinstance(value, dict | list)]


def field_of(path: Path) -> str:
    """The key under which a leaf stands; seats and places in a list are no names of fields."""
    return next(str(part) for part in reversed(path) if isinstance(part, str) and not part.isdecimal())


def replaced(document: Document, path: Path, value: Any) -> Document:
    document = deepcopy(document)
    place: Any = document
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    return document


def turns_of(document: Document) -> Iterator[tuple[Path, Document]]:
    for number, deal in enumerate(document["deals"]):
        for place, turn in enumerate(deal["turns"]):
            yield ("deals", number, "turns", place), turn


def held(document: Document) -> Iterator[tuple[Path, Document, list[str]]]:
    """Every play, with the hand it was made from."""
    for number, deal in enumerate(document["deals"]):
        hands = {int(seat): list(hand) for seat, hand in deal["hands"].items()}
        for place, turn in enumerate(deal["turns"]):
            if turn["action"] == "play":
                yield ("deals", number, "turns", place), turn, hands[turn["seat"]].copy()
                for card in turn["discard"]:
                    hands[turn["seat"]].remove(card)
                hands[turn["seat"]].append(turn["card"])


def at(value: Any, path: Path) -> Any:
    for part in path:
        value = value[part]
    return value
