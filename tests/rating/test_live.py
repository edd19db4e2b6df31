"""Ratings that follow a running list."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating import live
from arena.rating.counts import MatchResult, PairCount, PairTable, pair_counts
from arena.rating.errors import BadResultsError
from arena.rating.likelihood import Floats, WeightedPairs, maximise
from arena.rating.live import LiveRatings
from arena.rating.model import fit
from tests.rating.examples import match

EXACT = 1e-4


def random_blocks(bots: str, blocks: int, seed: int) -> list[list[MatchResult[str]]]:
    generator = np.random.default_rng(seed)
    return [
        [
            MatchResult(tuple(generator.choice(list(bots), 3)), tuple(generator.permutation(3).tolist()), (False,) * 3)
            for _ in range(3)
        ]
        for _ in range(blocks)
    ]


def follow(bots: str, blocks: list[list[MatchResult[str]]], prior: float = 1.0) -> LiveRatings[str]:
    ratings = LiveRatings.start(bots, PairTable.of(sorted(bots), ()), prior)
    for block in blocks:
        ratings = ratings.after(pair_counts([block]))
    return ratings


@pytest.mark.parametrize("prior", [1.0, 0.1])
def test_block_by_block_gives_what_a_fit_of_all_gives(prior: float) -> None:
    blocks = random_blocks("ABCDEFG", 60, 3)
    assert follow("ABCDEFG", blocks, prior).ratings() == pytest.approx(
        fit("ABCDEFG", pair_counts(blocks), prior).ratings(), abs=EXACT
    )


def test_components_that_meet_become_one() -> None:
    blocks = [[match("A>B")], [match("C>D"), match("D>C")], [match("B>C")], [match("E>A")]]
    for played in range(len(blocks) + 1):
        expected = fit("ABCDEZ", pair_counts(blocks[:played])).ratings("B")
        found = follow("ABCDEZ", blocks[:played]).ratings("B")
        assert {bot: rating for bot, rating in found.items() if rating is None} == {
            bot: rating for bot, rating in expected.items() if rating is None
        }
        assert {bot: rating for bot, rating in found.items() if rating} == pytest.approx(
            {bot: rating for bot, rating in expected.items() if rating}, abs=EXACT
        )


def test_a_long_list_is_rarely_fitted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = follow("ABCDEFG", random_blocks("ABCDEFG", 300, 4))
    fits = 0

    def counted(pairs: WeightedPairs, prior: float) -> Floats:
        nonlocal fits
        fits += 1
        return maximise(pairs, prior)

    monkeypatch.setattr(live, "maximise", counted)
    for block in random_blocks("ABCDEFG", 60, 5):
        ratings = ratings.after(pair_counts([block]))
    assert fits <= 6


def test_a_block_that_turns_everything_round_is_fitted_anew() -> None:
    upset = PairCount("A", "B", 2, True, games=10_000, wins=9_999, draws=0)
    start = [PairCount("A", "B", 2, True, games=40, wins=1, draws=0)]
    moved = LiveRatings.start("AB", PairTable.of("AB", start)).after([upset])
    assert moved.ratings() == pytest.approx(fit("AB", [*start, upset]).ratings(), abs=EXACT)


def test_a_state_is_not_changed_by_what_follows_it() -> None:
    before = follow("ABC", random_blocks("ABC", 5, 6))
    told = before.ratings()
    before.after(pair_counts([[match("A>B>C")]]))
    assert before.ratings() == told


def test_a_block_of_one_bot_alone_changes_nothing() -> None:
    before = follow("AB", [[match("A>B")]])
    assert before.after(pair_counts([[match("A>A")]])) is before


@pytest.mark.parametrize("prior", [0.0, -1.0, float("nan"), float("inf")])
def test_a_running_list_needs_a_prior(prior: float) -> None:
    with pytest.raises(BadResultsError, match="prior above 0"):
        LiveRatings.start("AB", PairTable.of("AB", ()), prior)


def test_a_bot_that_is_not_in_the_list_is_refused() -> None:
    with pytest.raises(BadResultsError, match="not in the list"):
        LiveRatings.start("AB", PairTable.of("AB", ())).after(pair_counts([[match("A>C")]]))
