"""Whether a line of an export can be read at all: its JSON, its keys and the types of its values; nothing about truth.

The models are the export's format; `arena.tournament.export` writes it.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from arena.game.events import DealEnd, Ending
from arena.match.faults import FaultKind
from arena.tournament.checks.report import TEXT, Report, show

MOST_PROBLEMS = 30
"""Of a line that cannot be read only so many problems are told."""


def _utf8(text: str) -> str:
    """Refuse half of a surrogate pair, which JSON can hold and no digest can be taken of."""
    text.encode()
    return text


Text = Annotated[str, AfterValidator(_utf8)]
Count = Annotated[int, Field(ge=0, lt=2**53)]
Ordinal = Annotated[int, Field(ge=1, lt=2**53)]
Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Card = Annotated[str, Field(pattern=r"^[A23456789TJQK][cdhs]$")]
Take = Annotated[str, Field(pattern=r"^(closed|[A23456789TJQK][cdhs])$")]
SeatKey = Annotated[str, Field(pattern=r"^[0-9]$")]
Scalar = bool | Count | Text
Seat = Annotated[int, Field(ge=0, le=9)]
Entry = Annotated[tuple[Text, Text, Hex32], Field(strict=False)]


def _one_of(names: list[str]) -> Any:
    return Field(pattern=f"^({'|'.join(names)})$")


class _Shape(BaseModel):
    """Exactly these keys, and values of exactly these types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Fault(_Shape):
    """Why the arena played for a bot."""

    kind: Annotated[str, _one_of([kind.name for kind in FaultKind])]
    reason: Text
    strike: Ordinal


class _Turn(_Shape):
    seat: Seat
    micros: Count
    fault: Fault | None


class PlayTurn(_Turn):
    """A discard, and a card taken."""

    action: Literal["play"]
    discard: list[Card]
    take: Take
    card: Card


class DeclareTurn(_Turn):
    """A declaration."""

    action: Literal["declare"]


class ForfeitTurn(_Turn):
    """The turn in which a seat left the match."""

    action: Literal["forfeit"]


Turn = PlayTurn | DeclareTurn | ForfeitTurn


class Deal(_Shape):
    """One deal of a match."""

    starter: Seat
    hands: dict[SeatKey, list[Card]]
    upcard: Card | None
    turns: list[Annotated[Turn, Field(discriminator="action")]]
    end: Annotated[str, _one_of([end.name.lower() for end in DealEnd])]
    totals: dict[SeatKey, Count]
    points: dict[SeatKey, Count]


class Bot(_Shape):
    """Who sat in a seat."""

    bot: Text
    version: Text
    digest: Hex32
    remote: bool


class Match(_Shape):
    """One line of an export."""

    format: Literal["least-score/match/1"]
    tournament: Text
    match_id: Text
    block_id: Hex32
    block: Count
    rotation: Count
    attempt: Ordinal
    commitment: Hex32
    secret: Hex32 | None
    beacon: Text
    entries: list[Entry]
    lineup: Annotated[list[Hex32], Field(min_length=2, max_length=10)]
    seed: Hex32
    sandbox: Literal["none", "watchdog", "full"]
    limits: dict[str, Scalar]
    variant: dict[str, Scalar]
    seats: Annotated[list[Bot], Field(min_length=2, max_length=10)]
    deals: list[Deal]
    places: list[Ordinal]
    points: list[Count]
    ending: Annotated[str, _one_of([ending.name for ending in Ending])]


def read(line: str | bytes, where: str, report: Report) -> Match | None:
    """The match that a line tells, or None after the report has got what is wrong with it."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        value = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        report.problem(where, TEXT, _unreadable(error))
        return None
    if not isinstance(value, dict):
        report.problem(where, TEXT, "is not a JSON object, as a match is")
        return None
    try:
        return Match.model_validate(value)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False)
        for problem in problems[:MOST_PROBLEMS]:
            place, field = _place(where, problem["loc"])
            report.problem(place, field, _what(problem["msg"], problem["input"]))
        if len(problems) > MOST_PROBLEMS:
            report.problem(where, TEXT, f"has {len(problems) - MOST_PROBLEMS} more problems of this kind")
        return None


def _unreadable(error: Exception) -> str:
    """Why a line is no JSON at all."""
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8: byte {error.start + 1} cannot stand there"
    if isinstance(error, json.JSONDecodeError):
        return f"is not a JSON object: what stands at character {error.pos + 1} is not allowed there"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    return f"cannot be read: {error}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; of a key given twice readers see different values, so it is refused."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {show(twice)} stands twice in one object")
    return found


def _place(where: str, path: tuple[int | str, ...]) -> tuple[str, str]:
    """Split a path into the place (deals and turns by number) and the field there."""
    parts = list(path)
    for level, name in (("deals", "deal"), ("turns", "turn")):
        if len(parts) > 1 and parts[0] == level and isinstance(parts[1], int):
            where, parts = f"{where}, {name} {parts[1]}", parts[2:]
    if parts and parts[0] in ("play", "declare", "forfeit") and ", turn" in where:
        tag = parts.pop(0)
        where = f"{where} (action {tag})"
    return where, ".".join(str(part)[:40] for part in parts if part != "[key]") or "value"


def _what(message: str, value: object) -> str:
    if message == "Field required":
        return "is missing"
    if message == "Extra inputs are not permitted":
        return "is a key that the format does not know here"
    found = f"is {show(value)}" if value is None or isinstance(value, str | int | float) else "is wrong"
    return f"{found}: {message[0].lower()}{message[1:]}"
