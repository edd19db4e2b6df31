"""Questions as bytes. What everybody at a table sees is encoded once and only appended to, since a turn adds one event
to a history that all seats share; the input is an `Observation`, so what a seat must not know cannot get in.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from arena.game.cards import NAMES
from arena.game.discards import legal_discards
from arena.game.events import DealEnd
from arena.game.variant import Crossing, Finish, Variant
from arena.game.view import PastDeal, PublicForfeit, PublicPlay, PublicView, SeatView
from arena.match.player import Question
from arena.wire.codec.fields import BYTE, FROM_WIRE, TO_WIRE, delimited, enum_numbers, tag, varint
from arena.wire.v1 import bot_pb2 as pb

_CROSSING_NUMBERS = enum_numbers(Crossing, pb.Crossing, "CROSSING_")
_FINISH_NUMBERS = enum_numbers(Finish, pb.Finish, "FINISH_")
_CROSSINGS = {number: member for member, number in _CROSSING_NUMBERS.items()}
_FINISHES = {number: member for member, number in _FINISH_NUMBERS.items()}
DEAL_ENDS = enum_numbers(DealEnd, pb.DealEnd, "DEAL_END_")

_TURNS = tag(pb.TakeTurnsRequest, "turns")

_TABLE = tag(pb.TakeTurnRequest, "table")
_TURN = tag(pb.TakeTurnRequest, "turn")
_TURN_LIMIT = tag(pb.TakeTurnRequest, "turn_limit_ms")
_BANK = tag(pb.TakeTurnRequest, "bank_ms")
_LATENCY = tag(pb.TakeTurnRequest, "last_latency_us")
_CHOICE = tag(pb.TakeTurnRequest, "choice_seed") + BYTE[8]
_OBSERVATION = tag(pb.TakeTurnRequest, "observation")

_UPCARD = tag(pb.Observation, "upcard")
_SEATS = tag(pb.Observation, "seats")
_EVENTS = tag(pb.Observation, "events")
_PAST_DEALS = tag(pb.Observation, "past_deals")
_OPEN = tag(pb.Observation, "open")
_CLOSED_COUNT = tag(pb.Observation, "closed_count")
_SEAT = tag(pb.Observation, "seat")
_HAND = tag(pb.Observation, "hand")
_LEGAL_DISCARDS = tag(pb.Observation, "legal_discards")
_FLAGS = {
    (take, declare): pb.Observation(may_take_closed=take, may_declare=declare).SerializeToString()
    for take in (False, True)
    for declare in (False, True)
}

_EVENT_SEAT = tag(pb.Event, "seat")
_EVENT_PLAYED = tag(pb.Event, "played")
_PLAYED_DISCARD = tag(pb.Played, "discard")
_TAKEN = tuple(tag(pb.Played, "taken") + BYTE[card + 1] for card in range(NAMES))
_PLAYED_REFILLED = tag(pb.Played, "refilled")
_DISCARD_CARDS = tag(pb.Discard, "cards")

_PAST_END = tag(pb.PastDeal, "end")
_PAST_DECLARER = tag(pb.PastDeal, "declarer")
_PAST_HANDS = tag(pb.PastDeal, "hands")
_REVEALED_SEAT = tag(pb.RevealedHand, "seat")
_REVEALED_CARDS = tag(pb.RevealedHand, "cards")
_REVEALED_TOTAL = tag(pb.RevealedHand, "total")
_REVEALED_POINTS = tag(pb.RevealedHand, "points")


class TableEncoder:
    """Encodes the questions of one match, in the order of its turns, as serialised `TakeTurnRequest`s.

    The same question may be encoded again; a question of another match needs an encoder of its own.
    """

    __slots__ = ("_deal", "_events", "_past", "_past_count", "_public")

    def __init__(self) -> None:
        self._deal = -1
        self._events = 0
        self._past = b""
        self._past_count = -1
        self._public = b""

    def __call__(self, question: Question) -> bytes:
        """The bytes of one question."""
        table, turn, turn_limit_ms, bank_ms, last_latency_us, choice_seed, observation, bots = question
        view, seat, hand = observation
        events = view.events
        if view.deal != self._deal or len(events) < self._events:
            self._begin_deal(view, bots)
        if len(events) > self._events:
            self._public += b"".join(map(_event, events[self._events :]))
            self._events = len(events)
        open_cards = view.open
        body = b"".join((
            self._public,
            *map(_seat, view.seats),
            _OPEN, BYTE[len(open_cards)], open_cards.translate(TO_WIRE),
            _CLOSED_COUNT, BYTE[view.closed_count],
            _FLAGS[view.may_take_closed, view.may_declare],
            _SEAT, BYTE[seat],
            _HAND, BYTE[len(hand)], hand.translate(TO_WIRE),
        ))  # fmt: skip
        return b"".join((
            _TABLE, table.to_bytes(8, "little"),
            _TURN, varint(turn),
            _TURN_LIMIT, varint(turn_limit_ms),
            _BANK, varint(bank_ms),
            _LATENCY, varint(last_latency_us),
            _CHOICE, choice_seed,
            _OBSERVATION, varint(len(body)), body,
        ))  # fmt: skip

    def _begin_deal(self, view: PublicView, bots: tuple[str, ...]) -> None:
        if self._past_count < 0:
            self._past = pb.Observation(variant=variant_message(view.variant), bots=bots).SerializeToString()
            self._past_count = 0
        self._past += b"".join(map(_past_deal, view.past[self._past_count :]))
        self._past_count = len(view.past)
        self._public = self._past + pb.Observation(deal=view.deal, starter=view.starter).SerializeToString()
        if view.upcard is not None:
            self._public += _UPCARD + BYTE[view.upcard + 1]
        self._deal = view.deal
        self._events = 0


def add_legal_discards(request: bytes) -> bytes:
    """The serialised `TakeTurnRequest` for a bot that wants the list of its legal discards.

    The list follows the request as a second part of its observation, which any reader of protobuf puts together.
    """
    view = pb.TakeTurnRequest.FromString(request).observation
    hand = bytes(view.hand).translate(FROM_WIRE)
    discards = b"".join(map(_legal_discard, legal_discards(hand, read_variant(view.variant))))
    return request + delimited(_OBSERVATION, discards)


def encode_turns(requests: Iterable[bytes]) -> bytes:
    """A serialised `TakeTurnsRequest` out of serialised `TakeTurnRequest`s, which go in as they are."""
    parts: list[bytes] = []
    for request in requests:
        parts += (_TURNS, varint(len(request)), request)
    return b"".join(parts)


def variant_message(variant: Variant) -> pb.Variant:
    """The rule set as a message."""
    fields = variant.as_dict()
    return pb.Variant(
        **fields | {"crossing": _CROSSING_NUMBERS[variant.crossing], "finish": _FINISH_NUMBERS[variant.finish]}
    )


def read_variant(message: pb.Variant) -> Variant:
    """The inverse of `variant_message`. Raises KeyError when an enum has an unknown value."""
    fields = {field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields}
    return Variant(**fields | {"crossing": _CROSSINGS[message.crossing], "finish": _FINISHES[message.finish]})


@lru_cache(maxsize=8192)
def _seat(view: SeatView) -> bytes:
    cards, points, out = view
    return delimited(_SEATS, pb.Seat(cards=cards, points=points, out=out).SerializeToString())


def _event(event: PublicPlay | PublicForfeit) -> bytes:
    if isinstance(event, PublicForfeit):
        message = pb.Event(seat=event.seat, forfeited=pb.Forfeited())
        return delimited(_EVENTS, message.SerializeToString())
    seat, discard, taken, refilled = event
    rest = b"" if taken is None else _TAKEN[taken]
    if refilled:
        rest += _PLAYED_REFILLED + BYTE[refilled]
    return _played_head(seat, len(discard), len(rest)) + discard.translate(TO_WIRE) + rest


@lru_cache(maxsize=1024)
def _played_head(seat: int, thrown: int, rest: int) -> bytes:
    """What stands before the cards of a play: it depends on nothing but who plays and how long the parts are."""
    cards = _PLAYED_DISCARD + BYTE[thrown]
    played = _EVENT_SEAT + BYTE[seat] + _EVENT_PLAYED + BYTE[len(cards) + thrown + rest] + cards
    return _EVENTS + BYTE[len(played) + thrown + rest] + played


def _past_deal(past: PastDeal) -> bytes:
    body = _PAST_END + varint(DEAL_ENDS[past.end])
    if past.declarer is not None:
        body += _PAST_DECLARER + BYTE[past.declarer]
    for seat, (hand, total, points) in enumerate(zip(past.hands, past.totals, past.points, strict=True)):
        if hand is not None:
            sums = _REVEALED_TOTAL + varint(total or 0) + _REVEALED_POINTS + varint(points or 0)
            shown = _REVEALED_SEAT + BYTE[seat] + delimited(_REVEALED_CARDS, hand.translate(TO_WIRE)) + sums
            body += delimited(_PAST_HANDS, shown)
    return delimited(_PAST_DEALS, body)


@lru_cache(maxsize=8192)
def _legal_discard(discard: bytes) -> bytes:
    return delimited(_LEGAL_DISCARDS, delimited(_DISCARD_CARDS, discard.translate(TO_WIRE)))
