"""Every two bots against each other, and the places that all comparisons leave open."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating.report import rate
from tests.rating import examples
from tests.rating.examples import results


def ranks(blocks: list[str], **options: float) -> dict[str, tuple[int, int] | None]:
    return {row.bot: row.rank for row in rate(results(blocks), **options).bots}  # type: ignore[arg-type]


def test_three_bots_told_apart_have_one_place_each() -> None:
    assert ranks(examples.THROUGH_A_THIRD, prior=0) == {"A": (1, 1), "B": (2, 2), "C": (3, 3)}


def test_bots_that_are_not_told_apart_share_a_range() -> None:
    assert ranks(examples.MIXED_SIZES) == {"A": (1, 2), "B": (2, 4), "C": (1, 4), "D": (2, 4)}


def test_places_are_counted_in_each_component() -> None:
    assert ranks(["A>B", "B>A", "C>D", "D>C"]) == dict.fromkeys("ABCD", (1, 2))


def test_the_likelihood_of_superiority() -> None:
    assert rate(results(examples.THROUGH_A_THIRD), prior=0).comparisons.pair("A", "B").los == pytest.approx(
        0.9973, abs=1e-4
    )


def test_level_bots_are_as_likely_one_way_as_the_other() -> None:
    los = rate(results(examples.CIRCLE), prior=0).comparisons.los
    assert los[~np.isnan(los)] == pytest.approx(np.full(6, 0.5))


def test_across_components_nothing_is_said() -> None:
    comparisons = rate(results(examples.TWO_COMPONENTS)).comparisons
    assert comparisons.pair("A", "D") == ("A", "D", None, None, None)
    assert np.isnan(comparisons.difference[:2, 2:]).all()


def test_a_pair_reads_the_same_from_both_sides() -> None:
    comparisons = rate(results(examples.MIXED_SIZES)).comparisons
    there, back = comparisons.pair("A", "C"), comparisons.pair("C", "A")
    assert there.difference == pytest.approx(-(back.difference or 0))
    assert there.half_width == back.half_width
    assert (there.los or 0) + (back.los or 0) == pytest.approx(1)


def test_every_pair_is_listed_once_in_the_order_of_names() -> None:
    pairs = rate(results(["C>A>B", "B>C>A"])).comparisons.pairs()
    assert [(pair.a, pair.b) for pair in pairs] == [("A", "B"), ("A", "C"), ("B", "C")]
