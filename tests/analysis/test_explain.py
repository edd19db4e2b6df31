"""What a turn was worth beside the best that the reference finds."""

import numpy as np
import pytest

from arena.analysis.evaluation import Estimate, evaluate
from arena.analysis.explain import Accuracy, Judgement, accuracy, is_level, judge
from arena.analysis.policies import Greedy
from arena.game.actions import Action, Declare
from arena.game.chance import SeededChance
from arena.game.rules import decide, evolve, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe
from tests.game.tables import lay, play

SEED = bytes(range(8))


def judged(state: State, chosen: Action | None, seed: bytes = SEED, worlds: int = 60) -> Judgement:
    return judge(observe(state, state.seat), chosen, seed, worlds)


def kings() -> State:
    return lay("Kc Kh 9c", "Ac 2c", upcard="9h", lap=1)


def test_a_blunder_is_told_apart_from_the_best() -> None:
    found = judged(kings(), Declare())
    assert found.chosen.action == Declare()
    assert found.is_told_apart
    assert found.chosen.loss > 10
    assert found.best.action == found.estimates[0].action != Declare()


def test_the_best_action_loses_nothing() -> None:
    best = judged(kings(), None).best.action
    found = judged(kings(), best)
    assert found.chosen is found.best
    assert is_level(found.chosen)
    assert not found.is_told_apart


def test_an_action_that_differs_from_the_best_in_suits_alone_is_the_best_too() -> None:
    table = lay("Ac Ad", "Kc Kd Ks Qc Qd", upcard="9h", lap=0)
    found = judged(table, play("Ac"))
    assert found.best is found.chosen if is_level(found.chosen) else found.chosen.loss != 0
    assert judged(table, play("Ad")).chosen.loss == found.chosen.loss


def test_the_best_is_chosen_on_other_worlds_than_those_on_which_it_is_measured() -> None:
    """On the same worlds no other action could ever look better."""
    table = lay("4c 8c Td Qh Ks", "2c 3d 5h 9s Jd", upcard="5c")
    found = [judged(table, None, bytes([seed] * 8), worlds=3) for seed in range(10)]
    assert any(one.loss < 0 for judgement in found for one in judgement.estimates)


def test_a_judgement_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    assert judged(kings(), play("9c")) == judged(kings(), play("9c"))
    assert judged(kings(), play("9c")) != judged(kings(), play("9c"), bytes(8))


def test_cards_that_the_seat_cannot_see_change_nothing() -> None:
    other = lay("Kc Kh 9c", "7d Qs", upcard="9h", lap=1)
    assert judged(kings(), play("9c")) == judged(other, play("9c"))


@pytest.mark.slow
def test_who_plays_what_the_reference_finds_loses_nothing_on_the_mean_and_a_simple_player_does() -> None:
    """Both the choice and the best are found on worlds of their own, so neither is favoured."""
    reference, greedy = [], []
    chance = np.random.default_rng(3)
    state = new_match(Variant(threshold=0, deal_cap=12), 2, SeededChance(bytes(32), 1))
    while state.outcome is None:
        seen, seed = observe(state, state.seat), bytes([state.turn % 256] * 8)
        chosen = evaluate(seen, chance, 100).estimates[0].action
        reference.append(judge(seen, chosen, seed, 100))
        greedy.append(judge(seen, Greedy()(seen), seed, 100))
        evolve(state, decide(state, chosen))
    found, simple = accuracy(reference), accuracy(greedy)
    assert found.turns > 60
    assert abs(found.loss) < 5 * found.loss_error
    assert simple.loss > 10 * simple.loss_error


def loss(value: float, error: float) -> Judgement:
    one = Estimate(Declare(), 0.0, 0.0, 0.0, 0.0, value, error)
    return Judgement(100, 0.5, 0.05, one, one, (one,))


@pytest.mark.parametrize(("value", "error", "expected"), [(1.0, 0.4, True), (1.0, 0.6, False), (-1.0, 0.1, False)])
def test_a_loss_is_told_apart_beyond_its_interval(value: float, error: float, expected: bool) -> None:
    assert loss(value, error).is_told_apart is expected


def test_accuracy_is_the_mean_loss_with_the_error_of_independent_turns() -> None:
    found = accuracy([loss(1.0, 0.3), loss(0.0, 0.0), loss(2.0, 0.4)])
    assert (found.turns, found.loss) == (3, 1.0)
    assert found.loss_error == pytest.approx(0.5 / 3)
    assert accuracy([]) == Accuracy(0, 0.0, 0.0)
