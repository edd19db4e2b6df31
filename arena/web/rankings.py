"""Rankings as pages show them: computed so seldom that a running tournament is not slowed down by its readers."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from time import perf_counter

from arena.store.ranking import Ranking, read_ranking
from arena.store.ratings_history import Mark
from arena.store.repository import Repository
from arena.web.database import Database

MOST_SHARE = 0.05
"""Of the time of one core, so much at most goes into computing one ranking again and again."""

MOST_KEPT = 16
"""So many rankings are kept: with 1,000 bots each takes about a megabyte."""


@dataclass(frozen=True)
class Standing:
    """A ranking as it was when the database was at `version`, and the course of its ratings.

    `serial` tells it from every other of this process.
    """

    ranking: Ranking
    course: tuple[Mark, ...]
    version: str
    serial: int
    cost_s: float
    made_s: float

    def is_fresh(self, version: str, now_s: float) -> bool:
        """Whether it is of this version, or so expensive that it is too early for another."""
        return self.version == version or now_s - self.made_s < self.cost_s / MOST_SHARE


class Rankings:
    """The rankings that were computed last. While one is computed anew, other readers get the one before."""

    def __init__(self, database: Database, anchor: bytes | None) -> None:
        self._database = database
        self._anchor = anchor
        self._lock = Lock()
        self._known: dict[tuple[str, bool], Standing] = {}
        self._at_work: dict[tuple[str, bool], Lock] = {}
        self._serial = 0

    def current(self, tournament: str, *, clean: bool) -> Standing:
        """The ranking of the tournament with this id; raises as `Database.results` and `read_ranking` do."""
        key, version = (tournament, clean), self._database.version()
        with self._lock:
            known = self._known.get(key)
            lock = self._at_work.setdefault(key, Lock())
        if known is not None and known.is_fresh(version, perf_counter()):
            return known
        if not lock.acquire(blocking=known is None):
            assert known is not None
            return known
        try:
            return self._compute(key, version)
        finally:
            lock.release()

    def _compute(self, key: tuple[str, bool], version: str) -> Standing:
        with self._lock:
            known = self._known.get(key)
        if known is not None and known.version == version:
            return known  # somebody else was at it just before
        tournaments: Repository = self._database.results().tournaments
        tournament, clean = key
        began = perf_counter()
        ranking = read_ranking(tournaments, tournaments.tournament(tournament), self._anchor, clean=clean)
        course = () if clean else tournaments.ratings.course(tournament, self._anchor)
        ended = perf_counter()
        with self._lock:
            self._serial += 1
            made = self._known[key] = Standing(ranking, course, version, self._serial, ended - began, ended)
            while len(self._known) > MOST_KEPT:
                oldest = min(self._known, key=lambda one: self._known[one].made_s)
                del self._known[oldest]
        return made
