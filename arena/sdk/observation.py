"""What a bot sees when it is asked: hand, open cards and flags at once, all else when it is read.

Most bots decide without the history, and to make objects of all events would cost ten times the call itself.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from arena.analysis.counting import Counts, count
from arena.game.cards import Card, total
from arena.game.discards import legal_discards
from arena.game.events import DealEnd
from arena.game.history import PastDeal, PublicEvent, PublicForfeit, PublicPlay
from arena.game.variant import Crossing, Finish, Variant
from arena.game.view import Observation as View
from arena.game.view import PublicView, SeatView
from arena.wire.v1 import bot_pb2 as pb

_CARDS = bytes((number - 1) % 256 for number in range(256))
"""For `bytes.translate`: from the contract's numbers of cards to those of `arena.game.cards`."""


class Observation:
    """All that your seat may know on its turn. Cards are names, 0 to 51; collections of cards are `bytes`.

    `hand` is in canonical order, `open` are the cards of which one may be taken, `may_take_closed` and `may_declare`
    say what else is allowed, `seat` is your seat. Nothing needs to be remembered from turn to turn.
    """

    __slots__ = ("_request", "_view", "hand", "may_declare", "may_take_closed", "open", "seat")

    def __init__(self, request: pb.TakeTurnRequest) -> None:
        view = request.observation
        self._request = request
        self._view = view
        self.seat: int = view.seat
        self.hand = bytes(view.hand).translate(_CARDS)
        self.open = bytes(view.open).translate(_CARDS)
        self.may_take_closed: bool = view.may_take_closed
        self.may_declare: bool = view.may_declare

    @property
    def total(self) -> int:
        """The sum of the values of your hand."""
        return total(self.hand)

    def legal_discards(self) -> tuple[bytes, ...]:
        """Every set that you may throw."""
        return legal_discards(self.hand, self.variant)

    def rng(self) -> Random:
        """Chance for a bot that mixes its play: different each turn, and the same when the match is repeated."""
        return Random(self._request.choice_seed)  # noqa: S311 - it hides nothing

    def unseen(self) -> bytes:
        """The cards, sorted, that you cannot place: they are in the closed deck or in hands, and you do not know where.

        What was thrown in this deal is placed until the closed deck is refilled from it. What a seat took openly is
        placed as long as that seat keeps it.
        """
        return self.counts().unseen

    def counts(self) -> Counts:
        """Where the cards are: dead, open, held by others who took them openly, or unseen."""
        return count(self.events, self.upcard, self.seat, self.hand, self.variant.decks)

    def view(self) -> View:
        """The same as the arena's own type, as the functions of `arena.analysis` take it."""
        public = PublicView(
            self.variant, self.deal, self.starter, self.upcard, self.seats, self.events, self.past_deals, self.open,
            self.closed_count, self.may_take_closed, self.may_declare,
        )  # fmt: skip
        return View(public, self.seat, self.hand)

    @property
    def variant(self) -> Variant:
        """The rules of this match."""
        return _variant(self._view.variant.SerializeToString())

    @property
    def deal(self) -> int:
        """The number of the current deal, from 0."""
        return self._view.deal

    @property
    def starter(self) -> int:
        """The seat that had the first turn of this deal."""
        return self._view.starter

    @property
    def upcard(self) -> Card | None:
        """The card turned up at the start of this deal, None without one."""
        return self._view.upcard - 1 if self._view.upcard else None

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """Cards held, points, and whether out of the match, by seat."""
        return tuple(SeatView(seat.cards, seat.points, seat.out) for seat in self._view.seats)

    @property
    def events(self) -> tuple[PublicEvent, ...]:
        """The public events of this deal in order."""
        return tuple(map(_event, self._view.events))

    @property
    def past_deals(self) -> tuple[PastDeal, ...]:
        """The finished deals of this match in order."""
        seats = len(self._view.seats)
        return tuple(_past_deal(deal, seats) for deal in self._view.past_deals)

    @property
    def closed_count(self) -> int:
        """How many cards are in the closed deck."""
        return self._view.closed_count

    @property
    def bots(self) -> tuple[str, ...]:
        """The arena's ids of the bots by seat; empty unless the tournament shows names."""
        return tuple(self._view.bots)

    @property
    def table(self) -> int:
        """A random number that stands for your seat in this match."""
        return self._request.table

    @property
    def turn(self) -> int:
        """The number of this turn in the match, from 0."""
        return self._request.turn

    @property
    def turn_limit_ms(self) -> int:
        """The time for this turn."""
        return self._request.turn_limit_ms

    @property
    def bank_ms(self) -> int:
        """The time left in this match for turns that take longer."""
        return self._request.bank_ms

    @property
    def last_latency_us(self) -> int:
        """What the arena measured for your previous turn of this match, 0 on the first."""
        return self._request.last_latency_us

    @property
    def choice_seed(self) -> bytes:
        """The eight bytes behind `rng`."""
        return self._request.choice_seed


@lru_cache(maxsize=64)
def _variant(raw: bytes) -> Variant:
    message = pb.Variant.FromString(raw)
    fields = {field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields}
    crossing = Crossing[pb.Crossing.Name(message.crossing).removeprefix("CROSSING_")]
    finish = Finish[pb.Finish.Name(message.finish).removeprefix("FINISH_")]
    return Variant(**fields | {"crossing": crossing, "finish": finish})


def _event(event: pb.Event) -> PublicEvent:
    if event.WhichOneof("kind") == "forfeited":
        return PublicForfeit(event.seat)
    played = event.played
    taken = played.taken - 1 if played.taken else None
    return PublicPlay(event.seat, bytes(played.discard).translate(_CARDS), taken, played.refilled)


def _past_deal(deal: pb.PastDeal, seats: int) -> PastDeal:
    hands: list[bytes | None] = [None] * seats
    totals: list[int | None] = [None] * seats
    points: list[int | None] = [None] * seats
    for shown in deal.hands:
        hands[shown.seat] = bytes(shown.cards).translate(_CARDS)
        totals[shown.seat] = shown.total
        points[shown.seat] = shown.points
    return PastDeal(
        end=DealEnd[pb.DealEnd.Name(deal.end).removeprefix("DEAL_END_")],
        declarer=deal.declarer if deal.HasField("declarer") else None,
        hands=tuple(hands),
        totals=tuple(totals),
        points=tuple(points),
    )
