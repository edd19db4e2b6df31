import numpy as np

from arena.analysis.match_share import share_of_match
from arena.game.variant import Variant
from arena.game.view import observe
from tests.game.tables import lay


def costs(points: tuple[int, int], *deals: tuple[int, int]) -> list[float]:
    table = lay("Kc 9d", "Qh 8s", upcard="2h", points=points, variant=Variant(threshold=50))
    return [round(cost, 3) for cost in share_of_match(observe(table, 0))(np.array(deals)).tolist()]


def test_equal_points_are_half_of_the_match() -> None:
    assert costs((20, 20), (0, 0)) == [-0.5]


def test_a_point_weighs_more_near_the_threshold() -> None:
    far, near = (costs(points, (0, 0), (10, 0)) for points in ((0, 0), (35, 0)))
    assert near[1] - near[0] > far[1] - far[0]


def test_who_knocks_out_the_other_has_all_and_who_is_out_nothing() -> None:
    assert costs((40, 45), (0, 6), (11, 0), (10, 6)) == [-1.0, 0.0, -1.0]


def test_when_all_are_out_the_fewest_points_have_it() -> None:
    assert costs((40, 40), (20, 15), (15, 20), (20, 20)) == [0.0, -1.0, -0.5]
