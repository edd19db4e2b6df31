"""How a tournament stands at a moment: what moves on its page, and how quickly."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from threading import Lock
from typing import NamedTuple

from arena.store.overview import Progress
from arena.web.conducting import Conductor
from arena.web.database import Database
from arena.web.live import Seen
from arena.web.rankings import Rankings, Standing
from arena.web.verifying import Subject, Verification, Verifier

SPAN_S = 60.0
"""Rates are those of so long a time."""

LEAST_SPAN_S = 2.0
"""Of less time nobody can tell a rate."""

MOST_PACES = 100
"""Of so many tournaments it is known how quickly they are played."""

MOST_VERIFIED = 5_000
"""Larger tournaments are verified when an organiser wishes so: in blocks, of which a core checks about 50 a second."""


class Moment(NamedTuple):
    """How a tournament stands; `a_second` is how many blocks are finished in a second, None where that is not known.

    `verification` is None as long as blocks are still to come, and of tournaments too large for a passer-by's wish.
    """

    standing: Standing
    progress: Progress
    is_finished: bool
    is_played: bool
    a_second: float | None
    verification: Verification | None

    @property
    def left_s(self) -> float | None:
        """Seconds until all planned blocks are played; None where that is not known."""
        return self.progress.left / self.a_second if self.a_second else None

    @property
    def is_over(self) -> bool:
        """Whether nothing of it will change any more."""
        return self.is_finished and (self.verification is None or self.verification.is_settled)


class Moments:
    """Looks at tournaments, and remembers of those that are being played how quickly that goes."""

    def __init__(self, database: Database, rankings: Rankings, verifier: Verifier, conductor: Conductor) -> None:
        self._database = database
        self._conductor = conductor
        self._rankings = rankings
        self._verifier = verifier
        self._lock = Lock()
        self._paces: OrderedDict[str, deque[tuple[float, int]]] = OrderedDict()

    def now(self, tournament: str) -> Moment:
        """How the tournament with this id stands; StoreError when there is none."""
        results, is_played = self._database.results(), self.is_played(tournament)
        is_finished = results.tournaments.name(tournament).finished is not None
        progress = results.overviews.progress(tournament)
        return Moment(
            self._rankings.current(tournament, clean=False),
            progress,
            is_finished,
            is_played,
            self._pace(tournament, progress.done) if is_played else None,
            self._verified(Subject(tournament, progress.done, is_finished), is_played),
        )

    def is_played(self, tournament: str) -> bool:
        """Whether the tournament with this id is being played, by whomever, or about to be from here."""
        begun = self._conductor.playing(tournament) is not None
        return begun or self._database.results().overviews.is_played(tournament)

    def look(self, tournament: str) -> Seen:
        """The same, for `arena.web.live`."""
        moment = self.now(tournament)
        return Seen(moment, moment.is_over)

    def verify(self, tournament: str) -> None:
        """Verify the tournament with this id, however large it is."""
        results = self._database.results()
        done = results.overviews.progress(tournament).done
        self._verifier.verify(Subject(tournament, done, results.tournaments.name(tournament).finished is not None))

    def _verified(self, subject: Subject, is_played: bool) -> Verification | None:
        if is_played or not subject.blocks or subject.blocks > MOST_VERIFIED:
            return self._verifier.known(subject)
        return self._verifier.verify(subject)

    def _pace(self, tournament: str, done: int) -> float | None:
        """Blocks finished in a second of late."""
        now = time.monotonic()
        with self._lock:
            pace = self._paces.setdefault(tournament, deque())
            self._paces.move_to_end(tournament)
            while len(self._paces) > MOST_PACES:
                self._paces.popitem(last=False)
            if pace and now - pace[-1][0] > SPAN_S:
                pace.clear()  # nobody looked for so long that it may have stood still
            while pace and now - pace[0][0] > SPAN_S:
                pace.popleft()
            if not pace or now - pace[-1][0] > LEAST_SPAN_S / 4:
                pace.append((now, done))
            began, before = pace[0]
        return (done - before) / (now - began) if now - began >= LEAST_SPAN_S else None
