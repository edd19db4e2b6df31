"""What can be said of the mean of shares, however they scatter: who bets against the truth grows rich with few chances.

It needs no variance, so it holds for a run that does not vary yet, and for one block; it may be looked at any time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import logsumexp

from arena.rating.likelihood import Floats

_BETS = 2.0 ** (-np.arange(15) / 2.0)
"""Parts of the wealth that are staked, from all of it: small ones see small leads in long runs."""

_PURSES = np.log(np.sqrt(_BETS) / np.sqrt(_BETS).sum())
"""Logarithms of the wealth that each bet begins with, 1 in all: more where it is decided soon."""

_HALVINGS = 40


def log_wealth(shares: Sequence[float], mean: float) -> Floats:
    """Logarithm of the wealth, from 1, of a bettor on "the true mean is above `mean`", after each of the shares.

    Σ_c w_c Π (1 − c + c·x/mean) for shares x in [0, 1] and a mean in (0, 1). Where the true mean is `mean` or less it
    ever reaches 1/α with a chance of at most α (J. Ville 1939).
    """
    x = np.asarray(shares, dtype=np.float64)[:, None]
    return _mixed(np.cumsum(_growth(x, mean), axis=0))


def exact_band(shares: Sequence[float], alpha: float) -> tuple[float, float]:
    """A band that holds the true mean of shares in [0, 1] at every look at once, with a chance of 1 − `alpha`.

    It has the means against which neither bettor came to 2/`alpha` (I. Waudby-Smith, A. Ramdas 2024); their order does
    not matter. (0, 1) for no share.
    """
    values, times = np.unique(np.asarray(shares, dtype=np.float64), return_counts=True)
    counts = times.astype(np.float64)
    return _lower_bound(values, counts, alpha / 2.0), 1.0 - _lower_bound(1.0 - values, counts, alpha / 2.0)


def _lower_bound(values: Floats, counts: Floats, alpha: float) -> float:
    """The largest mean that is left out: the wealth falls as the mean rises, and is below 1 at that of the shares."""
    low, high = 0.0, float(values @ counts) / max(float(counts.sum()), 1.0)
    for _ in range(_HALVINGS):
        mean = (low + high) / 2.0
        rich = mean > 0.0 and float(_mixed(counts @ _growth(values[:, None], mean))) >= -math.log(alpha)
        low, high = (mean, high) if rich else (low, mean)
    return low


def _growth(x: Floats, mean: float) -> Floats:
    """Logarithms of what becomes of 1 by each bet."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(1.0 - _BETS + _BETS * (x / mean)))


def _mixed(logs: Floats) -> Floats:
    return np.asarray(logsumexp(logs + _PURSES, axis=-1))
