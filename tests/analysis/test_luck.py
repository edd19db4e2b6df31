import numpy as np
import pytest

from arena.analysis.luck import SharedOrders, left_of_variance, sample
from arena.analysis.policies import Greedy
from arena.game.chance import SeededChance
from arena.game.variant import Variant
from tests.game.tables import SEED

TWO = Greedy(5), Greedy(8)
ONE_DEAL = Variant(threshold=0, deal_cap=1)


def test_shared_orders_are_one_order_for_all_seats() -> None:
    own = SeededChance(SEED, 1)
    shared = SharedOrders(own)
    assert shared.order(2, "0", 0) is shared.order(2, "1", 0)
    assert shared.order(2, "0", 0) is not shared.order(2, "0", 1)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_block_has_each_policy_in_each_seat_equally_often(seats: int) -> None:
    played = sample(TWO, seats, ONE_DEAL, 2, "here", shared=False)
    assert played.block.tolist() == [block for block in range(2) for _ in range(seats * seats)]
    for seat in range(seats):
        assert np.bincount(played.policy[played.seat == seat]).tolist() == [2 * (seats - seats // 2), 2 * (seats // 2)]


def test_other_names_are_other_cards() -> None:
    one, same, other = (sample(TWO, 2, ONE_DEAL, 4, name, shared=False) for name in ("a", "a", "b"))
    assert np.array_equal(one.points, same.points)
    assert not np.array_equal(one.points, other.points)


def test_luck_that_explains_everything_leaves_nothing() -> None:
    measured, training = (sample(TWO, 2, ONE_DEAL, 12, name, shared=False) for name in ("a", "b"))
    explained, trained = (one.luck @ np.array([2.0, -3.0]) + 1.0 for one in (measured, training))
    assert left_of_variance(measured, explained, training, trained) == pytest.approx(0.0, abs=1e-12)
