"""Turns as JSON: what was written is read back, and what is no turn is told in one line."""

from __future__ import annotations

import json

import pytest

from arena.game.variant import Variant
from arena.wire.codec import TableEncoder, Undecodable, read_turns, turns_json
from arena.wire.v1 import bot_pb2 as pb
from tests.tournament.playing import CONTRARY
from tests.wire.walking import ask, walk


def same(request: bytes) -> pb.TakeTurnRequest:
    return pb.TakeTurnRequest.FromString(request)


@pytest.mark.parametrize("variant", [Variant(threshold=0, deal_cap=2), CONTRARY])
def test_every_turn_of_a_match_is_read_back_as_it_was(variant: Variant) -> None:
    encode = TableEncoder()
    for state in walk(3, 4, variant, forfeits=0.01):
        request = encode(ask(state, ("a", "b", "c", "d")))
        (read,) = read_turns(turns_json([request]))
        assert same(read) == same(request)


def test_several_turns_are_one_document() -> None:
    encode = TableEncoder()
    requests = [encode(ask(state)) for state in walk(5, 2, Variant(threshold=0, deal_cap=1))]
    assert len(requests) > 2
    assert list(map(same, read_turns(turns_json(requests)))) == list(map(same, requests))


def test_names_may_be_written_in_camel_case_and_defaults_left_out() -> None:
    (read,) = read_turns('{"turnLimitMs": 500, "observation": {"hand": ["ACE_OF_CLUBS", 2]}}')
    assert same(read) == pb.TakeTurnRequest(
        turn_limit_ms=500, observation=pb.Observation(hand=[pb.ACE_OF_CLUBS, pb.TWO_OF_CLUBS])
    )


def test_a_number_of_a_table_keeps_its_last_digits() -> None:
    text = turns_json([pb.TakeTurnRequest(table=2**64 - 1).SerializeToString()])
    assert json.loads(text)["table"] == str(2**64 - 1)
    assert same(read_turns(text)[0]).table == 2**64 - 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"turn": ' + "9" * 5_000 + "}", "not JSON"),
        ("[1]", "a JSON object, a TakeTurnRequest"),
        ('{"tabel": 3}', 'no field named "tabel"'),
        ('{"turn": -1}', "Value out of range: -1"),
        ('{"turn": 1e400}', "turn"),
        ('{"observation": {"hand": ["ACE_OF_CLUBZ"]}}', "ACE_OF_CLUBZ"),
        ('{"turns": []}', "its list of turns is empty"),
        ('{"turns": 7}', "turns"),
        (" " * 2**21, "longer than"),
    ],
)
def test_what_is_no_turn_is_told_in_one_line(text: str, said: str) -> None:
    with pytest.raises(Undecodable) as raised:
        read_turns(text)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
