import numpy as np
import pytest

from arena.rating.betting import exact_band, log_wealth

UNEVEN = [1.0] * 12 + [0.25] * 3 + [0.5] * 5


@pytest.mark.parametrize("blocks", [1, 2, 16, 100])
def test_wins_only_leave_out_no_more_than_a_bound_that_knows_when_to_look(blocks: int) -> None:
    low, high = exact_band([1.0] * blocks, 0.05)
    assert 0.0 < low < 0.025 ** (1 / blocks)
    assert high == 1.0


def test_without_a_share_everything_is_possible() -> None:
    assert exact_band([], 0.05) == (0.0, 1.0)


def test_the_band_is_mirrored_with_the_shares_and_does_not_see_their_order() -> None:
    low, high = exact_band(UNEVEN, 0.05)
    assert exact_band([1.0 - share for share in UNEVEN[::-1]], 0.05) == pytest.approx((1.0 - high, 1.0 - low))
    assert low < np.mean(UNEVEN) < high


def test_the_band_ends_where_the_bettor_has_what_was_promised() -> None:
    low, _ = exact_band(UNEVEN, 0.05)
    assert log_wealth(UNEVEN, low)[-1] == pytest.approx(np.log(40.0))


def test_one_share_makes_a_mean_of_the_bets_on_average_worth_what_was_staked() -> None:
    won, lost = np.exp([log_wealth([share], 0.8)[0] for share in (1.0, 0.0)])
    assert 0.8 * won + 0.2 * lost == pytest.approx(1.0)


@pytest.mark.slow
@pytest.mark.parametrize("mean", [0.5, 0.95])
def test_the_truth_is_hardly_ever_left_out_at_any_look(mean: float) -> None:
    runs = (np.random.default_rng(8).random((500, 1_000)) < mean).astype(float)
    ever = [max(log_wealth(run, mean).max(), log_wealth(1.0 - run, 1.0 - mean).max()) >= np.log(40.0) for run in runs]
    assert np.mean(ever) <= 0.05
