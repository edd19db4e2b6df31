"""What a seat may know: built from state and seat, so that what must stay hidden is not even in the type.

Everything here is in names (0 to 51).
"""

from functools import lru_cache
from typing import NamedTuple

from arena.game.cards import NAME, Card, fold
from arena.game.history import PastDeal, PublicEvent, PublicForfeit, PublicPlay
from arena.game.state import State
from arena.game.variant import Variant

__all__ = [
    "Observation",
    "OwnView",
    "PastDeal",
    "PublicEvent",
    "PublicForfeit",
    "PublicPlay",
    "PublicView",
    "SeatView",
    "observe",
    "own_view",
    "public_view",
]


class SeatView(NamedTuple):
    """A seat from outside: how many cards it holds (0 when out), its points, and whether it is out of the match."""

    cards: int
    points: int
    out: bool


class PublicView(NamedTuple):
    """What everybody at the table may know before a turn.

    `seats` is by seat, `events` are those of this deal in order, `past` the finished deals. `open` are the cards
    that the seat to act may take, `may_take_closed` and `may_declare` what else it may do.
    """

    variant: Variant
    deal: int
    starter: int
    upcard: Card | None
    seats: tuple[SeatView, ...]
    events: tuple[PublicEvent, ...]
    past: tuple[PastDeal, ...]
    open: bytes
    closed_count: int
    may_take_closed: bool
    may_declare: bool


class Observation(NamedTuple):
    """All that one seat may know: what is public, and its own hand in canonical order (empty when it is out)."""

    public: PublicView
    seat: int
    hand: bytes


class OwnView(NamedTuple):
    """What the seat to act sees beside the public events of the deal: its hand, sorted, and what it may do."""

    seat: int
    hand: bytes
    open: bytes
    closed_count: int
    may_take_closed: bool
    may_declare: bool


_seat = lru_cache(maxsize=4096)(SeatView)  # the same few come back turn after turn


def observe(state: State, seat: int) -> Observation:
    """Return all that `seat` may know of the match."""
    return Observation(public_view(state), seat, bytes(sorted(fold(state.hands[seat] or b""))))


def own_view(state: State) -> OwnView:
    """Return what the seat to act sees beside the public events of the deal."""
    seat, closed = state.seat, state.closed
    hand = bytes(sorted((state.hands[seat] or b"").translate(NAME)))
    return OwnView(seat, hand, state.open.translate(NAME), len(closed), bool(closed or state.dead), state.may_declare)


def public_view(state: State) -> PublicView:
    """Return what everybody at the table may know."""
    dealt = state.dealt
    upcard = None if dealt is None or dealt.upcard is None else NAME[dealt.upcard]
    seats = [
        _seat(0, points, True) if hand is None else _seat(len(hand), points, False)
        for hand, points in zip(state.hands, state.points, strict=True)
    ]
    return PublicView(
        state.variant,
        state.deal,
        state.starter,
        upcard,
        tuple(seats),
        tuple(state.events_of_deal),
        state.past_deals,
        fold(state.open),
        len(state.closed),
        state.may_take_closed,
        state.may_declare,
    )
