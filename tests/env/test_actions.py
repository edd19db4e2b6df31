"""Actions as numbers: each legal action has one, and the mask tells exactly these."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.env.actions import ActionNumbers, action_numbers
from arena.game.actions import Action, Declare, Play
from arena.game.cards import parse_cards
from arena.game.chance import SeededChance
from arena.game.errors import IllegalAction, IllegalReason
from arena.game.rules import decide, evolve, legal_actions, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe
from tests.env.tables import tables
from tests.game.tables import TWO_DECKS, lay, play

FIVE = action_numbers(5)


def said(action: Action) -> Action:
    """The action with its cards in canonical order: in which order they are named means nothing."""
    return Play(bytes(sorted(action.discard)), action.take) if isinstance(action, Play) else action


@settings(max_examples=40, deadline=None)
@given(tables(), st.binary(min_size=32, max_size=32), st.lists(st.integers(0, 999), max_size=40))
def test_the_mask_is_exactly_the_legal_actions_each_with_one_number(
    table: tuple[Variant, int], seed: bytes, choices: list[int]
) -> None:
    variant, seats = table
    numbers = action_numbers(variant.hand_size)
    state = new_match(variant, seats, SeededChance(seed, variant.decks))
    for choice in [*choices, 0]:
        if state.outcome is not None:
            break
        seen = observe(state, state.seat)
        legal = list(map(said, legal_actions(state)))
        allowed = numbers.mask(seen).nonzero()[0].tolist()
        assert sorted(numbers.encode(action, seen) for action in legal) == allowed
        assert {numbers.decode(number, seen) for number in allowed} == set(legal)
        evolve(state, decide(state, legal[choice % len(legal)]))


@pytest.mark.parametrize(("hand_size", "count"), [(1, 3), (2, 10), (3, 29), (5, 187), (6, 373), (25, 410_431)])
def test_there_are_as_many_numbers_as_sets_times_takes_and_one_to_declare(hand_size: int, count: int) -> None:
    numbers = ActionNumbers(hand_size)
    assert numbers.count == numbers.declare + 1 == count


@pytest.mark.parametrize(
    ("number", "action"),
    [
        (0, play("7c")),
        (7, play("8d", "3c")),
        (14, play("7h", "2h")),
        (30, play("7c 8d")),
        (180, play("7c 8d 7h 5s 9s")),
        (186, Declare()),
    ],
)
def test_numbers_mean_what_the_page_says(number: int, action: Action) -> None:
    table = lay("7c 8d 7h 5s 9s", "Kc")
    table.open = parse_cards("3c 2h")
    assert FIVE.decode(number, observe(table, 0)) == action


def test_of_two_cards_that_look_alike_the_first_is_meant() -> None:
    table = two_alike()
    seen = observe(table, 0)
    assert FIVE.decode(0, seen) == FIVE.decode(6, seen) == play("5c")
    assert FIVE.decode(1, seen) == FIVE.decode(2, seen) == play("5c", "9c")
    mask = FIVE.mask(seen)
    assert (mask[0], mask[6], mask[1], mask[2]) == (1, 0, 1, 0)


def two_alike() -> State:
    """Two decks: both copies of the five of clubs in the hand, both nines of clubs open."""
    table = lay(bytes([4, 56, 20]), "Kc", variant=TWO_DECKS)
    table.open = bytes([8, 60])
    table.closed = table.closed.translate(None, table.open)
    return table


def test_a_number_for_a_place_that_is_empty_is_illegal() -> None:
    seen = observe(lay("7c 8d", "Kc", upcard="2h"), 0)
    with pytest.raises(IllegalAction) as no_card:
        FIVE.decode(12, seen)
    with pytest.raises(IllegalAction) as no_open_card:
        FIVE.decode(2, seen)
    assert (no_card.value.reason, no_open_card.value.reason) == (
        IllegalReason.CARD_NOT_HELD,
        IllegalReason.CARD_NOT_OPEN,
    )


@pytest.mark.parametrize("number", [-1, 187])
def test_other_numbers_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"actions are numbered 0 to 186: there is no {number}"):
        FIVE.decode(number, observe(lay("7c", "Kc"), 0))


@pytest.mark.parametrize("hand_size", [0, 26])
def test_hands_of_other_sizes_are_refused(hand_size: int) -> None:
    with pytest.raises(ValueError, match=f"hands of 1 to 25 cards: hand_size is {hand_size}"):
        ActionNumbers(hand_size)


def test_the_hand_is_counted_in_canonical_order() -> None:
    seen = observe(lay("Ks 2d Ac", "Kc"), 0)
    assert [FIVE.decode(number, seen) for number in (0, 6, 12)] == [
        Play(parse_cards(card), None) for card in ("Ac", "2d", "Ks")
    ]
