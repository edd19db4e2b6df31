"""The hand-written part of protobuf's encoding agrees with protobuf itself."""

from __future__ import annotations

import pytest

from arena.wire.codec.fields import FROM_WIRE, NO_CARD, TO_WIRE, delimited, tag, varint
from arena.wire.v1 import bot_pb2 as pb


@pytest.mark.parametrize("number", [0, 1, 127, 128, 300, 16383, 16384, 2**21 - 1, 2**21, 2**31, 2**32 - 1])
def test_numbers_of_every_length_are_written_as_protobuf_does(number: int) -> None:
    assert pb.TakeTurnRequest.FromString(tag(pb.TakeTurnRequest, "turn") + varint(number)).turn == number
    if number:
        message = pb.TakeTurnRequest(turn=number)
        assert message.SerializeToString() == tag(pb.TakeTurnRequest, "turn") + varint(number)


def test_tags_tell_numbers_fixed_numbers_and_what_has_a_length() -> None:
    fixed = tag(pb.TakeTurnRequest, "table") + (5).to_bytes(8, "little")
    assert fixed == pb.TakeTurnRequest(table=5).SerializeToString()
    text = delimited(tag(pb.DescribeResponse, "name"), b"x" * 200)
    assert text == pb.DescribeResponse(name="x" * 200).SerializeToString()
    packed = delimited(tag(pb.Observation, "hand"), bytes([3, 52]))
    assert packed == pb.Observation(hand=[pb.THREE_OF_CLUBS, pb.KING_OF_SPADES]).SerializeToString()


def test_cards_go_to_the_wire_and_back_and_nothing_else_becomes_a_card() -> None:
    cards = bytes(range(104))
    assert cards.translate(TO_WIRE).translate(FROM_WIRE) == cards
    for number in (0, *range(105, 256)):
        assert FROM_WIRE[number] == NO_CARD


def test_the_number_of_a_card_on_the_wire_is_its_name_plus_one() -> None:
    assert pb.Card.Name(TO_WIRE[0]) == "ACE_OF_CLUBS"
    assert pb.Card.Name(TO_WIRE[39 + 12]) == "KING_OF_SPADES"
