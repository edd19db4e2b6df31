from collections.abc import Sequence

import numpy as np
import pytest

from arena.analysis.evaluation import Evaluation, evaluate, to_be_ahead
from arena.game.actions import Action, Declare
from arena.game.cards import RANK
from arena.game.rules import legal_actions
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe
from tests.game.tables import do, forfeit, lay, play
from tests.wire.walking import walk


def judged(state: State, worlds: int = 60, also: Action | None = None, against: Action | None = None) -> Evaluation:
    return evaluate(observe(state, state.seat), np.random.default_rng(5), worlds, also=also, against=against)


def by_rank(actions: Sequence[Action]) -> set[object]:
    """Actions by what their cards are worth in the playouts."""
    return {
        one if isinstance(one, Declare) else (bytes(sorted(one.discard.translate(RANK))), one.take and RANK[one.take])
        for one in actions
    }


@pytest.mark.parametrize(
    ("seats", "variant"),
    [(2, Variant()), (8, Variant(upcard=False)), (3, Variant(decks=2, mixed_pairs=True)), (2, Variant(lap_cap=2))],
)
def test_every_action_is_estimated_once_the_best_first(seats: int, variant: Variant) -> None:
    for turn, state in enumerate(walk(seats, seats, variant)):
        if turn % 7 == 0 and turn < 60:
            estimates = judged(state, worlds=4).estimates
            assert by_rank([one.action for one in estimates]) == by_rank(list(legal_actions(state)))
            assert [one.score for one in estimates] == sorted(one.score for one in estimates)
            assert estimates[0].loss == 0


def test_the_lowest_hand_is_declared_and_its_points_are_sure() -> None:
    table = lay("Ac Ad", "Kc Kd Ks Qc Qd", upcard="9h", lap=1)
    judgement = judged(table)
    assert judgement.estimates[0].action == Declare()
    assert (judgement.lowest, judgement.lowest_error) == (1.0, 0.0)
    assert (judgement.estimates[0].points, judgement.estimates[0].points_error) == (0.0, 0.0)


def test_a_high_hand_is_not_declared() -> None:
    judgement = judged(lay("Kc Kh 9c", "Ac 2c", upcard="9h", lap=1))
    (declared,) = [one for one in judgement.estimates if one.action == Declare()]
    assert declared.loss > 10 > 3 * declared.loss_error
    assert judgement.lowest < 0.2


def test_a_pair_of_kings_goes_before_a_single_one() -> None:
    judgement = judged(lay("Kc Kh 5c 3h As", "9c 8c 7h 4d 2s", upcard="Qh"), worlds=500)
    assert judgement.estimates[0].action == play("Kc Kh")


def test_the_chosen_action_is_among_the_estimates_in_its_own_suits() -> None:
    table = lay("Kc Kh 5c 3h As", "9c 8c 7h 4d 2s", upcard="Qh")
    for chosen in (play("Kh"), play("Kc"), play("As", "Qh")):
        assert chosen in [one.action for one in judged(table, also=chosen).estimates]


def test_losses_are_measured_against_another_action_when_one_is_given() -> None:
    table = lay("Kc Kh 5c 3h As", "9c 8c 7h 4d 2s", upcard="Qh", lap=1)
    from_the_best = judged(table).estimates
    for against in (play("5c"), play("As", "Qh"), Declare()):
        (base,) = [one for one in judged(table, also=against).estimates if one.action == against]
        measured = judged(table, against=against).estimates
        assert [one.loss for one in measured] == pytest.approx([one.loss - base.loss for one in from_the_best])
        assert min(one.loss for one in measured) < 0 in [one.loss_error for one in measured]


def test_the_same_chance_gives_the_same_and_hidden_cards_change_nothing() -> None:
    one = lay("Kc 9d 2c 3c", "Qh 8s 4h", upcard="2h")
    other = lay("Kc 9d 2c 3c", "Qd 8h 5c", upcard="2h")
    assert judged(one) == judged(one) == judged(other)


def test_a_seat_that_forfeited_does_not_play_on() -> None:
    table = lay("Kc 9d", "Ac", "5d 4d", upcard="2h")
    do(table, play("Kc"))
    forfeit(table)
    assert judged(table).estimates


def test_the_last_play_of_the_last_lap_ends_in_a_showdown() -> None:
    table = lay("Kc", "Ac", upcard="2h", variant=Variant(lap_cap=2))
    for action in (play("Kc"), play("Ac", "Kc"), play("2c")):
        do(table, action)
    (taken,) = [one for one in judged(table).estimates if one.action == play("Kc", "2c")]
    assert 0 <= taken.points < 0.5


def test_who_plays_to_be_ahead_counts_the_points_of_one_opponent_as_much_as_its_own() -> None:
    assert to_be_ahead(np.array([[3, 10], [22, 0]])).tolist() == [-7, 22]
    assert to_be_ahead(np.array([[3, 8, 10, 12]])).tolist() == [-2]
