"""Intervals against numbers worked out with 40 digits, and against the formulae written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit

from arena.rating.counts import MatchResult
from arena.rating.duels import count_duels
from arena.rating.intervals import covariance, judge, one_sided_bound
from arena.rating.model import ELO_PER_UNIT, weighted_pairs
from arena.rating.report import Report, rate
from arena.rating.results import Block, Results
from tests.rating import examples
from tests.rating.examples import block, match, results
from tests.rating.reference import against_field, covariances, of_pair

ELO = 0.1
Z = 1.959963984540054


def field_widths(report: Report[str]) -> dict[str, float | None]:
    return {row.bot: row.half_width for row in report.bots}


@pytest.mark.parametrize(
    ("blocks", "prior", "cr3", "cr1", "naive"),
    [
        (examples.WINS_TIES_LOSSES, 0, 74.5, 73.6, 78.6),
        (examples.BLOCKS_OF_TWO, 0, 73.8, 72.3, 69.6),
        (examples.THROUGH_A_THIRD, 0, 130.8, 125.1, None),
        (examples.CIRCLE, 0, 56.2, 55.7, None),
        (examples.UNBEATEN, 1, 120.3, None, 500.2),
    ],
)
def test_the_reference_knows_the_widths_of_a_pair(
    blocks: list[str], prior: float, cr3: float, cr1: float | None, naive: float | None
) -> None:
    found = covariances([block(key, orders) for key, orders in enumerate(blocks)], prior)
    t = float(stdtrit(min(found.blocks[:2]) - 1, 0.975))
    assert ELO_PER_UNIT * t * math.sqrt(of_pair(found.cr3, 0, 1)) == pytest.approx(cr3, abs=ELO)
    for expected, matrix in ((cr1, found.cr1), (naive, found.naive)):
        if expected is not None:
            assert ELO_PER_UNIT * Z * math.sqrt(of_pair(matrix, 0, 1)) == pytest.approx(expected, abs=ELO)


@pytest.mark.parametrize(
    ("blocks", "cr1", "naive"),
    [
        (examples.SIX_TABLES, (175.5, 136.3, 143.3, 175.4), None),
        (examples.MIXED_SIZES, (54.7, 37.8, 88.3, 41.5), (102.2, 96.1, 104.1, 100.5)),
    ],
)
def test_the_reference_knows_the_widths_against_the_field(
    blocks: list[str], cr1: tuple[float, ...], naive: tuple[float, ...] | None
) -> None:
    found = covariances([block(key, orders) for key, orders in enumerate(blocks)], 1)
    assert ELO_PER_UNIT * Z * np.sqrt(against_field(found.cr1)) == pytest.approx(cr1, abs=ELO)
    if naive is not None:
        assert ELO_PER_UNIT * Z * np.sqrt(against_field(found.naive)) == pytest.approx(naive, abs=ELO)


@pytest.mark.parametrize(
    ("blocks", "a", "b", "difference", "half_width"),
    [
        (examples.WINS_TIES_LOSSES, "A", "B", 190.8, 74.5),
        (examples.BLOCKS_OF_TWO, "A", "B", -168.4, 73.8),
        (examples.THROUGH_A_THIRD, "A", "B", 190.8, 130.8),
        (examples.THROUGH_A_THIRD, "A", "C", 381.7, 184.9),
        (examples.CIRCLE, "B", "C", 0.0, 56.2),
    ],
)
def test_pairs_without_a_prior(blocks: list[str], a: str, b: str, difference: float, half_width: float) -> None:
    pair = rate(results(blocks), prior=0).comparisons.pair(a, b)
    assert (pair.difference, pair.half_width) == pytest.approx((difference, half_width), abs=ELO)


def test_the_field_without_a_prior() -> None:
    widths = field_widths(rate(results(examples.THROUGH_A_THIRD), prior=0))
    assert widths == pytest.approx({"A": 97.5, "B": 60.7, "C": 97.5}, abs=ELO)


def test_tables_of_four_against_the_field() -> None:
    widths = field_widths(rate(results(examples.SIX_TABLES)))
    assert widths == pytest.approx({"A": 226.9, "B": 176.3, "C": 185.3, "D": 226.8}, abs=ELO)


def test_tables_of_different_sizes_against_the_field() -> None:
    widths = field_widths(rate(results(examples.MIXED_SIZES)))
    assert widths == pytest.approx({"A": 76.6, "B": 58.4, "C": 147.7, "D": 62.2}, abs=ELO)


@pytest.mark.parametrize(
    ("a", "b", "difference", "half_width", "los"),
    [("A", "B", 114.6, 45.9, 0.9993), ("B", "D", 104.0, 91.2, 0.9837), ("B", "C", 33.0, 202.3, 0.6630)],
)
def test_pairs_at_tables_of_different_sizes(a: str, b: str, difference: float, half_width: float, los: float) -> None:
    pair = rate(results(examples.MIXED_SIZES)).comparisons.pair(a, b)
    assert (pair.difference, pair.half_width) == pytest.approx((difference, half_width), abs=ELO)
    assert pair.los == pytest.approx(los, abs=1e-4)


def test_every_match_as_a_block_of_its_own() -> None:
    together, apart = (rate(results(examples.MIXED_SIZES), cluster=cluster) for cluster in ("block", "match"))
    assert [row.rating for row in apart.bots] == [row.rating for row in together.bots]
    assert field_widths(apart) == pytest.approx({"A": 98.0, "B": 103.5, "C": 110.0, "D": 105.0}, abs=ELO)
    assert apart.comparisons.pair("A", "B").half_width == pytest.approx(160.8, abs=ELO)


def test_components_have_intervals_of_their_own() -> None:
    comparisons = rate(results(examples.TWO_COMPONENTS)).comparisons
    one, other = comparisons.pair("A", "B"), comparisons.pair("C", "D")
    assert (one.difference, one.half_width) == pytest.approx((164.8, 575.7), abs=ELO)
    assert (other.difference, other.half_width) == pytest.approx((181.1, 245.6), abs=ELO)


def test_a_component_is_not_wider_for_the_blocks_of_another() -> None:
    alone = rate(results(examples.TWO_COMPONENTS[4:])).comparisons.pair("C", "D")
    beside = rate(results(examples.TWO_COMPONENTS)).comparisons.pair("C", "D")
    assert beside.half_width == pytest.approx(alone.half_width)


@st.composite
def free_matches(draw: st.DrawFn) -> MatchResult[str]:
    """A match of 2 to 4 seats, in which a bot may sit twice."""
    seats = draw(st.lists(st.sampled_from("ABCDE"), min_size=2, max_size=4))
    places = draw(st.lists(st.integers(1, 3), min_size=len(seats), max_size=len(seats)))
    return MatchResult(tuple(seats), tuple(places), (False,) * len(seats))


@st.composite
def connected_blocks(draw: st.DrawFn) -> list[Block[str]]:
    """Blocks in four of which A meets everybody."""
    opening = [(match("A" + draw(st.sampled_from("=>")) + bot), match(f"{bot}>A")) for bot in "BCDE"]
    others = draw(st.lists(st.lists(free_matches(), min_size=1, max_size=3), min_size=1, max_size=5))
    return [Block(key, tuple(matches)) for key, matches in enumerate([*opening, *others])]


@settings(max_examples=15, deadline=None)
@given(connected_blocks(), st.sampled_from([0.3, 1.0]))
def test_one_pass_of_small_updates_gives_what_the_formulae_say(blocks: list[Block[str]], prior: float) -> None:
    gathered = Results.from_blocks(blocks)
    expected = covariances(blocks, prior)
    found = covariance(
        gathered,
        expected.theta,
        np.zeros(len(gathered.bots), dtype=np.intp),
        weighted_pairs(len(gathered.bots), count_duels(gathered)),
        prior,
    )
    assert found.robust.diagonal() == pytest.approx(against_field(expected.cr3), rel=1e-6, abs=1e-9)
    assert found.naive.diagonal() == pytest.approx(against_field(expected.naive), rel=1e-6)
    assert found.blocks.tolist() == expected.blocks


def test_a_guarded_difference_is_never_surer_than_the_naive_error() -> None:
    columns = np.array([0.5, 0.5]), np.array([0.01, 0.01]), np.array([0.09, 0.09]), np.array([30, 30])
    verdict = judge(*columns, np.array([False, True]))
    assert verdict.naive.tolist() == [False, True]
    assert verdict.half_width[1] == pytest.approx(Z * 0.3)
    assert verdict.p[1] > verdict.p[0]


def test_an_interval_reaches_zero_exactly_when_the_comparison_is_not_significant() -> None:
    difference = np.linspace(-2, 2, 401)
    shape = np.ones(401)
    verdict = judge(difference, 0.2 * shape, 0.3 * shape, np.full(401, 7), np.arange(401) % 2 == 0)
    assert np.array_equal(verdict.p < 0.05, np.abs(difference) > verdict.half_width)


def test_blocks_that_do_not_scatter_at_all_fall_back_on_the_naive_error() -> None:
    one = np.ones(1)
    verdict = judge(one, 0 * one, 0.04 * one, np.array([9]), np.array([False]))
    assert verdict.half_width[0] == pytest.approx(Z * 0.2)


@pytest.mark.parametrize("blocks", [2, 10, 1000])
def test_the_one_sided_bound_wins_all_blocks_with_the_chance_of_a_surprise(blocks: int) -> None:
    bound = one_sided_bound(np.array([0.4]), np.array([7.0]), 0.025 ** (1 / blocks))
    assert (1 / (1 + math.exp(0.4 - bound))) ** blocks == pytest.approx(0.025)
