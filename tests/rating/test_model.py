"""The headline rating against numbers worked out with 40 digits and by an independent fit."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from arena.rating.counts import PairCount, pair_counts
from arena.rating.errors import BadResultsError, NoOptimumError
from arena.rating.model import Fit, Record, fit
from tests.rating.examples import match

ELO = 0.1


def fit_matches(*orders: str, prior: float) -> Fit[str]:
    matches = [match(order) for order in orders]
    return fit({bot for one in matches for bot in one.seats}, pair_counts([[one] for one in matches]), prior)


def duel(a: str, b: str, wins: int, losses: int) -> PairCount[str]:
    """`a` beat `b` in `wins` matches of two and lost `losses`."""
    return PairCount(a, b, 2, True, wins + losses, wins, 0)


def rated(fitted: Fit[str], anchor: str | None = None) -> dict[str, float]:
    ratings = {bot: rating for bot, rating in fitted.ratings(anchor).items() if rating is not None}
    assert all(math.isfinite(rating) for rating in ratings.values())
    return ratings


def test_wins_ties_and_losses_of_two_bots() -> None:
    fitted = fit("AB", [PairCount("A", "B", 2, True, games=100, wins=70, draws=10)], prior=0)
    assert rated(fitted, "B")["A"] - 1500 == pytest.approx(190.8, abs=ELO)


def test_blocks_of_two_matches_count_as_their_matches() -> None:
    pairs = {("B>A", "B>A"): 30, ("B>A", "A=B"): 6, ("A>B", "B>A"): 18, ("A>B", "A>B"): 6}
    blocks = [[match(order) for order in block] for block, times in pairs.items() for _ in range(times)]
    ratings = rated(fit("AB", pair_counts(blocks), prior=0))
    assert ratings["A"] - ratings["B"] == pytest.approx(-168.4, abs=ELO)


def test_bots_that_never_met_are_compared_through_a_third() -> None:
    ratings = rated(fit("ABC", [duel("A", "B", 30, 10), duel("B", "C", 30, 10)], prior=0), "C")
    assert ratings == pytest.approx({"A": 1881.7, "B": 1690.8, "C": 1500}, abs=ELO)
    assert ratings["A"] - ratings["C"] == pytest.approx(381.7, abs=ELO)


def test_a_circle_of_equal_results_leaves_all_level() -> None:
    circle = [duel("A", "B", 60, 40), duel("B", "C", 60, 40), duel("A", "C", 40, 60)]
    assert rated(fit("ABC", circle, prior=0)) == pytest.approx({"A": 1500, "B": 1500, "C": 1500}, abs=1e-6)


SIX_MATCHES = ("A>B>C>D", "A=B>C>D", "B>A>D>C", "C>A>B=D", "A>B=C=D", "D>C>B>A")


def test_tables_of_four_against_the_field_mean() -> None:
    expected = {"A": 1601.2, "B": 1528.3, "C": 1471.7, "D": 1398.8}
    assert rated(fit_matches(*SIX_MATCHES, prior=1)) == pytest.approx(expected, abs=ELO)


def test_tables_of_four_against_an_anchor() -> None:
    expected = {"A": 1702.5, "B": 1629.5, "C": 1573.0, "D": 1500}
    assert rated(fit_matches(*SIX_MATCHES, prior=1), "D") == pytest.approx(expected, abs=ELO)


def test_a_perfect_record_is_finite_under_the_prior_and_flagged() -> None:
    fitted = fit("ABC", [duel("A", "B", 10, 0), duel("B", "C", 6, 4)], prior=1)
    assert rated(fitted, "B") == pytest.approx({"A": 2044.7, "B": 1500, "C": 1446.8}, abs=ELO)
    (component,) = fitted.components
    assert [(group.bots, group.record) for group in component.groups] == [
        (("A",), Record.UNBEATEN),
        (("B", "C"), Record.WINLESS),
    ]


@pytest.mark.parametrize(("n", "lead"), [(1, 262.8), (5, 478.8), (10, 580.5), (50, 830.5), (200, 1057.0)])
def test_a_run_of_wins_only(n: int, lead: float) -> None:
    assert rated(fit("AB", [duel("A", "B", n, 0)]), "B")["A"] - 1500 == pytest.approx(lead, abs=ELO)


def test_tables_of_different_sizes_in_one_list() -> None:
    quads = "A>B>C>D B>A>D>C A>C>B>D D>A>B>C B>A=C>D A>C>D>B C>B>A>D A>B=D>C A>D>C>B B>C>A=D A>B>C>D C>D>A>B"
    duels = "A>C C>A A>C A>C B>D B=D B>D D>B"
    triples = "A>B>D D>A>B B>A>D"
    fitted = fit_matches(*quads.split(), *duels.split(), *triples.split(), prior=1)
    assert rated(fitted, "D") == pytest.approx({"A": 1718.5, "B": 1604.0, "C": 1570.9, "D": 1500}, abs=ELO)
    field = {"A": 1620.2, "B": 1505.6, "C": 1472.6, "D": 1401.6}
    assert rated(fitted) == pytest.approx(field, abs=ELO)


def test_pairs_of_one_table_are_weighted_not_taken_for_independent_games() -> None:
    orders = ["A>B>C"] * 4 + ["A>C>B"] * 2 + ["B>A>C"] * 3 + ["C>A>B", "B>C>A", "C>B>A"]
    expected = {"A": 1582.8, "B": 1520.8, "C": 1396.5}
    assert rated(fit_matches(*orders, prior=0)) == pytest.approx(expected, abs=ELO)
    one = rated(fit("AB", [PairCount("A", "B", 5, True, games=8, wins=6, draws=0)]), "B")
    other = rated(fit("AB", [PairCount("A", "B", 2, True, games=4, wins=3, draws=0)]), "B")
    assert one == pytest.approx(other, abs=1e-6)


def test_components_are_rated_alone_and_only_the_anchors_is_anchored() -> None:
    fitted = fit("ABCDE", [duel("A", "B", 3, 1), duel("C", "D", 9, 3)])
    assert [component.bots for component in fitted.components] == [("A", "B"), ("C", "D")]
    ratings = fitted.ratings("B")
    assert ratings["E"] is None
    expected = {"A": 1664.8, "B": 1500, "C": 1500 + 181.1 / 2, "D": 1500 - 181.1 / 2}
    assert rated(fitted, "B") == pytest.approx(expected, abs=ELO)


def test_an_anchor_that_did_not_play_leaves_the_field_mean() -> None:
    fitted = fit("AB", [duel("A", "B", 3, 1)])
    assert sum(rated(fitted, "Z").values()) / 2 == pytest.approx(1500)


def test_differences_add_up_along_a_chain_of_thirty() -> None:
    bots = [f"{number:02}" for number in range(30)]
    counts = [duel(a, b, 6, 4) for a, b in pairwise(bots)]
    ratings = rated(fit(bots, counts, prior=0))
    assert ratings["00"] - ratings["29"] == pytest.approx(2042.7, abs=ELO)


def test_a_long_chain_of_perfect_records_stays_finite() -> None:
    bots = [f"{number:03}" for number in range(200)]
    counts = [duel(a, b, 1000, 0) for a, b in pairwise(bots)]
    ratings = rated(fit(bots, counts))
    assert sorted(bots, key=lambda bot: -ratings[bot]) == bots


def test_many_games_do_not_drown_a_weak_prior() -> None:
    counts = [duel("A", "B", 75_000_000, 25_000_000), duel("B", "C", 71_234_567, 28_765_433)]
    with_a_trace, without = (rated(fit("ABC", counts, prior)) for prior in (1e-9, 0.0))
    assert with_a_trace == pytest.approx(without, abs=1e-6)


def test_no_bots_and_no_matches_are_no_ratings() -> None:
    assert fit(list[str](), []).ratings() == {}
    assert fit("AB", []).ratings("A") == {"A": None, "B": None}
    assert fit("AB", [PairCount("A", "B", 2, True, 0, 0, 0)]).ratings() == {"A": None, "B": None}


def test_a_single_tie_leaves_both_level() -> None:
    assert rated(fit_matches("A=B", prior=1)) == pytest.approx({"A": 1500, "B": 1500}, abs=1e-6)


def test_ties_only_leave_all_level_with_and_without_a_prior() -> None:
    for prior in (0.0, 1.0):
        ratings = rated(fit_matches(*["A=B=C=D"] * 5, prior=prior))
        assert list(ratings.values()) == pytest.approx([1500] * 4, abs=1e-6)


@pytest.mark.parametrize("counts", [[duel("A", "B", 10, 0)], [duel("A", "B", 10, 0), duel("B", "C", 6, 4)]])
def test_a_perfect_record_without_a_prior_is_an_error_and_no_number(counts: list[PairCount[str]]) -> None:
    with pytest.raises(NoOptimumError, match="no finite rating explains that"):
        fit("ABC", counts, prior=0)


def test_an_optimum_out_of_reach_is_an_error_and_no_number() -> None:
    with pytest.raises(NoOptimumError):
        fit("AB", [duel("A", "B", 10, 0)], prior=1e-300)


@pytest.mark.parametrize("prior", [-1.0, math.nan, math.inf, 1e7])
def test_a_prior_below_zero_or_beyond_reason_is_refused(prior: float) -> None:
    with pytest.raises(BadResultsError, match="prior"):
        fit("AB", [duel("A", "B", 1, 1)], prior)


def test_counts_of_an_unlisted_bot_are_refused() -> None:
    with pytest.raises(BadResultsError, match="not in the list"):
        fit("AB", [duel("A", "C", 1, 1)])
