"""How many points a deal `planner` gains on `greedy` at tables of two, on deals that both play from both seats."""

from __future__ import annotations

import hashlib
from statistics import NormalDist, fmean, stdev
from typing import Any

from arena.bench.in_process import Choose, play
from arena.game.variant import Variant
from tests.sample_bots.loading import load

BLOCKS = 400
"""Enough for the normal quantile to stand for that of t."""
DEALS = 10
LEVEL = 0.95
VARIANT = Variant(threshold=0, deal_cap=DEALS)


def run() -> dict[str, Any]:
    """The mean advantage over blocks, in points a deal, with its interval."""
    planner, greedy = load("planner").choose, load("greedy").choose
    gains = [gain(planner, greedy, block) for block in range(BLOCKS)]
    half = NormalDist().inv_cdf((1 + LEVEL) / 2) * stdev(gains) / BLOCKS**0.5
    return {
        "blocks": BLOCKS,
        "deals_a_block": 2 * DEALS,
        "level": LEVEL,
        "points_a_deal": round(fmean(gains), 3),
        "low": round(fmean(gains) - half, 3),
        "high": round(fmean(gains) + half, 3),
    }


def gain(first: Choose, second: Choose, block: int) -> float:
    """What the first gains on the second, in points a deal, over both rotations of a block."""
    seed = hashlib.sha256(f"planner-vs-greedy/{block}".encode()).digest()
    one = play((first, second), seed, VARIANT).points
    other = play((second, first), seed, VARIANT).points
    return ((one[1] - one[0]) + (other[0] - other[1])) / (2 * DEALS)
