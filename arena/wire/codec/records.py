"""Records as canonical bytes and back, and packed for the store.

Fields are written by rising number and defaults left out, so equal matches have equal bytes on every machine. Turns,
of which there are many, are put together by hand; all else is left to protobuf.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

import zstandard
from google.protobuf.message import DecodeError

from arena.game.actions import Declare, Play
from arena.game.cards import DECKS
from arena.game.events import Ending
from arena.game.variant import max_seats
from arena.match.faults import Fault, FaultKind
from arena.match.limits import Limits
from arena.match.record import DealRecord, MatchRecord, TurnRecord
from arena.wire.codec.fields import BYTE, FROM_WIRE, NO_CARD, TO_WIRE, Undecodable, delimited, enum_numbers, tag, varint
from arena.wire.codec.requests import DEAL_ENDS, read_variant, variant_message
from arena.wire.v1 import bot_pb2
from arena.wire.v1 import record_pb2 as pb

LEVEL = 3
"""Of zstandard: a higher one costs much more time than it saves space."""

MOST_BYTES = 64 * 2**20
"""Larger than any record: what a damaged one may pretend to hold is never allocated."""

ENDINGS = enum_numbers(Ending, pb.Ending, "ENDING_")
FAULT_KINDS = enum_numbers(FaultKind, pb.FaultKind, "FAULT_KIND_")

_ENDINGS_READ = {number: member for member, number in ENDINGS.items()}
_FAULT_KINDS_READ = {number: member for member, number in FAULT_KINDS.items()}
_DEAL_ENDS_READ = {number: member for member, number in DEAL_ENDS.items()}

_PLAY = tag(pb.MatchRecord, "play")
_TIMING = tag(pb.MatchRecord, "timing")
_DEALS = tag(pb.MatchPlay, "deals")
_TURNS = tag(pb.Deal, "turns")
_SEATS = (b"", *(tag(pb.Turn, "seat") + BYTE[seat] for seat in range(1, max_seats(2))))
_KIND = tag(pb.Turn, "kind")
_CLOSED = tag(pb.Turn, "closed") + BYTE[1]
_CARDS = tuple(tag(pb.Turn, "card") + BYTE[1] + BYTE[card + 1] for card in range(len(DECKS[-1])))
_FAULT = tag(pb.Turn, "fault")
_PLAY_OF = tuple(seat + _KIND + varint(pb.TURN_KIND_PLAY) + tag(pb.Turn, "discard") for seat in _SEATS)
_KIND_DECLARE = _KIND + varint(pb.TURN_KIND_DECLARE)
_KIND_FORFEIT = _KIND + varint(pb.TURN_KIND_FORFEIT)


class EncodedRecord(NamedTuple):
    """A record as bytes: `play` is canonical, `record` the serialised `MatchRecord` of play and timing."""

    play: bytes
    record: bytes


def encode_record(record: MatchRecord) -> EncodedRecord:
    """The record as bytes; equal matches have equal `play`."""
    head = pb.MatchPlay(
        block_id=record.block_id,
        rotation=record.rotation,
        variant=variant_message(record.variant),
        limits=pb.Limits(**record.limits.as_dict()),
        seats=record.seats,
        seed=record.seed,
    )
    tail = pb.MatchPlay(places=record.places, points=record.points, ending=ENDINGS[record.ending])
    deals = b"".join(delimited(_DEALS, _deal(deal)) for deal in record.deals)
    play = head.SerializeToString(deterministic=True) + deals + tail.SerializeToString(deterministic=True)
    timing = pb.MatchTiming(micros=[turn.micros for deal in record.deals for turn in deal.turns])
    return EncodedRecord(play, delimited(_PLAY, play) + delimited(_TIMING, timing.SerializeToString()))


def conclude_request(table: int, seat: int, record: MatchRecord) -> bytes:
    """A serialised `ConcludeRequest` that tells a seat how its match ended; `table` is its number in its questions."""
    play = encode_record(record).play
    return bot_pb2.ConcludeRequest(table=table, seat=seat, places=record.places, record=play).SerializeToString()


def match_digest(play: bytes) -> bytes:
    """The 32 bytes that stand for what happened in a match: equal for equal play."""
    return hashlib.sha256(play).digest()


def play_digest(raw: bytes) -> bytes:
    """The match digest of a serialised `MatchRecord`, from its play as it stands there. Raises Undecodable."""
    try:
        return match_digest(pb.MatchRecord.FromString(raw).play)
    except DecodeError as error:
        raise Undecodable(f"{len(raw)} bytes are no MatchRecord: {error}") from error


def read_ending(packed: bytes) -> Ending:
    """How the match of a packed record ended, without reading its turns. Raises Undecodable."""
    raw = unpack_record(packed)
    try:
        return _ENDINGS_READ[pb.MatchPlay.FromString(pb.MatchRecord.FromString(raw).play).ending]
    except (DecodeError, KeyError) as error:
        raise Undecodable(f"{len(raw)} bytes are no MatchRecord: {error!r}") from error


def decode_record(raw: bytes) -> MatchRecord:
    """The inverse of `encode_record`, from the serialised `MatchRecord`. Raises Undecodable."""
    try:
        stored = pb.MatchRecord.FromString(raw)
        play = pb.MatchPlay.FromString(stored.play)
    except DecodeError as error:
        raise Undecodable(f"{len(raw)} bytes are no MatchRecord: {error}") from error
    turns = sum(len(deal.turns) for deal in play.deals)
    if turns != len(stored.timing.micros):
        raise Undecodable(f"a MatchRecord of {turns} turns with {len(stored.timing.micros)} times")
    micros = iter(stored.timing.micros)
    try:
        return MatchRecord(
            block_id=play.block_id,
            rotation=play.rotation,
            variant=read_variant(play.variant),
            limits=Limits(**{field: getattr(play.limits, field) for field in Limits().as_dict()}),
            seats=tuple(play.seats),
            seed=play.seed,
            deals=tuple(_read_deal(deal, micros, len(play.seats)) for deal in play.deals),
            places=tuple(play.places),
            points=tuple(play.points),
            ending=_ENDINGS_READ[play.ending],
        )
    except (KeyError, IndexError, ValueError) as error:
        raise Undecodable(f"a MatchRecord that no match can have: {error!r}") from error


def pack_record(record: bytes) -> bytes:
    """A serialised `MatchRecord` as it is stored: compressed, with a checksum."""
    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(record)


def unpack_record(packed: bytes) -> bytes:
    """The inverse of `pack_record`. Raises Undecodable when the bytes were damaged."""
    try:
        size = zstandard.frame_content_size(packed)
        if size > MOST_BYTES:
            raise Undecodable(f"a stored record of {len(packed)} bytes claims to hold {size}")
        return zstandard.ZstdDecompressor().decompress(packed, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise Undecodable(f"a stored record of {len(packed)} bytes cannot be unpacked: {error}") from error


def _deal(deal: DealRecord) -> bytes:
    head = pb.Deal(
        starter=deal.starter,
        hands=[(hand or b"").translate(TO_WIRE) for hand in deal.hands],
        upcard=b"" if deal.upcard is None else BYTE[deal.upcard + 1],
    )
    results = [
        pb.DealResult(seat=seat, total=total, points=points)
        for seat, (total, points) in enumerate(zip(deal.totals, deal.points, strict=True))
        if total is not None
    ]
    tail = pb.Deal(end=DEAL_ENDS[deal.end], results=results)
    turns = b"".join(map(_turn, deal.turns))
    return head.SerializeToString(deterministic=True) + turns + tail.SerializeToString(deterministic=True)


def _turn(turn: TurnRecord) -> bytes:
    seat, action, card, fault, _ = turn
    if isinstance(action, Play):
        discard, take = action
        body = _PLAY_OF[seat] + BYTE[len(discard)] + discard.translate(TO_WIRE)
        if take is None:
            body += _CLOSED
        if card is not None:
            body += _CARDS[card]
    else:
        body = _SEATS[seat] + (_KIND_FORFEIT if action is None else _KIND_DECLARE)
    if fault is not None:
        message = pb.Fault(kind=FAULT_KINDS[fault.kind], reason=fault.reason, strike=fault.strike)
        body += delimited(_FAULT, message.SerializeToString(deterministic=True))
    return delimited(_TURNS, body)


def _read_deal(deal: pb.Deal, micros: Iterator[int], seats: int) -> DealRecord:
    totals: list[int | None] = [None] * seats
    points: list[int | None] = [None] * seats
    for result in deal.results:
        totals[result.seat] = result.total
        points[result.seat] = result.points
    return DealRecord(
        starter=deal.starter,
        hands=tuple(_cards(hand) or None for hand in deal.hands),
        upcard=_cards(deal.upcard)[0] if deal.upcard else None,
        turns=tuple(_read_turn(turn, micros) for turn in deal.turns),
        end=_DEAL_ENDS_READ[deal.end],
        totals=tuple(totals),
        points=tuple(points),
    )


def _read_turn(turn: pb.Turn, micros: Iterator[int]) -> TurnRecord:
    fault = None
    if turn.HasField("fault"):
        fault = Fault(_FAULT_KINDS_READ[turn.fault.kind], turn.fault.reason, turn.fault.strike)
    card = _cards(turn.card)[0] if turn.card else None
    action: Play | Declare | None = None
    if turn.kind == pb.TURN_KIND_PLAY:
        if card is None:
            raise ValueError("a play without the card it brought")
        action = Play(_cards(turn.discard), None if turn.closed else card)
    elif turn.kind == pb.TURN_KIND_DECLARE:
        action = Declare()
    elif turn.kind != pb.TURN_KIND_FORFEIT:
        raise ValueError(f"unknown kind of turn {turn.kind}")
    return TurnRecord(turn.seat, action, card, fault, next(micros))


def _cards(wire: bytes) -> bytes:
    cards = wire.translate(FROM_WIRE)
    if NO_CARD in cards:
        raise ValueError(f"bytes that are no cards: {wire!r}")
    return cards
