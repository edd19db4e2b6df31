"""Ratings of 1,000 bots after 250,000 blocks of four matches at tables of four: made-up results, real statistics.

Times are medians of the clock on the wall, followed by those of the processor: on a busy machine these tell more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

from arena.rating.counts import MatchResult, pair_counts
from arena.rating.duels import count_duels
from arena.rating.live import LiveRatings
from arena.rating.model import fit_table
from arena.rating.report import rate
from arena.rating.results import Results

BOTS, BLOCKS, SEATS = 1_000, 250_000, 4
ROUNDS = 3
UPDATES = 50


def run() -> dict[str, Any]:
    """Seconds of each job; an update is one block more."""
    generator = np.random.default_rng(1)
    results = made_up(generator)
    table = count_duels(results)
    report = rate(results)
    return {
        "bots": BOTS,
        "matches": results.matches,
        "pairs that met": int(table.first.size),
        "fit from pair aggregates, s": _median(lambda: fit_table(results.bots, table)),
        "update after a block, ms": _updates(LiveRatings.start(results.bots, table), generator),
        "results to pair aggregates, s": _median(lambda: count_duels(results)),
        "report with all intervals and ranks, s": _median(lambda: rate(results)),
        "design effect, s": _median(lambda: replace(report).design_effect),
        "circles and head to head, s": _median(lambda: replace(report).intransitivity),
        "seat table, s": _median(lambda: replace(report).seats),
    }


def made_up(generator: np.random.Generator) -> Results[str]:
    """Random lineups in every rotation; places by strength and chance, of which the deal has a part."""
    strength = generator.normal(scale=0.8, size=BOTS)
    lineups = generator.integers(BOTS, size=(BLOCKS, SEATS))
    while (doubled := np.any(np.diff(np.sort(lineups, axis=1), axis=1) == 0, axis=1)).any():
        lineups[doubled] = generator.integers(BOTS, size=(int(doubled.sum()), SEATS))
    bots = np.stack([np.roll(lineups, turn, axis=1) for turn in range(SEATS)], axis=1)
    luck = generator.gumbel(size=(BLOCKS, 1, SEATS)) + generator.gumbel(size=(BLOCKS, SEATS, SEATS))
    places = 1 + np.argsort(np.argsort(-(strength[bots] + luck / 2), axis=2), axis=2)
    rows = places.size
    return Results.from_columns(
        [f"bot-{number:04}" for number in range(BOTS)],
        range(BLOCKS),
        block=np.repeat(np.arange(BLOCKS), SEATS * SEATS),
        match=np.repeat(np.arange(BLOCKS * SEATS), SEATS),
        seat=np.tile(np.arange(SEATS), BLOCKS * SEATS),
        bot=bots.ravel(),
        place=places.ravel(),
        faulted=np.zeros(rows, dtype=np.bool_),
        points=3 * places.ravel() + generator.integers(5, size=rows),
        deals=np.full(rows, 10),
    )


def _median(job: Callable[[], object]) -> str:
    return _both([_times(job) for _ in range(ROUNDS)], 2)


def _updates(ratings: LiveRatings[str], generator: np.random.Generator) -> str:
    current = ratings

    def update() -> None:
        nonlocal current
        current = current.after(pair_counts([block]))
        current.ratings()

    times = []
    for _ in range(UPDATES):
        lineup = [f"bot-{number:04}" for number in generator.choice(BOTS, SEATS, replace=False)]
        block = [
            MatchResult(
                (*lineup[turn:], *lineup[:turn]), tuple(generator.permutation(SEATS).tolist()), (False,) * SEATS
            )
            for turn in range(SEATS)
        ]
        wall, processor = _times(update)
        times.append((1e3 * wall, 1e3 * processor))
    return _both(times, 0)


def _times(job: Callable[[], object]) -> tuple[float, float]:
    wall, processor = perf_counter(), process_time()
    job()
    return perf_counter() - wall, process_time() - processor


def _both(times: list[tuple[float, float]], digits: int) -> str:
    wall, processor = (median(column) for column in zip(*times, strict=True))
    return f"{wall:.{digits}f} ({processor:.{digits}f})"
