"""Is A better than B? A sequential test on one pre-declared statistic, the mean share of a block, and an estimate.

nElo measures the lead of A in standard deviations of a match, Elo in odds of finishing ahead (A. Wald 1945, the test;
README.md has the formulae).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from scipy.special import stdtrit

from arena.rating.betting import exact_band, log_wealth
from arena.rating.counts import BotKey, MatchResult
from arena.rating.errors import BadQuestionError
from arena.rating.likelihood import Floats
from arena.rating.model import ELO_PER_UNIT
from arena.rating.results import Bools

LEAST_BLOCKS = 16
"""No decision before so many blocks: the variance is not known well enough."""

VARIANCE_FLOOR = 0.001
"""The least variance of a block's share that is believed."""

BLOCKS_A_SKEW = 20.0
"""The ratio takes means as normal. It is believed from so many blocks on for each unit of their squared skewness."""

MOST_LEAD = 1_000.0
"""Hypotheses are no further from 0."""

LEAST_DISTANCE = 0.1
"""Hypotheses are no closer together: no test would end."""

NELO_PER_DEVIATION = 800.0 / math.log(10.0)
"""nElo points in a lead of one standard deviation of a match, about 347.436."""

_NORMAL_975 = 1.959963984540054
_MANY_BLOCKS = 30
"""From so many on the quantiles of the normal distribution will do."""

_BAND_ALPHA = 0.05


class Scale(Enum):
    """The unit of the hypotheses."""

    NELO = "nElo"
    ELO = "Elo"


class Verdict(Enum):
    """What the test says."""

    OPEN = "open"
    LOW = "low"
    """The lower hypothesis was accepted."""
    HIGH = "high"


class Means(Enum):
    """What a verdict rests on."""

    LLR = "llr"
    """The log-likelihood ratio reached a bound."""
    BAND = "band"
    """The blocks vary too little for the ratio, and the exact band, one-sided, leaves out the other hypothesis."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """Two leads of A over B, in `scale` units, of which the test accepts one.

    `alpha`: the chance that it accepts `high` where `low` is true; `beta`: the other way round. Raises
    BadQuestionError for a pair of hypotheses or chances that no test can have.
    """

    low: float
    high: float
    scale: Scale = Scale.NELO
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        unit = self.scale.value
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise BadQuestionError(
                f"a test needs two finite hypotheses, the lower one first, not {self.low:g} and {self.high:g} {unit}"
            )
        if max(-self.low, self.high) > MOST_LEAD or self.high - self.low < LEAST_DISTANCE:
            raise BadQuestionError(
                f"hypotheses are from -{MOST_LEAD:g} to {MOST_LEAD:g} {unit} and at least {LEAST_DISTANCE:g} apart, "
                f"not {self.low:g} and {self.high:g}: choose others"
            )
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 1e-6 <= chance < 0.5:
                raise BadQuestionError(f"{name} is a chance of error from 0.000001 to below 0.5, not {chance:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which `low` and `high` are accepted."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Estimate:
    """How far A is ahead of B: a share, its 95 % interval, and both on two scales.

    `share`: mean block share of A, ½ for equals; `band` holds the true one at every look at once, at 95 %. `nelo` ±
    `nelo_half_width`; `elo` from `elo_low` to `elo_high`, which are those of the band for one block, or for blocks that
    hardly differ. None where a thing cannot be said: nElo of such blocks, and what is at the end of the scale. After a
    stop that depends on the results all but the band is biased, away from 0.
    """

    share: float | None
    band: tuple[float, float]
    nelo: float | None
    nelo_half_width: float | None
    elo: float | None
    elo_low: float | None
    elo_high: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A test in progress: `llr` against the bounds `lower` and `upper`, after `blocks` blocks with `matches` in all.

    `decided_at`: after how many blocks the verdict fell, `decided_by`: on what, both None before; then `llr` is that of
    this moment. `estimate` is from all blocks, also those that came after. Without hypotheses there are no `llr` and
    bounds, and no verdict.
    """

    verdict: Verdict
    llr: float | None
    lower: float | None
    upper: float | None
    decided_at: int | None
    decided_by: Means | None
    blocks: int
    matches: int
    estimate: Estimate


def block_share(matches: Sequence[MatchResult[BotKey]], bot: BotKey) -> float:
    """The share of a block: over its matches and the bot's seats, of the other bots' seats finished ahead of.

    A level seat counts half. Every match must seat the bot and another one.
    """
    shares = []
    for match in matches:
        others = [place for other, place in zip(match.seats, match.places, strict=True) if other != bot]
        for seated, own in zip(match.seats, match.places, strict=True):
            if seated == bot:
                beaten = sum((own < place) + 0.5 * (own == place) for place in others)
                shares.append(beaten / len(others))
    return math.fsum(shares) / len(shares)


def standing(shares: Sequence[float], matches_a_block: int, hypotheses: Hypotheses | None) -> Standing:
    """Go through the block shares in their order and stop at the first that decides.

    A run that hardly varies, as one of wins with few losses or none, tells its variance badly. Below `VARIANCE_FLOOR`
    so much is assumed, but there, and where the shares are skew for their number, the ratio decides nothing: `high` is
    accepted when the exact band leaves out `low`, and the other way round, whatever the variance is.
    """
    blocks, found = len(shares), estimate(shares, matches_a_block)
    if hypotheses is None:
        return Standing(Verdict.OPEN, None, None, None, None, None, blocks, blocks * matches_a_block, found)
    lower, upper = hypotheses.bounds
    n, mean, variance, skew = _running(shares)
    llr = _ratios(n, mean, np.maximum(variance, VARIANCE_FLOOR), matches_a_block, hypotheses)
    may = n >= LEAST_BLOCKS
    unclear = (variance < VARIANCE_FLOOR) | (n < BLOCKS_A_SKEW * skew)
    above, below = _left_out(shares, matches_a_block, hypotheses) if (may & unclear).any() else (may, may)
    high = may & np.where(unclear, above, llr >= upper)
    low = may & np.where(unclear, below, llr <= lower)
    decided = np.flatnonzero(high | low)
    at = int(decided[0]) if len(decided) else blocks - 1
    verdict = Verdict.OPEN if not len(decided) else Verdict.HIGH if high[at] else Verdict.LOW
    return Standing(
        verdict=verdict,
        llr=float(llr[at]) if blocks else 0.0,
        lower=lower,
        upper=upper,
        decided_at=at + 1 if len(decided) else None,
        decided_by=None if not len(decided) else Means.BAND if unclear[at] else Means.LLR,
        blocks=blocks,
        matches=blocks * matches_a_block,
        estimate=found,
    )


def estimate(shares: Sequence[float], matches_a_block: int) -> Estimate:
    """Estimate the lead of A from block shares, with 95 % intervals; the order does not matter."""
    n, band = len(shares), exact_band(shares, _BAND_ALPHA)
    if not n:
        return Estimate(None, band, None, None, None, None, None)
    mean = math.fsum(shares) / n
    variance = math.fsum((share - mean) ** 2 for share in shares) / n
    if n < 2 or variance < VARIANCE_FLOOR:
        return Estimate(mean, band, None, None, elo_of_share(mean), elo_of_share(band[0]), elo_of_share(band[1]))
    deviation, error = math.sqrt(variance), _error(n)
    unit = NELO_PER_DEVIATION / math.sqrt(matches_a_block)
    return Estimate(
        share=mean,
        band=band,
        nelo=(mean - 0.5) / deviation * unit,
        nelo_half_width=error * unit,
        elo=elo_of_share(mean),
        elo_low=elo_of_share(mean - error * deviation),
        elo_high=elo_of_share(mean + error * deviation),
    )


def _error(blocks: int) -> float:
    """Half-width of the 95 % interval of the mean of so many blocks, in their population deviations."""
    if blocks >= _MANY_BLOCKS:
        return _NORMAL_975 / math.sqrt(blocks)
    return float(stdtrit(blocks - 1.0, 0.975)) / math.sqrt(blocks - 1.0)


def elo_of_share(share: float) -> float | None:
    """The Elo difference at which a bot expects this share against another; None where none is finite."""
    return ELO_PER_UNIT * math.log(share / (1.0 - share)) if 0.0 < share < 1.0 else None


def _running(shares: Sequence[float]) -> tuple[Floats, Floats, Floats, Floats]:
    """Numbers of blocks 1, 2, …, with the mean (less ½), population variance and squared skewness of so many shares."""
    n = np.arange(1.0, len(shares) + 1.0)
    lead = np.array(shares, dtype=np.float64) - 0.5
    mean, square, cube = (np.cumsum(lead**power) / n for power in (1, 2, 3))
    variance = np.maximum(square - mean * mean, 0.0)
    third = cube - 3.0 * mean * square + 2.0 * mean**3
    return n, mean, variance, third**2 / np.maximum(variance, VARIANCE_FLOOR) ** 3


def _ratios(n: Floats, mean: Floats, variance: Floats, matches_a_block: int, hypotheses: Hypotheses) -> Floats:
    """The log-likelihood ratio of `high` against `low`, each with its best variance, or with that of the sample."""
    if hypotheses.scale is Scale.NELO:
        low, high = _deviations(matches_a_block, hypotheses)
        t = mean / np.sqrt(variance)
        return np.asarray(n / 2.0 * np.log((1.0 + (t - low) ** 2) / (1.0 + (t - high) ** 2)))
    low, high = _leads(hypotheses)
    return np.asarray(n * (high - low) * (2.0 * mean - low - high) / (2.0 * variance))


def _left_out(shares: Sequence[float], matches_a_block: int, hypotheses: Hypotheses) -> tuple[Bools, Bools]:
    """After which blocks the shares are too high for `low`, and too low for `high`, whatever their variance is."""
    if hypotheses.scale is Scale.NELO:
        low, high = _deviations(matches_a_block, hypotheses)
        most, least = _most_lead(low), -_most_lead(-high)
    else:
        most, least = _leads(hypotheses)
    above = log_wealth(shares, 0.5 + most) >= -math.log(hypotheses.alpha)
    below = log_wealth([1.0 - share for share in shares], 0.5 - least) >= -math.log(hypotheses.beta)
    return above, below


def _most_lead(deviations: float) -> float:
    """The most that a mean in [0, 1] can be above ½, when that is at most so many of its standard deviations.

    Of all shares those that are 0 or 1 scatter most, and none less than the floor.
    """
    if deviations < 0.0:
        return deviations * math.sqrt(VARIANCE_FLOOR)
    return 0.5 * deviations / math.sqrt(1.0 + deviations * deviations)


def _deviations(matches_a_block: int, hypotheses: Hypotheses) -> tuple[float, float]:
    """The hypotheses as leads in standard deviations of a block."""
    unit = math.sqrt(matches_a_block) / NELO_PER_DEVIATION
    return hypotheses.low * unit, hypotheses.high * unit


def _leads(hypotheses: Hypotheses) -> tuple[float, float]:
    """The hypotheses as expected shares, less ½."""
    low, high = (0.5 * math.tanh(elo / ELO_PER_UNIT / 2.0) for elo in (hypotheses.low, hypotheses.high))
    return low, high
