"""What duplicate deals save."""

from __future__ import annotations

import pytest

from arena.rating.counts import MatchResult
from arena.rating.luck import design_effect
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
    assert design_effect(results(blocks)) == (None, None)
