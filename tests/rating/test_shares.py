import numpy as np
import pytest
from scipy.stats import ttest_1samp

from arena.rating.block_sums import BlockSums
from arena.rating.counts import MatchResult
from arena.rating.cycles import intransitivity
from arena.rating.results import Block, Results
from arena.rating.shares import shares


def sums(scores: list[float], games: int = 4) -> BlockSums:
    """Blocks with these mean scores, of so many single results each."""
    edges = [score - 0.5 for score in scores]
    squares = sum(round(1e6 * edge**2) for edge in edges)
    return BlockSums(len(scores), games * len(scores), games * sum(scores), sum(round(1e6 * e) for e in edges), squares)


def test_a_share_has_the_interval_of_students_t_over_its_blocks() -> None:
    scores = [0.75, 0.5, 0.25, 1.0, 0.75, 0.5]
    (found,) = shares([sums(scores)])
    expected = ttest_1samp(scores, 0.5)
    low, high = expected.confidence_interval(0.95)
    assert found.share == pytest.approx(np.mean(scores), abs=1e-6)
    assert [found.low, found.high] == pytest.approx([low, high], abs=1e-5)
    assert found.superiority == pytest.approx(1 - expected.pvalue / 2, abs=1e-5)


def test_the_superiority_is_the_one_by_which_circles_are_found() -> None:
    places = [((1, 2), (1, 2)), ((2, 1), (1, 2)), ((1, 1), (1, 2)), ((1, 2), (2, 1))]
    blocks = [
        Block(key, tuple(MatchResult(("A", "B"), each, (False, False)) for each in block))
        for key, block in enumerate(places)
    ]
    met = intransitivity(Results.from_blocks(blocks), np.zeros(2), np.zeros(2, dtype=np.intp)).meetings
    (found,) = shares([sums([1.0, 0.5, 0.75, 0.5], games=2)])
    assert found.superiority == pytest.approx(float(met.superiority[0]), abs=1e-5)


def test_a_perfect_record_bounds_the_share_on_one_side() -> None:
    won, lost = shares([sums([1.0] * 5), sums([0.0] * 5)])
    assert (won.share, won.high, lost.share, lost.low) == (1.0, None, 0.0, None)
    assert [won.low, lost.high] == pytest.approx([0.025**0.2, 1 - 0.025**0.2])
    assert [won.superiority, lost.superiority] == pytest.approx([1 - 0.5**5, 0.5**5])


def test_a_single_block_has_no_interval() -> None:
    assert shares([sums([0.75])]) == [(0.75, None, None, None)]


def test_blocks_that_happen_to_agree_are_not_known_exactly() -> None:
    (found,) = shares([sums([2 / 3] * 9, games=3)])
    assert found.low is not None and found.high is not None
    assert found.high - found.low == pytest.approx(2 * 1.96 * (2 / 9 / 27) ** 0.5, abs=1e-3)


@pytest.mark.parametrize("scores", [[0.0] * 19 + [0.25], [0.125, 0.125, 0.125, 0.0], [0.25, 0.125] + [0.0] * 3])
def test_hardly_a_point_won_never_has_less_than_the_naive_error(scores: list[float]) -> None:
    (found,) = shares([sums(scores)])
    won, games = float(np.mean(scores)), 4 * len(scores)
    assert found.low is not None and found.high is not None
    assert found.low >= 0.0
    assert found.high >= won + 1.96 * (won * (1 - won) / games) ** 0.5 - 1e-5


def test_nothing_gives_nothing() -> None:
    assert shares([]) == []
