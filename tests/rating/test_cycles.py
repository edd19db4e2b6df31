"""Where results contradict an order."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating.cycles import Intransitivity, superiority
from arena.rating.report import rate
from tests.rating import examples
from tests.rating.examples import results


def found(blocks: list[str], prior: float = 1.0) -> Intransitivity[str]:
    return rate(results(blocks), prior=prior).intransitivity


def test_a_circle_of_three_is_all_contradiction() -> None:
    circle = found(examples.CIRCLE, prior=0)
    assert circle.cyclic_share == pytest.approx(1)
    assert [one.bots for one in circle.circles] == [("A", "B", "C")]
    assert circle.circle_count == 1
    assert circle.circles[0].superiority == pytest.approx(0.9775, abs=1e-4)


def test_half_a_circle_is_two_thirds_contradiction() -> None:
    blocks = examples.CIRCLE[:200] + ["A>C", "C>A"] * 50
    assert found(blocks, prior=0).cyclic_share == pytest.approx(0.6667, abs=1e-4)


def test_an_order_has_no_contradiction() -> None:
    order = found(examples.THROUGH_A_THIRD, prior=0)
    assert (order.cyclic_share, order.circles, order.circle_count) == (0.0, (), 0)


def test_a_circle_runs_the_way_its_bots_beat_each_other() -> None:
    reversed_ = [order[::-1] for order in examples.CIRCLE]
    assert [one.bots for one in found(reversed_).circles] == [("A", "C", "B")]


def test_circles_that_are_not_sure_are_not_listed() -> None:
    assert found(examples.CIRCLE[::10]).circle_count == 0


def test_every_circle_is_counted_and_the_surest_listed_first() -> None:
    sure = [order.translate(str.maketrans("ABC", "DEF")) for order in examples.CIRCLE] * 3
    both = found([*examples.CIRCLE, *sure, "A>D", "D>A"])
    assert both.circle_count == 2
    assert [one.bots for one in both.circles] == [("D", "E", "F"), ("A", "B", "C")]


def test_pairs_show_what_they_did_and_what_the_ratings_say() -> None:
    met = found(examples.CIRCLE, prior=0).meetings
    assert list(zip(met.first.tolist(), met.second.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 2)]
    assert met.points.tolist() == [60, 40, 60]
    assert met.expected.tolist() == pytest.approx([50, 50, 50])
    assert met.games.tolist() == met.blocks.tolist() == [100, 100, 100]
    assert met.z.tolist() == pytest.approx([2, -2, 2])


def test_a_pair_is_judged_by_blocks_not_by_matches() -> None:
    once = found(["A>B", "B>A", "A>B", "A>B"]).meetings
    doubled = found(["A>B A>B", "B>A B>A", "A>B A>B", "A>B A>B"]).meetings
    assert doubled.superiority.tolist() == pytest.approx(once.superiority.tolist())


def test_one_block_tells_nothing_of_a_pair() -> None:
    met = found(["A>B B>A A>B"]).meetings
    assert np.isnan(met.z).all() and np.isnan(met.superiority).all()


def test_a_few_blocks_that_agree_are_no_surer_than_as_many_throws() -> None:
    assert found(["A>B"] * 3).meetings.superiority.tolist() == [1 - 0.5**3]


def test_ties_only_are_no_contradiction_and_no_order() -> None:
    level = found(["A=B", "B=A"])
    assert level.cyclic_share is None
    assert level.meetings.superiority.tolist() == [0.5]


def test_the_likelihood_that_a_mean_is_above_zero() -> None:
    values = np.array([12, -3, 5, 8, -1, 4, 9, 2.0])
    error = values.std(ddof=1) / np.sqrt(8)
    assert superiority(values.mean(keepdims=True), error.reshape(1), np.array([8]))[0] == pytest.approx(
        0.9794, abs=1e-4
    )


def test_no_results_have_nothing_to_contradict() -> None:
    nothing = rate(results([], "AB")).intransitivity
    assert (nothing.cyclic_share, nothing.circles, nothing.meetings.first.size) == (None, (), 0)
