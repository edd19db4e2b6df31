"""A record's bytes are canonical, come back as the same record, and damage is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from arena.game.actions import Declare, Play
from arena.game.cards import parse_card, parse_cards
from arena.game.events import DealEnd, Ending
from arena.game.variant import Crossing, Finish, Variant
from arena.match.faults import Fault, FaultKind
from arena.match.limits import Limits
from arena.match.record import DealRecord, MatchRecord, TurnRecord
from arena.wire.codec import (
    Undecodable,
    conclude_request,
    decode_record,
    encode_record,
    match_digest,
    pack_record,
    play_digest,
    read_ending,
    unpack_record,
)
from arena.wire.v1 import bot_pb2
from arena.wire.v1 import record_pb2 as pb


def a_match() -> MatchRecord:
    """Two deals of three seats that hold one of everything a record can say; not a legal match."""
    first = DealRecord(
        starter=0,
        hands=(parse_cards("As 2s Td Kc 4h"), parse_cards("3d 3h 3s 9c 9d"), parse_cards("Ac Ah Qd Qs 7h")),
        upcard=parse_card("5h"),
        turns=(
            TurnRecord(0, Play(parse_cards("Kc"), parse_card("5h")), parse_card("5h"), None, 812),
            TurnRecord(1, Play(bytes([8, 8 + 52]), None), 52, Fault(FaultKind.TIMEOUT, "", 1), 500_020),
            TurnRecord(2, Play(parse_cards("Qd"), 60), 60, Fault(FaultKind.ILLEGAL_ACTION, "NOT_A_SET", 2), 0),
            TurnRecord(0, Declare(), None, None, 640),
        ),
        end=DealEnd.DECLARED,
        totals=(12, 19, 0),
        points=(0, 7, 20),
    )
    second = DealRecord(
        starter=1,
        hands=(parse_cards("As"), None, parse_cards("Ks")),
        upcard=None,
        turns=(TurnRecord(2, None, None, Fault(FaultKind.CRASHED, "memory", 3), 9),),
        end=DealEnd.FORFEIT,
        totals=(None, None, None),
        points=(None, None, None),
    )
    return MatchRecord(
        block_id=bytes(range(32)),
        rotation=2,
        variant=Variant(decks=2, crossing=Crossing.REACH, finish=Finish.FIRST_OUT, upcard=False),
        limits=Limits(turn_ms=400, show_names=True),
        seats=(b"\x11" * 32, b"\x22" * 32, b"\x33" * 32),
        seed=bytes(range(32, 64)),
        deals=(first, second),
        places=(1, 2, 3),
        points=(0, 7, 20),
        ending=Ending.FORFEIT,
    )


def test_a_record_comes_back_as_it_was() -> None:
    assert decode_record(encode_record(a_match()).record) == a_match()


def test_every_enum_value_comes_back() -> None:
    match = a_match()
    for ending in Ending:
        assert decode_record(encode_record(replace(match, ending=ending)).record).ending is ending
    for end in DealEnd:
        deals = tuple(replace(deal, end=end) for deal in match.deals)
        assert decode_record(encode_record(replace(match, deals=deals)).record).deals == deals
    for kind in FaultKind:
        turns = (TurnRecord(0, Declare(), None, Fault(kind, "", 1), 1),)
        deals = (replace(match.deals[0], turns=turns),)
        assert decode_record(encode_record(replace(match, deals=deals)).record).deals == deals


def test_the_play_is_what_protobuf_itself_would_write() -> None:
    play = encode_record(a_match()).play
    assert pb.MatchPlay.FromString(play).SerializeToString(deterministic=True) == play


def test_the_digest_of_a_match_never_changes() -> None:
    """Digests are kept, compared and published: a change here breaks every stored tournament."""
    digest = match_digest(encode_record(a_match()).play)
    assert digest.hex() == "3ab4131712a2ec8cc3f49851562c36423d7e680d7d1a4b5aee97a56b0fce364e"


def test_the_digest_knows_nothing_of_time_and_everything_of_play() -> None:
    match = a_match()
    play, record = encode_record(match)
    first, second = match.deals
    slower = replace(first, turns=tuple(turn._replace(micros=turn.micros + 1) for turn in first.turns))
    assert encode_record(replace(match, deals=(slower, second))).play == play
    assert encode_record(replace(match, deals=(slower, second))).record != record
    other_card = replace(first, turns=(first.turns[0]._replace(card=3), *first.turns[1:]))
    assert encode_record(replace(match, deals=(other_card, second))).play != play


def test_digest_and_ending_are_read_without_the_turns() -> None:
    encoded = encode_record(a_match())
    assert play_digest(encoded.record) == match_digest(encoded.play)
    assert read_ending(pack_record(encoded.record)) is Ending.FORFEIT


def test_damage_is_noticed_where_only_a_little_is_read() -> None:
    for damaged in (b"", pack_record(b"\xff"), pack_record(b"")):
        with pytest.raises(Undecodable):
            read_ending(damaged)
    with pytest.raises(Undecodable):
        play_digest(b"\xff")


def test_the_second_copy_of_a_card_is_told_from_the_first() -> None:
    play = pb.MatchPlay.FromString(encode_record(a_match()).play)
    assert play.deals[0].turns[1].discard == bytes([9, 61])
    assert play.deals[0].turns[1].card == bytes([53])


def test_a_record_is_packed_and_unpacked() -> None:
    record = encode_record(a_match()).record
    packed = pack_record(record)
    assert len(packed) < len(record)
    assert unpack_record(packed) == record


def test_damage_to_a_packed_record_is_noticed() -> None:
    packed = pack_record(encode_record(a_match()).record)
    chance = Random(1)
    for _ in range(200):
        at = chance.randrange(len(packed))
        damaged = packed[:at] + bytes([packed[at] ^ 1 << chance.randrange(8)]) + packed[at + 1 :]
        try:
            assert unpack_record(damaged) == unpack_record(packed)  # a bit that carries nothing
        except Undecodable:
            continue
    for short in (b"", packed[:-1], packed[:10]):
        with pytest.raises(Undecodable):
            unpack_record(short)


def test_a_small_packed_record_that_claims_to_be_huge_is_refused() -> None:
    with pytest.raises(Undecodable):
        unpack_record(pack_record(bytes(80 * 2**20)))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda play: play.deals[0].turns[0].ClearField("card"),
        lambda play: play.deals[0].turns[0].ClearField("kind"),
        lambda play: setattr(play.deals[0], "upcard", b"\xc8"),
        lambda play: setattr(play.deals[0], "end", 9),
        lambda play: setattr(play, "ending", 0),
        lambda play: setattr(play.variant, "crossing", 0),
        lambda play: setattr(play.limits, "strikes", 0),
        lambda play: setattr(play.deals[0].results[0], "seat", 7),
        lambda play: setattr(play.deals[0].turns[1].fault, "kind", 0),
        lambda play: play.deals[0].turns.add(kind=pb.TURN_KIND_DECLARE),
    ],
)
def test_a_record_that_no_match_can_have_is_refused(spoil: Callable[[pb.MatchPlay], object]) -> None:
    stored = pb.MatchRecord.FromString(encode_record(a_match()).record)
    play = pb.MatchPlay.FromString(stored.play)
    spoil(play)
    stored.play = play.SerializeToString()
    with pytest.raises(Undecodable, match="MatchRecord"):
        decode_record(stored.SerializeToString())


def test_bytes_that_are_no_record_are_refused() -> None:
    with pytest.raises(Undecodable):
        decode_record(b"\xff\xff")


def test_a_conclusion_names_table_seat_and_places_and_reveals_the_match() -> None:
    message = bot_pb2.ConcludeRequest.FromString(conclude_request(2**64 - 1, 2, a_match()))
    assert (message.table, message.seat, list(message.places)) == (2**64 - 1, 2, [1, 2, 3])
    assert message.record == encode_record(a_match()).play
