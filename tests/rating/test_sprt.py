import math

import numpy as np
import pytest

from arena.rating.counts import MatchResult
from arena.rating.errors import BadQuestionError
from arena.rating.sprt import (
    LEAST_BLOCKS,
    MOST_LEAD,
    NELO_PER_DEVIATION,
    Hypotheses,
    Means,
    Scale,
    Verdict,
    block_share,
    elo_of_share,
    estimate,
    standing,
)

TENTH = 0.1
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
FOURS = [parts / 24 for parts in (14, 12, 16, 13, 11, 15, 12, 14, 13, 15)]


def of_pairs(counts: list[int]) -> list[float]:
    """Shares of blocks of two, by how often 0, ½, 1, 1½ and 2 points were won, well mixed."""
    shares = np.repeat(QUARTERS, counts)
    return [float(share) for share in np.random.default_rng(1).permutation(shares)]


def match(text: str, places: str) -> MatchResult[str]:
    return MatchResult(tuple(text), tuple(map(int, places)), (False,) * len(text))


@pytest.mark.parametrize(
    ("counts", "low", "high", "llr"),
    [([379, 10170, 21828, 10640, 343], 0.0, 2.0, 2.946), ([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.010)],
)
def test_pairs_of_matches_give_the_known_ratio(counts: list[int], low: float, high: float, llr: float) -> None:
    hypotheses = Hypotheses(low, high, alpha=1e-6, beta=1e-6)
    assert standing(of_pairs(counts), 2, hypotheses).llr == pytest.approx(llr, abs=0.001)


def test_pairs_of_matches_give_the_known_estimate() -> None:
    found = estimate(of_pairs([379, 10170, 21828, 10640, 343]), 2)
    assert found.nelo == pytest.approx(3.05, abs=0.01)
    assert found.nelo_half_width == pytest.approx(2.31, abs=0.01)


def test_blocks_of_four_give_the_known_ratio_and_estimate() -> None:
    found = standing(FOURS, 4, Hypotheses(0.0, 40.0))
    assert found.llr == pytest.approx(1.139, abs=0.001)
    assert found.estimate.nelo == pytest.approx(173.7, abs=TENTH)
    assert (found.blocks, found.matches, found.verdict) == (10, 40, Verdict.OPEN)


def test_the_lead_of_the_known_pairs_of_two_is_found() -> None:
    found = estimate([0.0] * 30 + [0.25] * 6 + [0.5] * 18 + [1.0] * 6, 2)
    assert found.nelo == pytest.approx(-170.08, abs=TENTH)
    assert found.nelo_half_width == pytest.approx(62.16, abs=TENTH)


def test_the_logistic_ratio_follows_its_formula() -> None:
    shares = of_pairs([20, 30, 60, 40, 25])
    low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (0.0, 10.0))
    mean, variance = np.mean(shares), np.var(shares)
    expected = len(shares) * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert standing(shares, 2, Hypotheses(0.0, 10.0, Scale.ELO)).llr == pytest.approx(expected)


def test_the_bounds_follow_from_the_chances_of_error() -> None:
    assert Hypotheses(0, 1, alpha=0.05, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


@pytest.mark.parametrize("scale", Scale)
@pytest.mark.parametrize(("share", "verdict"), [(1.0, Verdict.HIGH), (0.0, Verdict.LOW)])
def test_a_perfect_run_is_decided_as_soon_as_may_be(scale: Scale, share: float, verdict: Verdict) -> None:
    found = standing([share] * 20, 2, Hypotheses(0.0, 10.0, scale))
    assert (found.verdict, found.decided_at, found.decided_by) == (verdict, LEAST_BLOCKS, Means.BAND)
    assert math.isfinite(found.llr or 0.0)


@pytest.mark.parametrize("scale", Scale)
def test_bots_that_are_always_level_are_not_found_different(scale: Scale) -> None:
    found = standing([0.5] * 5_000, 2, Hypotheses(0.0, 10.0, scale))
    assert (found.verdict, found.decided_by) == (Verdict.LOW, Means.BAND)
    assert found.estimate.elo == 0.0


@pytest.mark.parametrize("scale", Scale)
def test_few_wins_do_not_prove_a_lead_that_bots_without_it_have_won_by_often(scale: Scale) -> None:
    assert standing([1.0] * 20, 2, Hypotheses(400.0, 500.0, scale)).verdict is Verdict.OPEN


def test_nothing_is_decided_before_enough_blocks() -> None:
    assert standing([1.0] * (LEAST_BLOCKS - 1), 2, Hypotheses(0, 10)).verdict is Verdict.OPEN


def test_a_verdict_stands_whatever_comes_after() -> None:
    clear = [1.0, 0.75] * 200
    at = standing(clear, 2, Hypotheses(0, 50)).decided_at
    later = standing(clear + [0.0] * 400, 2, Hypotheses(0, 50))
    assert (later.verdict, later.decided_at, later.decided_by) == (Verdict.HIGH, at, Means.LLR)
    assert later.blocks == 800


def test_before_the_first_block_nothing_is_said() -> None:
    found = standing([], 2, Hypotheses(0, 10))
    assert (found.verdict, found.llr, found.blocks, found.decided_at) == (Verdict.OPEN, 0.0, 0, None)
    assert found.estimate.share is found.estimate.nelo is found.estimate.elo is None
    assert found.estimate.band == (0.0, 1.0)


@pytest.mark.parametrize("shares", [[1.0], [0.0] * 30, [0.5] * 3, [0.0, 1.0]])
def test_every_number_that_is_given_is_finite(shares: list[float]) -> None:
    found = estimate(shares, 2)
    numbers = (found.share, *found.band, found.nelo, found.nelo_half_width, found.elo, found.elo_low, found.elo_high)
    assert all(math.isfinite(number) for number in numbers if number is not None)


def test_a_perfect_record_has_a_lower_bound_and_no_elo() -> None:
    found = estimate([1.0] * 30, 2)
    assert (found.elo, found.nelo) == (None, None)
    assert 0.8 < found.band[0] < 0.025 ** (1 / 30)
    assert found.band[1] == 1.0
    assert found.elo_low == elo_of_share(found.band[0])


def test_the_interval_of_few_blocks_is_as_wide_as_their_scatter_is_unknown() -> None:
    found = estimate([0.25, 0.5, 0.75, 0.5], 1)
    assert found.nelo_half_width == pytest.approx(3.182446 / math.sqrt(3) * NELO_PER_DEVIATION)


def test_a_share_is_that_of_the_other_bots_seats() -> None:
    assert block_share([match("AB", "12"), match("BA", "12")], "A") == 0.5
    assert block_share([match("AB", "11"), match("BA", "21")], "A") == 0.75
    assert block_share([match("ABAB", "1234")], "A") == 0.75
    assert block_share([match("ABAB", "1122"), match("BABA", "1111")], "A") == 0.5


@pytest.mark.parametrize("share", [0.1, 0.5, 0.76])
def test_elo_gives_back_the_share(share: float) -> None:
    elo = elo_of_share(share)
    assert elo is not None
    assert 1 / (1 + 10 ** (-elo / 400)) == pytest.approx(share)


@pytest.mark.parametrize(
    ("low", "high", "alpha", "words"),
    [
        (10, 0, 0.05, "the lower one first, not 10 and 0 nElo"),
        (0, math.nan, 0.05, "finite"),
        (0, MOST_LEAD + 1, 0.05, "from -1000 to 1000 nElo"),
        (-1e9, 0, 0.05, "from -1000 to 1000 nElo"),
        (0, 0.01, 0.05, "at least 0.1 apart"),
        (0, 10, 0.5, "alpha is a chance of error"),
        (0, 10, 0.0, "not 0"),
    ],
)
def test_a_test_that_cannot_be_is_refused(low: float, high: float, alpha: float, words: str) -> None:
    with pytest.raises(BadQuestionError, match=words):
        Hypotheses(low, high, alpha=alpha)


def decided(lead_nelo: float, scale: Scale, tests: int, seed: int) -> list[Verdict]:
    """Verdicts of tests in which the true lead is so many nElo, on blocks of two matches with many ties."""
    generator = np.random.default_rng(seed)
    base = np.array([0.1, 0.2, 0.4, 0.2, 0.1])
    deviation = math.sqrt(base @ (np.array(QUARTERS) - 0.5) ** 2)
    lead = lead_nelo / NELO_PER_DEVIATION * math.sqrt(2) * deviation
    tilt = base + lead * base * (np.array(QUARTERS) - 0.5) / deviation**2
    hypotheses = Hypotheses(0.0, 60.0, scale)
    runs = (generator.choice(QUARTERS, size=2_000, p=tilt).tolist() for _ in range(tests))
    return [standing(shares, 2, hypotheses).verdict for shares in runs]


def test_a_clear_lead_is_nearly_always_found() -> None:
    assert decided(120.0, Scale.NELO, 20, 3).count(Verdict.HIGH) >= 19


@pytest.mark.slow
@pytest.mark.parametrize(("lead", "wrong"), [(0.0, Verdict.HIGH), (60.0, Verdict.LOW)])
def test_errors_are_as_rare_as_promised(lead: float, wrong: Verdict) -> None:
    verdicts = decided(lead, Scale.NELO, 1_000, 4)
    assert Verdict.OPEN not in verdicts
    assert verdicts.count(wrong) / len(verdicts) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 1_000)


RARELY_DIFFERENT = ([0.0, 0.5, 1.0], [0.004, 0.992, 0.004], 0.0, 200.0)
NINETEEN_OF_TWENTY = ([0.0, 1.0], [0.05, 0.95], 511.5, 600.0)
HALF_LOST_AT_TIMES = ([0.5, 1.0], [0.1, 0.9], 511.5, 600.0)


@pytest.mark.slow
@pytest.mark.parametrize("bots", [RARELY_DIFFERENT, NINETEEN_OF_TWENTY, HALF_LOST_AT_TIMES])
def test_runs_that_hardly_vary_are_called_better_no_more_often_than_promised(
    bots: tuple[list[float], list[float], float, float],
) -> None:
    values, chances, low, high = bots
    generator, asked = np.random.default_rng(6), Hypotheses(low, high, Scale.ELO)
    runs = (generator.choice(values, size=600, p=chances).tolist() for _ in range(400))
    wrong = sum(standing(shares, 2, asked).verdict is Verdict.HIGH for shares in runs) / 400
    assert wrong <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)
