"""Matches in this process: whose points are whose, and that they are matches by the rules."""

import numpy as np
import pytest

from arena.analysis.playouts import play_out
from arena.analysis.policies import Greedy
from arena.analysis.selfplay import match_seeds, play_matches
from arena.game.actions import Declare
from arena.game.chance import SeededChance
from arena.game.errors import IllegalAction
from arena.game.rules import new_match
from arena.game.variant import Variant
from tests.game.tables import STANDARD

ONE_DEAL = Variant(threshold=0, deal_cap=1)
SEEDS = match_seeds("here", 5)


def test_each_row_is_the_match_of_its_seed() -> None:
    greedy = Greedy()
    played = play_matches([greedy, Greedy(8), greedy], STANDARD, SEEDS)
    alone = [play_out(new_match(STANDARD, 3, SeededChance(seed, 1)), [greedy, Greedy(8), greedy]) for seed in SEEDS]
    assert played.points.tolist() == [list(one.outcome.points) for one in alone]
    assert played.places.tolist() == [list(one.outcome.places) for one in alone]
    assert played.deals.tolist() == [one.deals for one in alone]


def test_columns_are_by_policy_wherever_it_sits() -> None:
    policies = [Greedy(5), Greedy(20), Greedy(12)]
    played = play_matches(policies, ONE_DEAL, SEEDS, rotate=True)
    for row, (seed, rotation) in enumerate((seed, rotation) for seed in SEEDS for rotation in range(3)):
        lineup = [policies[(seat + rotation) % 3] for seat in range(3)]
        points = play_matches(lineup, ONE_DEAL, [seed]).points[0]
        assert played.points[row].tolist() == [points[lineup.index(policy)] for policy in policies]
    assert len({tuple(row) for row in played.points.tolist()}) > 3


def test_the_same_name_gives_the_same_matches_and_another_name_other_cards() -> None:
    one, same, other = (play_matches([Greedy()] * 2, ONE_DEAL, match_seeds(name, 20)) for name in ("a", "a", "b"))
    assert np.array_equal(one.points, same.points)
    assert not np.array_equal(one.points, other.points)


def test_points_a_deal_are_the_mean_over_matches() -> None:
    played = play_matches([Greedy(), Greedy()], Variant(threshold=0, deal_cap=4), SEEDS)
    assert played.deals.tolist() == [4] * 5
    assert played.points_a_deal() == pytest.approx(played.points.sum(axis=0) / 20)


def test_a_policy_that_breaks_a_rule_is_told_so() -> None:
    with pytest.raises(IllegalAction):
        play_matches([lambda _: Declare(), Greedy()], ONE_DEAL, SEEDS)


def test_no_seeds_are_no_matches() -> None:
    assert play_matches([Greedy()] * 4, ONE_DEAL, ()).points.shape == (0, 4)
