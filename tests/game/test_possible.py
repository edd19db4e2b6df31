"""Every turn of a match is possible, and one in which a single thing is otherwise is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game.actions import Action, Declare, Play
from arena.game.cards import ONE, fold, parse_card, parse_cards
from arena.game.chance import SeededChance
from arena.game.discards import legal_discards
from arena.game.errors import Contradiction
from arena.game.events import DealEnd
from arena.game.possible import check_possible
from arena.game.rules import decide, decide_forfeit, evolve, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import Observation, observe
from tests.game.tables import do, forfeit, lay, play
from tests.game.test_properties import tables

Change: TypeAlias = Callable[[Observation], Observation]

TURNS = 80
"""So many turns of a match are looked at."""

LARGE = 7
"""Of hands with more cards than this only single cards are thrown: they have too many sets."""


def anything(state: State, chance: Random) -> Action:
    """A legal action, rarely the end of the deal."""
    hand = state.hands[state.seat] or b""
    if state.may_declare and chance.randrange(6) == 0:
        return Declare()
    singles = [ONE[name] for name in fold(hand)]
    discards = legal_discards(hand, state.variant) if len(hand) <= LARGE else singles
    return Play(chance.choice(discards), chance.choice([None, *fold(state.open)]))


@given(tables(), st.binary(min_size=32, max_size=32), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_every_turn_of_a_match_is_possible(table: tuple[Variant, int], seed: bytes, chance: Random) -> None:
    variant, seats = table
    state = new_match(variant, seats, SeededChance(seed, variant.decks))
    while state.outcome is None and state.turn < TURNS:
        check_possible(observe(state, state.seat), state.turn)
        evolve(state, decide_forfeit(state) if chance.randrange(40) == 0 else decide(state, anything(state, chance)))


def first_turn() -> Observation:
    return observe(lay("4c 5d 9s Kh 2c", "6c 7c 7h Qd 3d", "Tc Td 8s Js As", upcard="9h"), 0)


def played() -> State:
    """A first deal of three before its fifth turn; what came from the closed deck are Ac, 3c and 5c."""
    state = lay("4c 5d 9s Kh 2c", "6c 7c 7h Qd 3d", "Tc Td 8s Js As", upcard="9h")
    for action in (play("Kh", "9h"), play("7c 7h"), play("Tc Td", "7h"), play("4c")):
        do(state, action)
    return state


def second_lap() -> Observation:
    return observe(played(), 1)


def third_lap() -> Observation:
    state = played()
    do(state, play("6c"))
    do(state, play("As"))
    return observe(state, 0)


def second_deal() -> Observation:
    state = played()
    do(state, Declare())
    return observe(state, 1)


def after_a_forfeit() -> Observation:
    state = played()
    forfeit(state)
    return observe(state, 2)


TURN = {first_turn: 0, second_lap: 4, third_lap: 6, second_deal: 5, after_a_forfeit: 5}


@pytest.mark.parametrize("turn", TURN)
def test_these_turns_are_possible_as_they_are(turn: Callable[[], Observation]) -> None:
    check_possible(turn(), TURN[turn])


def told(seen: Observation, turn: int) -> str:
    with pytest.raises(Contradiction) as raised:
        check_possible(seen, turn)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def with_event(number: int, **fields: object) -> Change:
    """Change an event of the deal."""

    def change(seen: Observation) -> Observation:
        events = list(seen.public.events)
        events[number] = events[number]._replace(**fields)  # type: ignore[arg-type]
        return public(events=tuple(events))(seen)

    return change


def with_seat(number: int, **fields: Any) -> Change:
    """Change what is shown of a seat."""

    def change(seen: Observation) -> Observation:
        seats = list(seen.public.seats)
        seats[number] = seats[number]._replace(**fields)
        return public(seats=tuple(seats))(seen)

    return change


def with_past(**fields: object) -> Change:
    """Change the only finished deal."""
    return lambda seen: public(past=(seen.public.past[0]._replace(**fields),))(seen)  # type: ignore[arg-type]


def with_variant(**fields: int) -> Change:
    return lambda seen: public(variant=replace(seen.public.variant, **fields))(seen)  # type: ignore[arg-type]


def public(**fields: object) -> Change:
    """Change what is public."""
    return lambda seen: seen._replace(public=seen.public._replace(**fields))  # type: ignore[arg-type]


def with_hand(cards: str) -> Change:
    return lambda seen: seen._replace(hand=parse_cards(cards))


WRONG: Mapping[str, tuple[Callable[[], Observation], Change, str]] = {
    "too few closed cards": (second_lap, public(closed_count=33), "closed_count is 33, but 34 cards"),
    "too many closed cards": (second_lap, public(closed_count=35), "closed_count is 35, but 34 cards"),
    "no closed take": (second_lap, public(may_take_closed=False), "may_take_closed is false"),
    "no declaring later": (second_lap, public(may_declare=False), "may_declare is false, but the first lap is played"),
    "declaring at once": (first_turn, public(may_declare=True), "may_declare is true, but nobody may in the first lap"),
    "a card less": (second_lap, with_seat(0, cards=4), "seat 0 has 4 cards, but hand_size and events leave it 5"),
    "another open card": (second_lap, public(open=parse_cards("Ks")), "open is Ks, but the cards to take from are 4c"),
    "an open card more": (second_lap, public(open=parse_cards("4c Ks")), "open is 4c Ks, but"),
    "an open card that is no upcard": (first_turn, public(open=parse_cards("Ks")), "open is Ks, but"),
    "the upcard in the hand": (
        first_turn,
        public(upcard=parse_card("Kh"), open=parse_cards("Kh")),
        "Kh lies elsewhere",
    ),
    "no upcard": (first_turn, public(upcard=None), "there is no upcard, against the variant"),
    "an upcard too many": (first_turn, with_variant(upcard=False), "there is an upcard, against the variant"),
    "a thrown card in the hand": (second_lap, with_event(0, discard=parse_cards("3d")), "3d lies elsewhere"),
    "the same card thrown twice": (
        second_lap,
        with_event(3, discard=parse_cards("Kh")),
        "events[3] cannot be: Kh lies",
    ),
    "no set": (second_lap, with_event(1, discard=parse_cards("7c 8h")), "the play of 7c 8h is illegal: the discarded"),
    "nothing thrown": (second_lap, with_event(1, discard=b""), "the play of nothing is illegal"),
    "a take of what is not open": (second_lap, with_event(2, taken=parse_card("8d")), "the card to take is not one of"),
    "a refill of nothing": (second_lap, with_event(3, refilled=9), "refilled is 9, but 0 cards"),
    "an event of another seat": (second_lap, with_event(1, seat=2), "events[1] cannot be: seat 2 acts, but"),
    "another seat to act": (second_lap, lambda seen: observe(played(), 2), "seat 2 is asked, but after these events"),
    "larger hands": (second_lap, with_variant(hand_size=6), "hand_size and events leave it 6"),
    "a hand without what was taken": (third_lap, with_hand("Ac 2c 3c 5d 9s"), "too much beside 9h, which seat 0 took"),
    "laps beyond the last": (third_lap, with_variant(lap_cap=2), "events[5] cannot be: the deal ends with it"),
    "a forfeit without leaving": (
        after_a_forfeit,
        with_seat(1, out=False, cards=4),
        "seat 1 forfeited, but is not out",
    ),
    "out for nothing": (second_lap, with_seat(2, out=True, cards=0), "seat 2 is out, but nothing put it out"),
    "another starter": (second_deal, public(starter=2), "starter is 2, but seat 1 starts"),
    "a deal without those before": (second_lap, public(deal=1), "deal is 1, but 0 deals are finished"),
    "points from nowhere": (second_deal, with_seat(0, points=49), "seat 0 has 49 points, but past_deals give it"),
    "a false total": (second_deal, with_past(totals=(1, 2, 3)), "past_deals[0] cannot be: the hand of seat 0 has"),
    "false points": (second_deal, with_past(points=(1, 2, 3)), "past_deals[0] cannot be: seat 0 got 1 points there"),
    "nobody who declared": (second_deal, with_past(declarer=None), "its end is DECLARED, and its declarer nobody"),
    "a showdown by somebody": (second_deal, with_past(end=DealEnd.SHOWDOWN), "its end is SHOWDOWN, and its declarer"),
    "no hands": (second_deal, with_past(hands=(None,) * 3), "fewer than two hands are shown"),
    "a match that was over": (second_deal, with_variant(deal_cap=1), "the match was over then (DEAL_CAP)"),
}


@pytest.mark.parametrize("why", WRONG)
def test_what_does_not_fit_together_is_told(why: str) -> None:
    turn, change, said = WRONG[why]
    assert said in told(change(turn()), TURN[turn])


@pytest.mark.parametrize(
    ("turn", "number", "said"),
    [
        (second_lap, 5, "turn is 5, but after past_deals and events it is 4"),
        (second_lap, 3, "turn is 3"),
        (second_deal, 3, "turn is 3, but after past_deals and events it is 4 to 180"),
        (second_deal, 181, "turn is 181"),
    ],
)
def test_a_turn_with_another_number_is_told(turn: Callable[[], Observation], number: int, said: str) -> None:
    assert said in told(turn(), number)


def test_a_table_without_closed_and_dead_cards_may_be_asked_about() -> None:
    check_possible(public(closed_count=0, may_take_closed=False)(second_lap()), 4)


@pytest.mark.parametrize(("seed", "hand_size", "seats"), [(3, 51, 2), (15, 25, 4)])
def test_of_two_copies_the_one_taken_openly_may_be_the_one_thrown(seed: int, hand_size: int, seats: int) -> None:
    """Matches in which a seat does so after a refill, and the other copy turns up elsewhere."""
    chance = Random(seed)
    state = new_match(Variant(hand_size=hand_size, decks=2), seats, SeededChance(bytes([seed, 0] * 16), 2))
    while state.deal == 0 and state.turn < 30:
        check_possible(observe(state, state.seat), state.turn)
        evolve(state, decide(state, anything(state, chance)))
