"""Hands that are too large for tables are numbered and thrown as the rules, and `Greedy`, would have it."""

from random import Random

import numpy as np
import pytest

from arena.analysis.hands import NO_RANK
from arena.analysis.large_hands import LargeHands, heaviest
from arena.game.cards import RANK, fold, parse_cards, total
from arena.game.discards import legal_discards
from arena.game.variant import Variant

HANDS = LargeHands()


def number(cards: str) -> int:
    return HANDS.number_of(parse_cards(cards))


def test_a_set_is_numbered_by_its_ranks_and_grows_by_one_card() -> None:
    assert number("Kc 7d 7h") == number("7c 7s Kd") != number("7c Kh Kd")
    assert HANDS.add(np.array([number("7d 7h")]), 12).tolist() == [number("Kc 7d 7h")]


@pytest.mark.parametrize("mixed_pairs", [False, True])
def test_the_heaviest_legal_set_is_thrown(mixed_pairs: bool) -> None:
    chance = Random(5)
    variant = Variant(decks=2, mixed_pairs=mixed_pairs)
    for _ in range(300):
        hand = bytes(fold(bytes(chance.sample(range(104), chance.randint(6, 51)))))
        hands = np.array([HANDS.number_of(hand)])
        assert (HANDS.totals(hands).tolist(), HANDS.sizes(hands).tolist()) == ([total(hand)], [len(hand)])
        move = heaviest(mixed_pairs).move(hands, np.array([0]))
        legal = legal_discards(hand, variant)
        assert HANDS.totals(move.thrown).tolist() == [max(map(total, legal))]
        assert move.thrown.tolist()[0] in {HANDS.number_of(discard) for discard in legal}
        assert move.kept.tolist() == [int(hands[0] - move.thrown[0])]


@pytest.mark.parametrize(("top", "taken"), [("9c 4d", "4d"), ("5c 6c 7c", None), ("", None), ("2c Ad", "Ad")])
def test_the_lowest_open_card_is_taken_if_it_is_cheap(top: str, taken: str | None) -> None:
    hand = np.array([number("Kc Qc 9d 8d 3s 2s")])
    move = heaviest(False).move(hand, np.array([number(top) if top else 0]))
    if taken is None:
        assert move.closed.tolist() == [True]
    else:
        assert (move.closed.tolist(), move.rank.tolist()) == ([False], [RANK[parse_cards(taken)[0]]])
    assert (move.rank.tolist() == [NO_RANK]) is (top == "")


def test_what_is_left_costs_less_with_a_card_that_can_be_thrown_with_others() -> None:
    costs = heaviest(False).costs_after(np.array([number("Kc Qc 7d 7h 3s")]))
    assert costs.shape == (1, 13)
    assert costs[0, 10] < costs[0, 8]  # a jack makes a run
