"""The fixed turns are what their names say, and such as matches have them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.bots.conformance.corners import CORNERS, TURNS, fixed_turns, ordinary_turns
from arena.bots.conformance.reading import read_question
from arena.bots.conformance.turns import request, state_of
from arena.game.actions import Declare
from arena.game.cards import card_names, total
from arena.game.discards import DiscardKind, check_discard, legal_discards
from arena.game.events import DealEnd
from arena.game.history import PublicForfeit, PublicPlay
from arena.game.legality import check_action
from arena.game.rules import legal_actions
from arena.game.variant import Crossing
from arena.game.view import Observation
from arena.match.player import Question
from arena.wire.codec import TableEncoder


def asked(name: str) -> Question:
    (found,) = [turn for turn in fixed_turns() if turn.name == name]
    return read_question(found.request)


def kinds(seen: Observation) -> set[DiscardKind]:
    variant = seen.public.variant
    hand = bytes(card + 52 * seen.hand[:place].count(card) for place, card in enumerate(seen.hand))
    return {check_discard(hand, discard, variant) for discard in legal_discards(seen.hand, variant)}


def in_seats(seen: Observation) -> int:
    return sum(not seat.out for seat in seen.public.seats)


def points(seen: Observation) -> int:
    return seen.public.seats[seen.seat].points


CLAIMS: dict[str, Callable[[Observation], bool]] = {
    "the first turn without an upcard": lambda seen: not seen.public.open and seen.public.upcard is None,
    "a second turn, so declaring is allowed": lambda seen: seen.public.may_declare,
    "the last seat of eight": lambda seen: seen.seat == 7,
    "an ace alone, so only declaring makes sense": lambda seen: (
        card_names(seen.hand) == "As" and seen.public.may_declare
    ),
    "a king alone": lambda seen: card_names(seen.hand) == "Ks",
    "five open cards": lambda seen: len(seen.public.open) == 5,
    "hands of ten cards": lambda seen: len(seen.hand) == 10,
    "three of a kind": lambda seen: DiscardKind.TWO_PAIRS not in kinds(seen),
    "four of a kind": lambda seen: len(legal_discards(seen.hand, seen.public.variant)) == 12,
    "two pairs of different ranks": lambda seen: DiscardKind.TWO_PAIRS not in kinds(seen),
    "two pairs of different ranks, allowed": lambda seen: DiscardKind.TWO_PAIRS in kinds(seen),
    "a run with a high ace": lambda seen: DiscardKind.RUN in kinds(seen),
    "no run around the ace": lambda seen: DiscardKind.RUN not in kinds(seen),
    "a flush": lambda seen: DiscardKind.FLUSH in kinds(seen),
    "four cards of one suit in a hand of four": lambda seen: DiscardKind.FLUSH not in kinds(seen),
    "a run that is a flush too": lambda seen: {DiscardKind.RUN, DiscardKind.SINGLE} == kinds(seen),
    "two decks, the same card twice": lambda seen: len(set(seen.hand)) == 3,
    "two decks, an open card that is also held": lambda seen: set(seen.public.open) <= set(seen.hand),
    "an empty closed deck above dead cards": lambda seen: not seen.public.closed_count and seen.public.may_take_closed,
    "a closed deck that was refilled": lambda seen: any(
        isinstance(event, PublicPlay) and event.refilled for event in seen.public.events
    ),
    "a closed deck that cannot be taken from": lambda seen: not seen.public.may_take_closed,
    "points on the threshold": lambda seen: points(seen) == seen.public.variant.threshold,
    "a point below the threshold that is out when reached": lambda seen: (
        points(seen) + 1 == seen.public.variant.threshold and seen.public.variant.crossing is Crossing.REACH
    ),
    "no threshold, the last deal": lambda seen: seen.public.deal + 1 == seen.public.variant.deal_cap,
    "after a showdown": lambda seen: seen.public.past[0].end is DealEnd.SHOWDOWN,
    "the seat before has just forfeited": lambda seen: isinstance(seen.public.events[-1], PublicForfeit),
    "half of the seats are out": lambda seen: in_seats(seen) == 3,
    "all but two are out": lambda seen: in_seats(seen) == 2,
    "the longest history, eight seats": lambda seen: len(seen.public.events) > 59 * 8 and len(seen.public.past) == 20,
    "the longest history, ten seats and two decks": lambda seen: len(seen.public.events) > 59 * 10,
}  # fmt: skip


@pytest.mark.parametrize("name", CLAIMS)
def test_a_turn_is_what_its_name_says(name: str) -> None:
    assert CLAIMS[name](asked(name).observation)


def test_the_last_turn_before_a_showdown_ends_the_deal() -> None:
    (corner,) = [corner for corner in CORNERS if corner.name == "the last turn before a showdown"]
    state = state_of(corner)
    assert (state.lap + 1, state.seat) == (corner.variant.lap_cap, state.last_of_lap)


def test_the_greatest_number_does_not_fit_into_a_float() -> None:
    table = asked("the greatest number of a table").table
    assert int(float(table)) != table


def test_there_are_fifty_turns_of_tables_of_their_own() -> None:
    assert len(fixed_turns()) == TURNS
    assert len({read_question(turn.request).table for turn in fixed_turns()}) == TURNS
    assert len({turn.name for turn in fixed_turns()}) == TURNS


def test_each_question_is_read_back_as_it_was_put() -> None:
    for turn in fixed_turns():
        assert TableEncoder()(read_question(turn.request)) == turn.request


def test_an_action_is_legal_for_the_question_as_it_is_for_the_rules() -> None:
    for corner in CORNERS:
        state = state_of(corner)
        seen = read_question(request(corner, state)).observation
        for action in legal_actions(state):
            check_action(seen, action)
        assert seen.public.may_declare == (Declare() in legal_actions(state))


def test_only_one_turn_comes_up_in_no_match() -> None:
    assert [turn.name for turn in fixed_turns() if not turn.possible] == ["a closed deck that cannot be taken from"]


def test_ordinary_turns_go_on_as_long_as_they_are_wanted() -> None:
    turns = list(ordinary_turns(200))
    assert len({turn.request for turn in turns}) == 200
    assert all(total(read_question(turn.request).observation.hand) for turn in turns)
