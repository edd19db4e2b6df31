"""A turn that people wrote is read strictly: what no match can have is told in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bots.conformance.corners import fixed_turns
from arena.bots.conformance.reading import ImpossibleTurn, read_question
from arena.game.chance import SeededChance
from arena.game.rules import decide, decide_forfeit, evolve, new_match
from arena.game.variant import Variant
from arena.game.view import observe
from arena.match.player import Question
from arena.wire.codec import TableEncoder
from arena.wire.v1 import bot_pb2 as pb
from tests.fuzz.replies import damage
from tests.game.test_possible import TURNS, anything
from tests.game.test_properties import tables


def turn() -> pb.TakeTurnRequest:
    (found,) = [one for one in fixed_turns() if one.name == "after a showdown"]
    return pb.TakeTurnRequest.FromString(found.request)


def broken(change: Callable[[pb.Observation], object]) -> str:
    request = turn()
    change(request.observation)
    with pytest.raises(ImpossibleTurn) as raised:
        read_question(request.SerializeToString())
    return str(raised.value)


def everybody_else_out(view: pb.Observation) -> None:
    for seat in (0, 2):
        view.seats[seat].out = True


def nothing_to_do(view: pb.Observation) -> None:
    view.ClearField("open")
    view.may_take_closed = False


WRONG: dict[str, tuple[Callable[[pb.Observation], object], str]] = {
    "no seats": (lambda view: view.ClearField("seats"), "seat 1 is asked, but does not play"),
    "a seat that is not there": (lambda view: setattr(view, "seat", 9), "seat 9 is asked, but does not play"),
    "a seat that is out": (lambda view: setattr(view.seats[1], "out", True), "seat 1 is asked, but does not play"),
    "nobody else": (everybody_else_out, "all other seats are out"),
    "a starter that is not there": (lambda view: setattr(view, "starter", 3), "there is no seat 3"),
    "an event of nobody": (lambda view: view.events.add(seat=7), "there is no seat 7"),
    "a hand of nobody": (lambda view: view.past_deals[0].hands.add(seat=8, cards=[1]), "there is no seat 8"),
    "an empty hand": (lambda view: view.ClearField("hand"), "hand has 0 cards, but seats says 5"),
    "a card too many": (lambda view: view.hand.append(pb.ACE_OF_CLUBS), "hand has 6 cards"),
    "nothing to do": (nothing_to_do, "there is nothing that the seat may do"),
    "a card of no name": (lambda view: view.open.append(pb.CARD_UNSPECIFIED), "open holds a number that is no card"),
    "a number beyond all cards": (
        lambda view: view.hand.append(cast(pb.Card, 4000)),
        "hand holds a number that is no card",
    ),
    "the same card twice": (
        lambda view: view.hand.__setitem__(0, view.hand[1]),
        "lies elsewhere, or is there too often",
    ),
    "cards that do not fit": (lambda view: setattr(view, "closed_count", 7), "closed_count is 7, but"),
    "no rules": (lambda view: view.ClearField("variant"), "an enum is not set or unknown"),
    "rules that cannot be played": (lambda view: setattr(view.variant, "hand_size", 40), "too few cards"),
}


@pytest.mark.parametrize("why", WRONG)
def test_a_turn_that_cannot_be_is_refused_with_the_reason(why: str) -> None:
    change, said = WRONG[why]
    told = broken(change)
    assert said in told
    assert "\n" not in told


@given(st.randoms(use_true_random=False), st.integers(0, 49))
def test_damaged_bytes_are_a_turn_or_an_impossible_one(chance: object, number: int) -> None:
    raw = damage(fixed_turns()[number].request, chance)  # type: ignore[arg-type]
    try:
        question = read_question(raw)
    except ImpossibleTurn:
        return
    assert question.observation.hand


@given(tables(), st.binary(min_size=32, max_size=32), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_every_turn_of_a_match_is_read_as_it_was_asked(table: tuple[Variant, int], seed: bytes, chance: Random) -> None:
    variant, seats = table
    state = new_match(variant, seats, SeededChance(seed, variant.decks))
    encode = TableEncoder()
    while state.outcome is None and state.turn < TURNS:
        asked = Question(1, state.turn, 500, 10_000, 0, bytes(8), observe(state, state.seat), ())
        assert read_question(encode(asked)) == asked
        evolve(state, decide_forfeit(state) if chance.randrange(40) == 0 else decide(state, anything(state, chance)))
