"""Replies as answers. Whatever a stranger's program sends becomes an `Answer` or raises `Undecodable`; what an answer
lacks is said in a word and judged elsewhere.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError

from arena.game.actions import Declare, Play
from arena.game.cards import NAMES
from arena.match.player import Answer
from arena.wire.codec.fields import FROM_WIRE, NO_CARD, Undecodable
from arena.wire.v1 import bot_pb2 as pb

_DECLARE = Declare()
_NAMES = FROM_WIRE[: NAMES + 1].ljust(256, bytes((NO_CARD,)))
"""For `bytes.translate`, like `FROM_WIRE`, but only what is the name of a card becomes one."""


def decode_turn(raw: bytes) -> tuple[Answer, ...]:
    """The one answer of a serialised `TakeTurnResponse`. Raises Undecodable."""
    try:
        return (_answer(pb.TakeTurnResponse.FromString(raw)),)
    except DecodeError as error:
        raise Undecodable(f"{len(raw)} bytes are no TakeTurnResponse: {error}") from error


def decode_turns(raw: bytes) -> tuple[Answer, ...]:
    """The answers of a serialised `TakeTurnsResponse`, in its order. Raises Undecodable."""
    try:
        return tuple(map(_answer, pb.TakeTurnsResponse.FromString(raw).turns))
    except DecodeError as error:
        raise Undecodable(f"{len(raw)} bytes are no TakeTurnsResponse: {error}") from error


def _answer(reply: pb.TakeTurnResponse) -> Answer:
    kind = reply.WhichOneof("action")
    if kind == "declare":
        return Answer(reply.table, reply.turn, _DECLARE, "")
    if kind is None:
        return Answer(reply.table, reply.turn, None, "NO_ACTION")
    play = reply.play
    try:
        discard = bytes(play.discard).translate(_NAMES)
    except ValueError:  # a number that does not even fit into a byte
        return Answer(reply.table, reply.turn, None, "UNKNOWN_CARD")
    source = play.WhichOneof("take")
    if source is None:
        return Answer(reply.table, reply.turn, None, "NO_TAKE")
    take = None if source == "closed" else play.open - 1
    if NO_CARD in discard or (take is not None and not 0 <= take < NAMES):
        return Answer(reply.table, reply.turn, None, "UNKNOWN_CARD")
    return Answer(reply.table, reply.turn, Play(discard, take), "")
