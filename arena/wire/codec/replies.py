"""Replies as answers. Whatever a stranger's program sends becomes an `Answer` or raises `Undecodable`; what an answer
lacks is said in a word and judged elsewhere.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError

from arena.game.actions import Action, Declare, Play
from arena.game.cards import NAMES
from arena.match.player import Answer
from arena.wire.codec.fields import FROM_WIRE, NO_CARD, Undecodable, tag
from arena.wire.v1 import bot_pb2 as pb

_DECLARE = Declare()

(_TURNS,) = tag(pb.TakeTurnsResponse, "turns")
(_TABLE,) = tag(pb.TakeTurnResponse, "table")
(_TURN,) = tag(pb.TakeTurnResponse, "turn")

_LONGEST_KNOWN = 16
"""No action that throws five cards has more bytes."""
_MOST_KNOWN = 1 << 16
_known: dict[bytes, Action] = {pb.TakeTurnResponse(declare=pb.Declare()).SerializeToString(): _DECLARE}
"""Actions by their bytes, as far as they were read before."""

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
    usual = _usual_turns(raw)
    if usual is not None:
        return usual
    try:
        return tuple(map(_answer, pb.TakeTurnsResponse.FromString(raw).turns))
    except DecodeError as error:
        raise Undecodable(f"{len(raw)} bytes are no TakeTurnsResponse: {error}") from error


def _usual_turns(raw: bytes) -> tuple[Answer, ...] | None:
    """The answers, if all have the usual form: table, turn and action in this order, in as few bytes as they take.

    So nearly all come, and an action that is known by its bytes takes a third of the time that reading it does.
    """
    answers: list[Answer] = []
    start, end = 0, len(raw)
    try:
        while start < end:
            size, after = raw[start + 1], start + 11
            stop = start + 2 + size
            if raw[start] != _TURNS or size > 127 or raw[start + 2] != _TABLE or stop > end:
                return None
            turn = 0
            if raw[after] == _TURN:
                turn, after = raw[after + 1], after + 2
                if turn > 127:
                    turn, after = turn & 127 | raw[after] << 7, after + 1
                    if turn >> 14:  # of a third byte
                        return None
            action = _known.get(raw[after:stop])
            if action is None:
                action = _read_action(raw[after:stop])
            answers.append(Answer(int.from_bytes(raw[start + 3 : start + 11], "little"), turn, action, ""))
            start = stop
    except (IndexError, DecodeError, _Unusual):
        return None
    return tuple(answers)


class _Unusual(Exception):  # noqa: N818
    """Bytes that may mean something, but are not the fewest that can."""


def _read_action(raw: bytes) -> Action:
    """The action of a `TakeTurnResponse` without its numbers, if there is nothing else in these bytes."""
    reply = pb.TakeTurnResponse.FromString(raw)
    action = _answer(reply).action
    if action is None or reply.SerializeToString(deterministic=True) != raw or len(raw) > _LONGEST_KNOWN:
        raise _Unusual
    if len(_known) < _MOST_KNOWN:  # a bot that sends ever new ones slows down its own tournament and nothing more
        _known[raw] = action
    return action


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
