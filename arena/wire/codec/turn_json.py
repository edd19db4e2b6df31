"""Turns as JSON that people can read and change, and back: protobuf's own mapping of `TakeTurnRequest`.

https://protobuf.dev/programming-guides/json/
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from google.protobuf import json_format

from arena.wire.codec.fields import Undecodable
from arena.wire.v1 import bot_pb2 as pb

MOST_CHARACTERS = 2**20
"""No turn is longer; what is longer was not meant to be one."""

WIDTH = 100
"""What fits into so many columns stands in one line."""


def turns_json(requests: Sequence[bytes]) -> str:
    """A JSON document of serialised `TakeTurnRequest`s: of one turn that message, of more a `TakeTurnsRequest`."""
    turns = [pb.TakeTurnRequest.FromString(request) for request in requests]
    message = turns[0] if len(turns) == 1 else pb.TakeTurnsRequest(turns=turns)
    return _written(json_format.MessageToDict(message, preserving_proto_field_name=True)) + "\n"


def answer_json(reply: bytes) -> Any:
    """A serialised `TakeTurnResponse` as values of JSON. Raises Undecodable."""
    try:
        return json_format.MessageToDict(pb.TakeTurnResponse.FromString(reply), preserving_proto_field_name=True)
    except ValueError as error:
        raise Undecodable(f"{len(reply)} bytes are no TakeTurnResponse: {error}") from error


def read_turns(text: str) -> tuple[bytes, ...]:
    """The inverse of `turns_json`, also for field names in camel case and with defaults left out. Raises Undecodable
    that says which field is wrong."""
    if len(text) > MOST_CHARACTERS:
        raise Undecodable(f"no turn: it is longer than {MOST_CHARACTERS} characters")
    try:
        document = json.loads(text)
    except (RecursionError, ValueError) as error:
        raise Undecodable(f"not JSON: {error}") from error
    if not isinstance(document, dict):
        raise Undecodable("no turn: that is a JSON object, a TakeTurnRequest")
    try:
        if "turns" not in document:
            return (json_format.ParseDict(document, pb.TakeTurnRequest()).SerializeToString(),)
        several = json_format.ParseDict(document, pb.TakeTurnsRequest())
    except json_format.ParseError as error:
        raise Undecodable(f"no turn: {str(error).partition(chr(10))[0].rstrip('. ')}") from error
    if not several.turns:
        raise Undecodable("no turn: its list of turns is empty")
    return tuple(turn.SerializeToString() for turn in several.turns)


def _written(value: Any, indent: str = "") -> str:
    """JSON with short lists and objects in one line."""
    line = json.dumps(value)
    if len(indent + line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_written(part, inner)}" for key, part in value.items()]
    else:
        parts = [_written(part, inner) for part in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{end}"
