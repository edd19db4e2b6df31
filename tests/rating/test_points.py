"""Points a deal with their interval."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating.counts import MatchResult
from arena.rating.points import leads, means
from arena.rating.report import rate
from arena.rating.results import Block, Results
from tests.rating.examples import results

DIFFERENCES = np.array([12, -3, 5, 8, -1, 4, 9, 2.0])


def scored(*points: tuple[int, ...], deals: int = 1) -> tuple[MatchResult[str], ...]:
    return tuple(MatchResult(tuple("AB"), (1, 1), (False, False), each, deals) for each in points)


def test_a_mean_has_an_interval_of_student() -> None:
    found = means(np.zeros(8, dtype=np.intp), DIFFERENCES, 1)
    assert (found.mean[0], found.error[0]) == pytest.approx((4.5, 1.803), abs=5e-4)
    ends = (found.mean[0] - found.half_width[0], found.mean[0] + found.half_width[0])
    assert ends == pytest.approx((0.237, 8.763), abs=1e-3)


@pytest.mark.parametrize("values", [[4.0], [4.0, 4.0, 4.0]])
def test_one_value_and_values_that_are_all_the_same_have_no_interval(values: list[float]) -> None:
    found = means(np.zeros(len(values), dtype=np.intp), np.array(values), 1)
    assert found.mean[0] == 4.0
    assert np.isnan(found.half_width[0])


def test_points_a_deal_run_over_blocks() -> None:
    blocks = [Block(key, scored((0, 2 * int(d)), (0, 0))) for key, d in enumerate(DIFFERENCES)]
    best = rate(Results.from_blocks(blocks)).bots[0]
    assert best.bot == "A"
    assert (best.points_a_deal, best.points_half_width) == pytest.approx((4.5, 4.263), abs=1e-3)


def test_points_are_divided_by_the_deals() -> None:
    found = leads(Results.from_blocks([Block(0, scored((1, 4), deals=6))]))
    assert found is not None
    assert found.mean.tolist() == pytest.approx([0.5, -0.5])


def test_without_points_there_are_none() -> None:
    row = rate(results(["A>B", "B>A"])).bots[0]
    assert (row.points_a_deal, row.points_half_width) == (None, None)


def test_a_bot_that_never_played_has_no_points() -> None:
    report = rate(Results.from_blocks([Block(0, scored((1, 4)))], "ABZ"))
    assert [(row.bot, row.points_a_deal) for row in report.bots][-1] == ("Z", None)
