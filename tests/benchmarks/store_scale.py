"""1,000 bots and 1,000,000 stored matches: how long the store takes to hand them to the ratings, and to show a ranking.

Results are made up as in `rating_scale`, and lie in the tables that a tournament fills.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.rating.results import Results
from arena.settings import url_of
from arena.store.opening import open_store
from arena.store.ratings import Ratings
from arena.store.repository import Repository
from arena.tournament.ports import PlannedBlock, Tournament
from tests.benchmarks import rating_scale
from tests.store.made import entries, tournament

PAGES = 20

SUMS = """
INSERT INTO total
SELECT 1, bot, count(DISTINCT block), count(*), count(*), sum(place), 0, sum(faults), sum(faults > 0)
FROM seat JOIN match ON match.id = seat.match GROUP BY bot;
INSERT INTO pair
SELECT 1, a, b, 4, 1, sum(n), sum(wins), sum(draws), count(*),
  CAST(sum(round(1e6 * edge)) AS INTEGER), CAST(sum(round(1e6 * edge * edge)) AS INTEGER)
FROM (
  SELECT min(x.bot, y.bot) AS a, max(x.bot, y.bot) AS b, count(*) AS n,
    sum(CASE WHEN x.bot < y.bot THEN x.place < y.place ELSE y.place < x.place END) AS wins,
    sum(x.place = y.place) AS draws,
    avg(CASE WHEN x.bot < y.bot THEN x.place < y.place ELSE y.place < x.place END) - 0.5 AS edge
  FROM seat x JOIN seat y ON y.match = x.match AND y.seat > x.seat JOIN match ON match.id = x.match
  GROUP BY match.block, 1, 2
) GROUP BY a, b;
INSERT INTO chair
SELECT 1, bot, seat, count(*), count(*), sum(place), CAST(sum(round(1e6 * edge)) AS INTEGER),
  CAST(sum(round(1e6 * edge * edge)) AS INTEGER)
FROM (SELECT bot, seat, place, (4 - place) / 3.0 - 0.5 AS edge FROM seat) GROUP BY bot, seat;
INSERT INTO habit
SELECT 1, bot."key", kind.value, one.value, 100 + one.value FROM bot,
  json_each('["held", "false", "open", "closed"]') AS kind, json_each('[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]') AS one
UNION ALL
SELECT 1, bot."key", 'time', one.value, 1000 FROM bot, json_each('[50, 100, 200, 500, 1000, 2000, 5000]') AS one
UNION ALL
SELECT 1, bot."key", one.value, 0, 9000 FROM bot, json_each('["deal", "chance"]') AS one;
"""
"""Fills the sums from the seats; all blocks are clean, no place is shared, and bots' keys run as their digests do. How
bots play is made up, the same for all."""


def run() -> dict[str, Any]:
    """Seconds of each job, in a database on this machine's disk for temporary files."""
    results = rating_scale.made_up(np.random.default_rng(1))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arena.db"
        cup = _cup()
        filling = _seconds(lambda: _fill(path, cup, results))
        with open_store(url_of(path), write=True) as store:
            store.analyze()
            ratings = Ratings(store)
            return {
                "bots": rating_scale.BOTS,
                "matches": results.matches,
                "filling the tables, s": round(filling, 1),
                "megabytes": round(path.stat().st_size / 2**20),
                "a ranking from the sums of pairs, without intervals, s": _median(lambda: _page(ratings, cup), 3),
                "reading all seats, s": _median(lambda: ratings.results(cup.id), 1),
                "computing and keeping both lists with intervals, s": _median(lambda: ratings.keep(cup.id, None), 1),
                "reading a kept ranking, s": _median(lambda: _page(ratings, cup), PAGES),
            }


def fill(path: Path) -> Tournament:
    """Make the database at `path` and give the tournament that is in it."""
    cup = _cup()
    _fill(path, cup, rating_scale.made_up(np.random.default_rng(1)))
    return cup


def _cup() -> Tournament:
    return replace(tournament("scale", seats=rating_scale.SEATS), entries=entries(rating_scale.BOTS))


def _page(ratings: Ratings, cup: Tournament) -> object:
    return ratings.current(cup.id, None, quick=True)


def _median(job: Callable[[], object], times: int) -> float:
    return round(statistics.median(_seconds(job) for _ in range(times)), 3)


def _seconds(job: Callable[[], object]) -> float:
    began = perf_counter()
    job()
    return perf_counter() - began


def _fill(path: Path, cup: Tournament, results: Results[str]) -> None:
    """Store the results as if they had been played; bot n is the one with the nth digest."""
    ranked = sorted(cup.entries, key=lambda entry: entry.digest)
    starts = np.flatnonzero(np.diff(results.block, prepend=-1))
    lineups = np.sort(results.bot[starts[:, None] + np.arange(rating_scale.SEATS)], axis=1)
    with open_store(url_of(path), write=True) as store:
        plan = _plan(lineups, [entry.digest for entry in ranked])
        Repository(store).create_tournament(replace(cup, entries=tuple(ranked)), plan)
    match = results.match[:: rating_scale.SEATS]
    matches = np.stack([match + 1, results.block[:: rating_scale.SEATS] + 1, match % rating_scale.SEATS], axis=1)
    seats = np.stack([results.match + 1, results.seat, results.bot + 1, results.place, 10 * results.place], axis=1)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("BEGIN")
        database.execute("UPDATE block SET state = 'done', attempts = 1, played = 1")
        database.executemany("INSERT INTO match VALUES (?, 1, ?, ?, zeroblob(32), 5, 120)", _rows(matches))
        database.executemany("INSERT INTO seat VALUES (?, ?, ?, ?, ?, 0, 0)", _rows(seats))
        database.execute("COMMIT")
        database.executescript(SUMS)


def _plan(lineups: NDArray[Any], digests: list[bytes]) -> Iterator[PlannedBlock]:
    for number, lineup in enumerate(lineups.tolist()):
        yield PlannedBlock(number.to_bytes(32, "big"), number, tuple(digests[bot] for bot in lineup))


def _rows(table: NDArray[Any]) -> Iterator[tuple[int, ...]]:
    return map(tuple, table.tolist())
