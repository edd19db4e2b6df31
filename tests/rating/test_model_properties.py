"""What must not change a rating, and what must change it in a known way."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.counts import MatchResult, pair_counts
from arena.rating.likelihood import WeightedPairs
from arena.rating.model import fit

BOTS = "ABCDEF"
EXACT = 1e-6


@st.composite
def matches(draw: st.DrawFn) -> MatchResult[str]:
    seats = draw(st.lists(st.sampled_from(BOTS), min_size=2, max_size=5))
    places = draw(st.lists(st.integers(1, 3), min_size=len(seats), max_size=len(seats)))
    return MatchResult(tuple(seats), tuple(places), (False,) * len(seats))


match_lists = st.lists(matches(), max_size=25)
rule = settings(max_examples=30, deadline=None)


def ratings_of(results: list[MatchResult[str]], prior: float = 1.0) -> dict[str, float | None]:
    return fit(BOTS, pair_counts([[result] for result in results]), prior).ratings()


def assert_equal_ratings(one: dict[str, float | None], other: dict[str, float | None]) -> None:
    assert one.keys() == other.keys()
    for bot, rating in one.items():
        rating_too = other[bot]
        if rating is None or rating_too is None:
            assert rating is rating_too
        else:
            assert abs(rating - rating_too) < EXACT


@rule
@given(match_lists, st.randoms(use_true_random=False))
def test_the_order_of_matches_changes_nothing(results: list[MatchResult[str]], random: Random) -> None:
    shuffled = random.sample(results, len(results))
    assert_equal_ratings(ratings_of(results), ratings_of(shuffled))


@rule
@given(match_lists, st.randoms(use_true_random=False))
def test_the_order_in_which_seats_are_listed_changes_nothing(results: list[MatchResult[str]], random: Random) -> None:
    permuted = []
    for result in results:
        order = random.sample(range(len(result.seats)), len(result.seats))
        seats = tuple(result.seats[seat] for seat in order)
        permuted.append(replace(result, seats=seats, places=tuple(result.places[seat] for seat in order)))
    assert_equal_ratings(ratings_of(results), ratings_of(permuted))


@rule
@given(match_lists, st.permutations(BOTS))
def test_the_names_of_bots_change_nothing(results: list[MatchResult[str]], names: list[str]) -> None:
    renaming = dict(zip(BOTS, names, strict=True))
    renamed = [replace(result, seats=tuple(renaming[bot] for bot in result.seats)) for result in results]
    back = {bot: ratings_of(renamed)[renaming[bot]] for bot in BOTS}
    assert_equal_ratings(ratings_of(results), back)


@rule
@given(match_lists)
def test_reversing_all_places_negates_every_strength(results: list[MatchResult[str]]) -> None:
    reversed_ = [replace(result, places=tuple(-place for place in result.places)) for result in results]
    mirrored = {bot: None if one is None else 3000 - one for bot, one in ratings_of(reversed_).items()}
    assert_equal_ratings(ratings_of(results), mirrored)


@rule
@given(match_lists)
def test_twice_the_data_under_twice_the_prior_changes_nothing(results: list[MatchResult[str]]) -> None:
    assert_equal_ratings(ratings_of(results), ratings_of(results * 2, prior=2.0))


@rule
@given(match_lists)
def test_every_rating_is_finite_and_missing_only_without_an_opponent(results: list[MatchResult[str]]) -> None:
    met = {bot for result in results if len(set(result.seats)) > 1 for bot in result.seats}
    for bot, rating in ratings_of(results).items():
        assert (rating is not None) == (bot in met)
        assert rating is None or math.isfinite(rating)


def test_gradient_and_information_are_the_likelihoods_derivatives() -> None:
    generator = np.random.default_rng(20)
    first, second = np.triu_indices(5, 1)
    pairs = WeightedPairs(5, first, second, generator.uniform(0, 4, 10), generator.uniform(0, 4, 10))
    theta, prior, step = generator.normal(size=5), 0.7, 1e-5
    nudges = step * np.eye(5)
    slope = [
        (pairs.log_likelihood(theta + nudge, prior) - pairs.log_likelihood(theta - nudge, prior)) / (2 * step)
        for nudge in nudges
    ]
    np.testing.assert_allclose(pairs.gradient(theta, prior), slope, atol=1e-7)
    bend = [
        (pairs.gradient(theta + nudge, prior) - pairs.gradient(theta - nudge, prior)) / (2 * step) for nudge in nudges
    ]
    np.testing.assert_allclose(pairs.information(theta, prior), -np.array(bend), atol=1e-7)
