"""What duplicate deals save."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating.counts import MatchResult
from arena.rating.luck import FEW_BLOCKS, DesignEffect, design_effect
from arena.rating.results import Block, Results
from tests.rating import examples
from tests.rating.examples import results


def effect_of_points(*blocks: list[tuple[int, int]]) -> float | None:
    made = [
        Block(key, tuple(MatchResult(("A", "B"), (1, 2), (False, False), points, 1) for points in block))
        for key, block in enumerate(blocks)
    ]
    return design_effect(Results.from_blocks(made)).points


def test_the_effect_of_places() -> None:
    assert design_effect(results(examples.BLOCKS_OF_TWO)).places == pytest.approx(1.130, abs=5e-4)


def test_blocks_of_one_match_save_nothing() -> None:
    assert design_effect(results(examples.SIX_TABLES)).places == pytest.approx(1)


def test_matches_that_cancel_each_other_out_save_everything() -> None:
    assert effect_of_points([(0, 8), (8, 0)], [(0, 2), (2, 0)]) == pytest.approx(0)


def test_matches_that_repeat_each_other_are_worth_one() -> None:
    assert effect_of_points([(0, 8), (0, 8)], [(2, 0), (2, 0)], [(1, 3), (1, 3)]) == pytest.approx(2)


def test_a_bots_strength_is_no_luck() -> None:
    close = design_effect(results(["A>B", "B>A"] * 5 + ["C>D"] * 5 + ["D>C"] * 5))
    assert close.places == pytest.approx(1)


@pytest.mark.parametrize("blocks", [[], ["A>B B>A"], ["A=B", "A=B"], ["A>A", "A>A"]])
def test_nothing_is_said_where_nothing_varies_or_no_bot_has_two_blocks(blocks: list[str]) -> None:
    assert design_effect(results(blocks)) == DesignEffect(None, None)


MIXED = ["A>B B>A", "A>B A>B", "B>A B>A", "A>B B>A", "A=B B>A"]


def test_the_error_is_that_of_a_ratio_of_sums_over_blocks() -> None:
    # Places of two bots, share of A in its matches: (1, 0), (1, 1), (0, 0), (1, 0), (½, 0), eight times each.
    blocks = np.array([(1, 0), (1, 1), (0, 0), (1, 0), (0.5, 0)] * 8) - 0.45
    whole, apart = 2 * blocks.sum(axis=1) ** 2, 2 * (blocks**2).sum(axis=1)
    ratio = whole.sum() / apart.sum()
    error = np.sqrt(40 / 39 * np.sum((whole - ratio * apart) ** 2)) / apart.sum()
    found = design_effect(results(MIXED * 8))
    assert (found.places, found.places_error) == pytest.approx((ratio, error))


def test_few_blocks_a_bot_have_no_error() -> None:
    assert FEW_BLOCKS == 30
    assert design_effect(results(MIXED * 6)).places_error is not None
    few = design_effect(results(MIXED * 6 + ["A>C C>A"]))
    assert few.places is not None
    assert few.places_error is None


@pytest.mark.slow
def test_an_interval_of_the_effect_holds_the_truth() -> None:
    random = np.random.default_rng(5)
    draws = random.random((400, 40, 2))
    draws[:, :, 1] = np.where(random.random((400, 40)) < 0.3, draws[:, :, 0], draws[:, :, 1])
    held = 0
    for run in draws < 0.5:
        found = design_effect(results([" ".join("A>B" if won else "B>A" for won in block) for block in run]))
        assert found.places is not None and found.places_error is not None
        held += abs(found.places - 1.3) < 1.96 * found.places_error
    assert held > 0.9 * 400
