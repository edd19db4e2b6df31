"""The ladder of sample bots, rung against rung at tables of two and of four: stored and verified tournaments of real
processes in the default clock, with the points a deal that the upper rung gains, and how long it thinks."""

from __future__ import annotations

import hashlib
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

from tests.end_to_end.arena import Arena
from tests.sample_bots.loading import SAMPLE_BOTS

RUNGS = ("random", "greedy", "planner", "counter", "sampler", "champion")
CLIMBS = (*zip(RUNGS[1:], RUNGS, strict=False), ("champion", "planner"))
BLOCKS = {2: 30, 4: 30}
"""By the seats of a table."""
CLOSE = {
    ("sampler", "counter"): {2: 150, 4: 300},
    ("champion", "sampler"): {2: 150, 4: 200},
    ("champion", "planner"): {2: 40, 4: 60},
}
"""Rungs that are so near to each other, or to what is asked of them, that it takes more blocks to tell."""
DEALS = 10
LEVEL = 0.95


class Climb(NamedTuple):
    """What a bot gained on another: points a deal with its half-width at `LEVEL`, the likelihood that it is superior,
    by places (normal approximation over blocks), and the time of its turns in milliseconds."""

    points: float
    half_width: float
    superior: float
    median_ms: float
    p99_ms: float


def run() -> dict[str, Any]:
    """Every climb at both sizes."""
    found: dict[str, Any] = {"deals_a_match": DEALS, "level": LEVEL}
    for seats, usual in BLOCKS.items():
        for upper, lower in CLIMBS:
            blocks = CLOSE.get((upper, lower), BLOCKS).get(seats, usual)
            found[f"{upper} over {lower}, {seats} seats, blocks"] = blocks
            for measure, value in climb(upper, lower, seats, blocks)._asdict().items():
                found[f"{upper} over {lower}, {seats} seats, {measure}"] = round(value, 3)
    return found


def climb(upper: str, lower: str, seats: int, blocks: int) -> Climb:
    """Play and verify so many blocks in a database of their own."""
    seed = hashlib.sha256(f"ladder/{upper}/{lower}/{seats}".encode()).hexdigest()
    bots = [str(SAMPLE_BOTS / name) for name in (upper, lower)]
    with tempfile.TemporaryDirectory() as folder:
        arena = Arena(Path(folder), patience_s=3600)
        rules = ("--threshold", "0", "--deal-cap", str(DEALS), "--seed", seed)
        played = arena.json("ab", *bots, "--seats", str(seats), "--fixed", str(blocks), *rules)
        arena.ok("verify", played["id"])
        return measured(arena.export_of(played["id"]), upper)


def measured(matches: list[dict[str, Any]], upper: str) -> Climb:
    """The figures from exported matches."""
    gains: defaultdict[str, list[float]] = defaultdict(list)
    shares: defaultdict[str, list[float]] = defaultdict(list)
    times: list[float] = []
    for match in matches:
        ours = [seat["bot"] == upper for seat in match["seats"]]
        mine, theirs = split(match["points"], ours)
        gains[match["block_id"]].append((fmean(theirs) - fmean(mine)) / len(match["deals"]))
        mine, theirs = split(match["places"], ours)
        shares[match["block_id"]] += [(own < other) + 0.5 * (own == other) for own in mine for other in theirs]
        times += [turn["micros"] / 1000 for deal in match["deals"] for turn in deal["turns"] if ours[turn["seat"]]]
    points = [fmean(block) for block in gains.values()]
    places = [fmean(block) - 0.5 for block in shares.values()]
    half = NormalDist().inv_cdf((1 + LEVEL) / 2) * stdev(points) / len(points) ** 0.5
    error = max(stdev(places) / len(places) ** 0.5, 1e-9)  # of blocks that were all won alike
    times.sort()
    return Climb(
        fmean(points),
        half,
        NormalDist().cdf(fmean(places) / error),
        times[len(times) // 2],
        times[len(times) * 99 // 100],
    )


def split(values: list[int], ours: list[bool]) -> tuple[list[int], list[int]]:
    """The values of our seats, and of the others."""
    mine = [value for value, own in zip(values, ours, strict=True) if own]
    return mine, [value for value, own in zip(values, ours, strict=True) if not own]
