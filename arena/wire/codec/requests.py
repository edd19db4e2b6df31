"""Questions as bytes. What everybody at a table sees is encoded once and only appended to, since a turn adds one event
to a history that all seats share; the input is an `Observation`, so what a seat must not know cannot get in.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from arena.game.cards import NAMES
from arena.game.discards import legal_discards
from arena.game.events import DealEnd
from arena.game.variant import Crossing, Finish, Variant, max_seats
from arena.game.view import OwnView, PastDeal, PublicEvent, PublicForfeit, PublicView, SeatView
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
_SEAT_HAND = tuple(
    tag(pb.Observation, "seat") + BYTE[seat] + tag(pb.Observation, "hand") for seat in range(max_seats(2))
)
_LEGAL_DISCARDS = tag(pb.Observation, "legal_discards")
_FLAGS = tuple(
    tuple(pb.Observation(may_take_closed=take, may_declare=declare).SerializeToString() for declare in (False, True))
    for take in (False, True)
)

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
    """Encodes the turns of one match as serialised `TakeTurnRequest`s.

    It is told what happens at the table, so that each event is encoded once, whoever is asked next; a match needs an
    encoder of its own. Asking changes nothing.
    """

    __slots__ = ("_past", "_past_count", "_public", "_seats", "_seats_joined")

    def __init__(self) -> None:
        self._past = b""
        self._past_count = -1
        self._public = b""
        self._seats: list[SeatView] = []
        self._seats_joined = b""

    def __call__(self, question: Question) -> bytes:
        """The bytes of one question, from nothing but the question."""
        view, seat, hand = question.observation
        self.begin_deal(view, question.bots)
        own = OwnView(seat, hand, view.open, view.closed_count, view.may_take_closed, view.may_declare)
        return self.ask(*question[:6], own)

    def begin_deal(self, public: PublicView, bots: tuple[str, ...]) -> None:
        """All that is public, with the events of the deal so far."""
        if self._past_count < 0:
            self._past = pb.Observation(variant=variant_message(public.variant), bots=bots).SerializeToString()
            self._past_count = 0
        self._past += b"".join(map(_past_deal, public.past[self._past_count :]))
        self._past_count = len(public.past)
        self._public = self._past + pb.Observation(deal=public.deal, starter=public.starter).SerializeToString()
        if public.upcard is not None:
            self._public += _UPCARD + BYTE[public.upcard + 1]
        self._public += b"".join(map(_event, public.events))
        self._seats = list(public.seats)
        self._seats_joined = b"".join(map(_seat, public.seats))

    def add(self, event: PublicEvent) -> None:
        """The next public event of the deal."""
        self._public += _event(event)
        if isinstance(event, PublicForfeit):
            self._change_seat(event.seat, SeatView(0, self._seats[event.seat].points, True))
        elif len(event.discard) > 1:
            cards, points, out = self._seats[event.seat]
            self._change_seat(event.seat, SeatView(cards + 1 - len(event.discard), points, out))

    def _change_seat(self, seat: int, view: SeatView) -> None:
        self._seats[seat] = view
        self._seats_joined = b"".join(map(_seat, self._seats))

    def ask(
        self,
        table: int,
        turn: int,
        turn_limit_ms: int,
        bank_ms: int,
        last_latency_us: int,
        choice_seed: bytes,
        view: OwnView,
    ) -> bytes:
        """The turn after these events as the seat to act is asked."""
        seat, hand, open_cards, closed_count, may_take_closed, may_declare = view
        body = b"".join((
            self._public,
            self._seats_joined,
            _OPEN, BYTE[len(open_cards)], open_cards.translate(TO_WIRE),
            _CLOSED_COUNT, BYTE[closed_count],
            _FLAGS[may_take_closed][may_declare],
            _SEAT_HAND[seat], BYTE[len(hand)], hand.translate(TO_WIRE),
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


@lru_cache(maxsize=1 << 14)  # with few seats most plays have been seen before
def _event(event: PublicEvent) -> bytes:
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
