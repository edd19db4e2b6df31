"""Results and reports as JSON, for ratings without a database: lines of text in, one document out.

The lines come from anybody: whatever is wrong with one is told in one sentence with the number of the line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from arena.rating.bot_rows import BotReport
from arena.rating.counts import MatchResult
from arena.rating.errors import BadResultsError
from arena.rating.report import Report
from arena.rating.results import Block, Results

MOST_SEATS = 64
LONGEST_NAME = 200
LONGEST_LINE = 100_000
MOST_POINTS = 10**9

_REQUIRED = {"block", "seats", "places"}
_OPTIONAL = {"points", "deals"}

_EXAMPLE = '{"block": "q1", "seats": ["A", "B"], "places": [1, 2]}'

_BYTE_ORDER_MARK = "\ufeff"


class DocumentError(BadResultsError):
    """A line of results does not say what it must; the message names the line by its number, from 1."""


def parse_results(lines: Iterable[bytes | str]) -> Results[str]:
    """Read one match a line, `{"block": "q1", "seats": ["A", "B", "C"], "places": [1, 2, 2]}`; blank lines are skipped.

    Matches of one block share their deals and may stand anywhere. Of places only the order matters: level seats have
    the same one, and the next may count them one by one (1, 1, 3) or together (1, 1, 2). A line may also have `points`
    (one whole number a seat, fewer being better) together with `deals` (how many the match had). A byte order mark
    before the first line is no part of it. Raises DocumentError for the first line that has anything else.
    """
    blocks: dict[str, list[MatchResult[str]]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            text = _text(line)
            if number == 1 and not (text := text.removeprefix(_BYTE_ORDER_MARK)).strip():
                continue
            block, match = _match(_object(text))
        except DocumentError as error:
            raise DocumentError(f"line {number}: {error}") from None
        except RecursionError:
            raise DocumentError(f"line {number}: nested too deeply; a line is one flat object") from None
        blocks.setdefault(block, []).append(match)
    return Results.from_blocks(Block(key, tuple(matches)) for key, matches in blocks.items())


def _text(line: bytes | str) -> str:
    """Decode a line that is not endless."""
    if len(line) > LONGEST_LINE:
        raise DocumentError(f"longer than {LONGEST_LINE} characters; a line holds one match")
    try:
        return line.decode("utf-8") if isinstance(line, bytes) else line
    except UnicodeDecodeError:
        raise DocumentError("not UTF-8; save the file as UTF-8 text") from None


def _object(text: str) -> dict[str, Any]:
    """Read a line of strict JSON: no key twice, no NaN."""
    try:
        found = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"not JSON: what stands at character {error.pos + 1} is not allowed there; a line is one object, "
            f"such as {_EXAMPLE}"
        ) from None
    except DocumentError:
        raise
    except ValueError:
        raise DocumentError("a number in it has too many digits") from None
    if not isinstance(found, dict):
        raise DocumentError(f"not an object; a line is such as {_EXAMPLE}")
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
        raise DocumentError(f"the key {_shown(twice)} is there twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise DocumentError(f"{name} is not a number that JSON has")


def _match(found: Mapping[str, Any]) -> tuple[str, MatchResult[str]]:
    if missing := sorted(_REQUIRED - found.keys()):
        raise DocumentError(f"the key {_shown(missing[0])} is missing")
    if unknown := sorted(found.keys() - _REQUIRED - _OPTIONAL):
        raise DocumentError(
            f"unknown key {_shown(unknown[0])}; a line is such as {_EXAMPLE}, and may have points and deals besides"
        )
    if ("points" in found) != ("deals" in found):
        raise DocumentError("points and deals belong together: give both or neither")
    seats = _list(found["seats"], "seats")
    if not 2 <= len(seats) <= MOST_SEATS:
        raise DocumentError(f"a match has 2 to {MOST_SEATS} seats, not {len(seats)}")
    bots = tuple(_name(seat, "a seat") for seat in seats)
    match = MatchResult(
        seats=bots,
        places=_places(found["places"], len(bots)),
        faulted=(False,) * len(bots),
        points=_numbers(found["points"], "points", len(bots), -MOST_POINTS, MOST_POINTS) if "points" in found else (),
        deals=_whole(found["deals"], "deals must be a whole number", 1, MOST_POINTS) if "deals" in found else 0,
    )
    return _name(found["block"], "the block"), match


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise DocumentError(f"{what} must be a list, not {_shown(value)}")
    return value


def _name(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise DocumentError(f"the name of {what} must be a text that is not empty, not {_shown(value)}")
    if len(value) > LONGEST_NAME:
        raise DocumentError(f"the name of {what} has {len(value)} characters; at most {LONGEST_NAME} are allowed")
    if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
        raise DocumentError(f"the name of {what} holds half a character (a lone surrogate)")
    if value != value.strip():
        raise DocumentError(f"the name of {what} begins or ends with a blank: {_shown(value)}; leave the blank out")
    return value


def _places(value: Any, seats: int) -> tuple[int, ...]:
    places = _numbers(value, "places", seats, 1, seats)
    ahead = 0
    for place in sorted(set(places)):
        if place > ahead + 1:
            raise DocumentError(
                f"place {place} with {ahead or 'none'} of the seats ahead of it in places {_shown(list(places))}; "
                "the best have place 1, level ones the same, such as 1, 2, 2"
            )
        ahead += places.count(place)
    return places


def _numbers(value: Any, what: str, length: int, low: int, high: int) -> tuple[int, ...]:
    numbers = _list(value, what)
    if len(numbers) != length:
        raise DocumentError(f"{what} must be {length}, one for each seat, not {len(numbers)}")
    return tuple(_whole(number, f"{what} must be whole numbers", low, high) for number in numbers)


def _whole(value: Any, must: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise DocumentError(f"{must} from {low} to {high}, not {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    """Show a value of a stranger in a message: in ASCII, one line, and short."""
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


def report_document(report: Report[str]) -> dict[str, Any]:
    """Give a report as plain values for JSON: every number is finite, and None where nothing can be said.

    Bots run from the best to the worst; pairs, each once, by name.
    """
    effect = report.design_effect
    return {
        "bots": [_bot(row) for row in report.bots],
        "pairs": [
            {"a": pair.a, "b": pair.b, "difference": pair.difference, "half_width": pair.half_width, "los": pair.los}
            for pair in report.comparisons.pairs()
        ],
        "design_effect": {"points": effect.points, "places": effect.places},
    }


def _bot(row: BotReport[str]) -> dict[str, Any]:
    return {
        "bot": row.bot,
        "rating": row.rating,
        "field": row.field,
        "half_width": row.half_width,
        "low": row.low,
        "high": row.high,
        "kind": row.kind.value,
        "flag": row.flag,
        "rank": None if row.rank is None else list(row.rank),
        "component": row.component,
        "blocks": row.blocks,
        "matches": row.matches,
    }
