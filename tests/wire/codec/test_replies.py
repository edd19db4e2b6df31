"""Replies of every program in every language become answers; what is wrong with one is said, never raised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from arena.game.actions import Declare, Play
from arena.game.cards import NAMES
from arena.match.player import Answer
from arena.wire.codec import Undecodable, decode_turn, decode_turns
from arena.wire.v1 import bot_pb2 as pb

Decode = Callable[[bytes], tuple[Answer, ...]]
TABLE = 2**64 - 3


def play(*cards: int, **take: Any) -> pb.Play:
    """A play of any numbers at all; the generated types would have cards only."""
    return pb.Play(discard=cast("list[pb.Card]", cards), **take)


def reply(**action: Any) -> bytes:
    return pb.TakeTurnResponse(table=TABLE, turn=300, **action).SerializeToString()


def problem(raw: bytes) -> str:
    (answer,) = decode_turn(raw)
    assert (answer.table, answer.turn, answer.action) == (TABLE, 300, None)
    return answer.problem


def test_every_card_is_read_as_the_card_it_names() -> None:
    for name in range(NAMES):
        raw = reply(play=play(name + 1, open=name + 1))
        assert decode_turn(raw) == (Answer(TABLE, 300, Play(bytes([name]), name), ""),)


def test_a_closed_take_and_a_declaration_are_read() -> None:
    raw = reply(play=play(1, 14, closed=pb.Closed()))
    assert decode_turn(raw)[0].action == Play(bytes([0, 13]), None)
    assert decode_turn(reply(declare=pb.Declare()))[0].action == Declare()


def test_unpacked_lists_and_fields_in_any_order_are_read_too() -> None:
    parts = b"\x18\x09" + b"\x08\x05" + b"\x08\x12"  # open first, then two cards, each a field of its own
    raw = b"\x1a" + bytes([len(parts)]) + parts + b"\x10\xac\x02" + b"\x09" + TABLE.to_bytes(8, "little")
    assert decode_turn(raw) == (Answer(TABLE, 300, Play(bytes([4, 17]), 8), ""),)


def test_fields_of_a_later_version_are_ignored() -> None:
    assert decode_turn(reply(declare=pb.Declare()) + b"\xaa\x06\x03new")[0].action == Declare()


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        (reply(), "NO_ACTION"),
        (reply(play=play(1)), "NO_TAKE"),
        (reply(play=play()), "NO_TAKE"),
        (reply(play=play(0, closed=pb.Closed())), "UNKNOWN_CARD"),
        (reply(play=play(53, closed=pb.Closed())), "UNKNOWN_CARD"),
        (reply(play=play(1, 105, closed=pb.Closed())), "UNKNOWN_CARD"),
        (reply(play=play(-1, closed=pb.Closed())), "UNKNOWN_CARD"),
        (reply(play=play(2**31 - 1, closed=pb.Closed())), "UNKNOWN_CARD"),
        (reply(play=play(1, open=0)), "UNKNOWN_CARD"),
        (reply(play=play(1, open=53)), "UNKNOWN_CARD"),
        (reply(play=play(1, open=-7)), "UNKNOWN_CARD"),
    ],
)
def test_what_is_missing_or_unknown_is_a_problem_of_this_answer(raw: bytes, word: str) -> None:
    assert problem(raw) == word


def test_an_empty_discard_is_readable_and_left_to_the_rules() -> None:
    assert decode_turn(reply(play=play(closed=pb.Closed())))[0].action == Play(b"", None)


def test_an_empty_reply_answers_turn_zero_of_no_table() -> None:
    assert decode_turn(b"") == (Answer(0, 0, None, "NO_ACTION"),)


def test_answers_keep_the_order_and_number_in_which_they_came() -> None:
    turns = [pb.TakeTurnResponse(table=table, turn=1, declare=pb.Declare()) for table in (5, 3, 5)]
    turns.insert(1, pb.TakeTurnResponse(table=9))
    answers = decode_turns(pb.TakeTurnsResponse(turns=turns).SerializeToString())
    assert [answer.table for answer in answers] == [5, 9, 3, 5]
    assert [answer.problem for answer in answers] == ["", "NO_ACTION", "", ""]
    assert decode_turns(b"") == ()


@pytest.mark.parametrize("decode", [decode_turn, decode_turns])
@pytest.mark.parametrize("raw", [b"\xff" * 20, b"\x0a\x7f", b"<html>"])
def test_bytes_that_are_no_reply_are_undecodable(decode: Decode, raw: bytes) -> None:
    with pytest.raises(Undecodable, match=f"{len(raw)} bytes"):
        decode(raw)
