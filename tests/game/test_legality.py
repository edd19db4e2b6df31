"""What a seat can tell by itself about an action is what the rules say of it."""

from dataclasses import replace
from random import Random

import pytest

from arena.game.actions import Action, Declare, Play
from arena.game.cards import NAMES
from arena.game.chance import SeededChance
from arena.game.errors import IllegalAction, IllegalReason
from arena.game.legality import check_action
from arena.game.rules import decide, evolve, legal_actions, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe
from tests.game.tables import SEED, lay, play


def by_the_rules(state: State, action: Action) -> IllegalReason | None:
    try:
        decide(state, action)
    except IllegalAction as error:
        return error.reason
    return None


def by_the_view(state: State, action: Action) -> IllegalReason | None:
    try:
        check_action(observe(state, state.seat), action)
    except IllegalAction as error:
        return error.reason
    return None


def anything(rng: Random, state: State) -> Action:
    """Cards of the hand mostly, so that every verdict comes up."""
    hand = [card % NAMES for card in state.hands[state.seat] or b""]
    discard = [rng.choice(hand) if rng.random() < 0.95 else rng.randrange(NAMES) for _ in range(rng.randrange(4))]
    takes = [None, rng.randrange(NAMES), *(card % NAMES for card in state.open)]
    return Declare() if rng.random() < 0.1 else Play(bytes(discard), rng.choice(takes))


VARIANTS = (Variant(), Variant(decks=2, mixed_pairs=True), Variant(hand_size=12))


@pytest.mark.parametrize("variant", [replace(variant, threshold=0, deal_cap=1000) for variant in VARIANTS])
def test_a_view_judges_every_action_as_the_rules_do(variant: Variant) -> None:
    rng = Random(7)
    state = new_match(variant, 4, SeededChance(SEED, variant.decks))
    reasons = set()
    for _ in range(150):
        for action in (anything(rng, state) for _ in range(6)):
            reasons.add(by_the_rules(state, action))
            assert by_the_view(state, action) == by_the_rules(state, action)
        legal = list(legal_actions(state))
        assert {by_the_view(state, action) for action in legal} == {None}
        evolve(state, decide(state, rng.choice(legal)))
    assert len(reasons) >= 6


def test_a_closed_card_is_refused_when_there_is_none() -> None:
    state = lay("7s 7h", "3d 4c", upcard="9s")
    state.closed = b""
    assert by_the_view(state, play("7s")) is IllegalReason.CLOSED_DECK_EMPTY
    assert by_the_view(state, play("7s", "9s")) is None
