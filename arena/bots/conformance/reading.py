"""From a turn as bytes back to the question that it puts, checked, since people may have written it by hand."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.message import DecodeError

from arena.game.cards import NAMES
from arena.game.errors import Contradiction, VariantError
from arena.game.possible import check_possible
from arena.game.variant import check_variant
from arena.game.view import Observation, PublicView
from arena.match.player import Question
from arena.sdk.observation import Observation as Seen
from arena.wire.v1 import bot_pb2 as pb


class ImpossibleTurn(ValueError):  # noqa: N818 - named for what the turn is
    """A turn that no match can have; the message says which of its fields cannot be so."""


def read_question(request: bytes) -> Question:
    """The question of a serialised `TakeTurnRequest`, the inverse of its encoding. Raises ImpossibleTurn."""
    try:
        message = pb.TakeTurnRequest.FromString(request)
        _check_numbers(message.observation)
        seen = Seen(message)
        _check(message.observation)
        check_variant(seen.variant, len(seen.seats))
        past = seen.past_deals
    except DecodeError as error:
        raise ImpossibleTurn("not a TakeTurnRequest") from error
    except KeyError as error:
        raise ImpossibleTurn(f"an enum is not set or unknown: {error.args[0]}") from error
    except (VariantError, ValueError) as error:
        raise ImpossibleTurn(str(error)) from error
    public = PublicView(
        seen.variant,
        seen.deal,
        seen.starter,
        seen.upcard,
        seen.seats,
        seen.events,
        past,
        seen.open,
        seen.closed_count,
        seen.may_take_closed,
        seen.may_declare,
    )
    observation = Observation(public, seen.seat, seen.hand)
    try:
        check_possible(observation, seen.turn)
    except Contradiction as error:
        raise ImpossibleTurn(str(error)) from error
    return Question(
        seen.table,
        seen.turn,
        seen.turn_limit_ms,
        seen.bank_ms,
        seen.last_latency_us,
        seen.choice_seed,
        observation,
        seen.bots,
    )


def _check(view: pb.Observation) -> None:
    """Raise ImpossibleTurn for what would be no turn of any match."""
    seats = len(view.seats)
    if view.seat >= seats or view.seats[view.seat].out:
        raise ImpossibleTurn(f"seat {view.seat} is asked, but does not play: seats has {seats} entries")
    if sum(not seat.out for seat in view.seats) < 2:
        raise ImpossibleTurn("all other seats are out, so the match is over")
    named = [view.starter, *(event.seat for event in view.events)]
    named += [hand.seat for past in view.past_deals for hand in past.hands]
    named += [past.declarer for past in view.past_deals]
    if unknown := [seat for seat in named if seat >= seats]:
        raise ImpossibleTurn(f"there is no seat {unknown[0]}: seats has {seats} entries")
    if len(view.hand) != view.seats[view.seat].cards or not view.hand:
        raise ImpossibleTurn(f"hand has {len(view.hand)} cards, but seats says {view.seats[view.seat].cards}")
    if not (view.may_declare or view.may_take_closed or view.open):
        raise ImpossibleTurn("there is nothing that the seat may do")


def _check_numbers(view: pb.Observation) -> None:
    cards: list[tuple[str, Iterable[int]]] = [("hand", view.hand), ("open", view.open)]
    cards += [("events", event.played.discard) for event in view.events]
    cards += [("past_deals", hand.cards) for past in view.past_deals for hand in past.hands]
    cards += [("events", [event.played.taken]) for event in view.events if event.played.taken]
    cards += [("upcard", [view.upcard])] if view.upcard else []
    for field, numbers in cards:
        if not all(1 <= number <= NAMES for number in numbers):
            raise ImpossibleTurn(f"{field} holds a number that is no card")
