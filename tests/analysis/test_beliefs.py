from itertools import combinations

import numpy as np
import pytest

from arena.analysis.beliefs import Holding, holdings, total_chances
from arena.analysis.counting import Counts, count_cards
from arena.analysis.hands import hand_tables
from arena.analysis.policies import Greedy
from arena.analysis.worlds import sample_worlds
from arena.game.cards import VALUE, fold, parse_cards, total
from arena.game.chance import SeededChance
from arena.game.rules import decide, evolve, new_match
from arena.game.variant import Variant
from arena.game.view import observe
from tests.game.tables import do, lay, play
from tests.wire.walking import walk

EVEN = (1.0,) * 11
FALLING = tuple(0.8**value for value in range(11))


def test_the_last_card_from_the_closed_deck_may_be_any_and_the_others_were_kept() -> None:
    table = lay("Kc 9d 2c 3c", "Qh 8s", "5d 4d", upcard="2h")
    do(table, play("Kc"))
    do(table, play("Qh", "Kc"))
    one, other = holdings(observe(table, 2))
    assert (one.seat, one.known, one.kept, one.fresh) == (0, b"", 3, 1)
    assert (other.seat, other.known, other.kept, other.fresh) == (1, parse_cards("Kc"), 1, 0)


def test_who_has_not_played_yet_may_hold_anything() -> None:
    (other,) = holdings(observe(lay("Kc 9d", "Qh 8s", upcard="2h"), 0))
    assert (other.kept, other.fresh, other.weights) == (2, 0, EVEN)


def test_weights_fall_with_value_and_laps_and_above_a_single_card_thrown() -> None:
    table = lay("Kc 6d 2c", "Qh 8s", upcard="2h")
    do(table, play("6d"))
    do(table, play("8s"))
    (once,) = holdings(observe(table, 1))
    assert once.weights[5] < once.weights[4] < once.weights[1]
    assert once.weights[8] / once.weights[7] > once.weights[7] / once.weights[5]
    do(table, play("2c"))
    do(table, play("Qh"))
    (twice,) = holdings(observe(table, 1))
    assert twice.weights[10] / twice.weights[5] < once.weights[10] / once.weights[8]


@pytest.mark.parametrize("weights", [EVEN, FALLING])
def test_chances_are_those_of_all_sets_of_cards_by_their_weights(weights: tuple[float, ...]) -> None:
    unseen = parse_cards("Ac 2d 2h 5s 9c Kd Qd")
    chances = total_chances(Holding(1, parse_cards("3c"), 3, 0, weights, 0, None, b""), unseen)
    expected = np.zeros(len(chances))
    for cards in combinations(unseen, 3):
        expected[3 + total(bytes(cards))] += np.prod([weights[VALUE[card]] for card in cards])
    assert np.allclose(chances, expected / expected.sum())


def test_a_fresh_card_is_any_unseen_card() -> None:
    chances = total_chances(Holding(1, parse_cards("3c"), 0, 1, FALLING, 0, None, b""), parse_cards("Ac Kd Qd Jd"))
    assert chances == pytest.approx((0,) * 4 + (0.25,) + (0,) * 8 + (0.75,))


def test_worlds_hold_every_unseen_card_once() -> None:
    tables = hand_tables(False)
    for state in walk(7, 4, Variant()):
        view = observe(state, state.seat)
        counts = count_cards(view)
        worlds = sample_worlds(tables, holdings(view, counts), counts, 3, np.random.default_rng(1))
        held = sum(len(hand or b"") for seat, hand in enumerate(state.hands) if seat != state.seat)
        openly = sum(map(len, counts.held.values()))
        assert (tables.size[worlds.hands].sum(axis=1) == held).all()
        unseen = np.bincount([card % 13 for card in counts.unseen + b"".join(counts.held.values())], minlength=13)
        of_deck = len(counts.unseen) + openly - held
        for hands, deck in zip(worlds.hands, worlds.deck, strict=True):
            cards = tables.counts[hands].sum(axis=0) + np.bincount(deck[:of_deck], minlength=13)
            assert cards.tolist() == unseen.tolist()


def test_when_the_deck_is_empty_the_dead_cards_come() -> None:
    counts = Counts(dead=parse_cards("Kc 5c"), open=b"", held={}, unseen=parse_cards("2d"))
    worlds = sample_worlds(
        hand_tables(False), (Holding(1, b"", 1, 0, EVEN, 0, None, b""),), counts, 5, np.random.default_rng(1)
    )
    assert {tuple(sorted(deck)) for deck in worlds.deck.tolist()} == {(4, 12)}


@pytest.mark.slow
def test_what_is_believed_of_totals_is_true_on_the_mean() -> None:
    """Over matches of `Greedy`: the mean of the chances is near the truth, and Bayes tells more than counting alone."""
    believed, true, bayes, counted = [], [], 0.0, 0.0
    for number in range(30):
        state = new_match(Variant(threshold=0, deal_cap=10), 3, SeededChance(bytes([number] * 32), 1))
        while state.outcome is None:
            view = observe(state, state.seat)
            counts = count_cards(view)
            for held in holdings(view, counts):
                chances = total_chances(held, counts.unseen)
                even = total_chances(held._replace(weights=EVEN), counts.unseen)
                truth = total(fold(state.hands[held.seat] or b""))
                believed.append(np.dot(chances, range(len(chances))))
                true.append(truth)
                bayes += np.log(chances[truth])
                counted += np.log(even[truth])
            evolve(state, decide(state, Greedy()(view)))
    assert np.mean(believed) == pytest.approx(np.mean(true), abs=1.0)
    assert bayes > counted + 0.1 * len(true)
