"""Whether a tournament holds, computed here: `arena verify` in a process of its own, one at a time and behind all
else; what it said is kept for as long as the tournament stays as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from threading import Lock, Thread
from typing import Any, NamedTuple

from arena.settings import DATABASE_VARIABLE, url_of
from arena.store.errors import StoreError
from arena.web.database import Database

MOST_KEPT = 200
"""So many reports are kept, and so many tournaments wait at most."""

MOST_TOLD = 20
"""So many problems of a report are kept."""

NICENESS = 19
"""A verification gives way to whatever else runs."""

ELSEWHERE = "/"
"""Where it runs: no export that happens to be called like a tournament lies there."""


class Finding(Enum):
    """What is known of a tournament."""

    WAITING = "waiting"
    RUNNING = "running"
    HOLDS = "holds"
    BROKEN = "broken"
    FAILED = "failed"


class Verification(NamedTuple):
    """What a verification found; `reason` is why there was none, when it FAILED."""

    finding: Finding
    matches: int = 0
    blocks: int = 0
    turns: int = 0
    problem_count: int = 0
    problems: Sequence[str] = ()
    notes: Sequence[str] = ()
    reason: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether nothing will come any more."""
        return self.finding not in (Finding.WAITING, Finding.RUNNING)


WAITING, RUNNING = Verification(Finding.WAITING), Verification(Finding.RUNNING)


@dataclass(frozen=True)
class Subject:
    """A tournament in the state that it is verified in: so many of its blocks are done, and its secret is known or not,
    as long as it is not finished."""

    tournament: str
    blocks: int
    is_finished: bool


class Verifier:
    """Verifies what it is asked about in a database, and remembers; `command` is what is run, for tests."""

    def __init__(self, database: Database, command: Sequence[str] = (sys.executable, "-P", "-m", "arena")) -> None:
        self._database = database
        self._command = command
        self._lock = Lock()
        self._known: OrderedDict[Subject, Verification] = OrderedDict()
        self._queue: list[Subject] = []
        self._process: subprocess.Popen[str] | None = None
        self._is_closed = False

    def verify(self, subject: Subject) -> Verification:
        """What is known; whatever is not known yet is begun, or waits until it can be."""
        with self._lock:
            known = self._known.get(subject)
            if known is None and len(self._queue) < MOST_KEPT and not self._is_closed:
                self._known[subject] = WAITING
                self._queue.append(subject)
                if len(self._queue) == 1:
                    Thread(target=self._work, name="verifier", daemon=True).start()
            return known or WAITING

    def known(self, subject: Subject) -> Verification | None:
        """What is known, without asking for more."""
        with self._lock:
            return self._known.get(subject)

    def close(self) -> None:
        """End what runs; nothing is begun any more."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()

    def _work(self) -> None:
        """Go through the queue until it is empty."""
        while True:
            with self._lock:
                subject = self._queue[0]
                self._known[subject] = RUNNING
            found = self._run(subject.tournament)
            with self._lock:
                self._known[subject] = found
                self._known.move_to_end(subject)
                while len(self._known) > MOST_KEPT and self._known[next(iter(self._known))].is_settled:
                    self._known.popitem(last=False)
                del self._queue[0]
                if not self._queue or self._is_closed:
                    return

    def _run(self, tournament: str) -> Verification:
        try:
            output, errors = self._said(tournament)
        except OSError as error:
            return Verification(Finding.FAILED, reason=f"it could not be started ({error.strerror})")
        except StoreError as error:
            return Verification(Finding.FAILED, reason=str(error))
        try:
            return _read(json.loads(output))
        except (ValueError, KeyError, TypeError):
            last = (errors.strip().splitlines() or ["it was ended"])[-1]
            return Verification(Finding.FAILED, reason=last.removeprefix("arena: "))

    def _said(self, tournament: str) -> tuple[str, str]:
        """What the command says on standard output and standard error."""
        path = self._database.results().path
        with _leash() as leash:
            with self._lock:
                if self._is_closed:
                    return "", ""
                self._process = subprocess.Popen(
                    [*self._command, "verify", tournament, "--json", "--stop-at-eof"],
                    env={**os.environ, DATABASE_VARIABLE: url_of(path)},
                    cwd=ELSEWHERE,
                    stdin=leash,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    errors="replace",
                )
            with self._process as process:
                with suppress(OSError):  # it has ended already
                    os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
                return process.communicate()


@contextmanager
def _leash() -> Iterator[int]:
    """An input that lasts as long as the `with`, and ends with this process, also when that is killed."""
    end, held = os.pipe()
    try:
        yield end
    finally:
        os.close(end)
        os.close(held)


def _read(report: dict[str, Any]) -> Verification:
    """The report of `arena verify --json`."""
    problems = [f"{one['where']}: {one['field']} {one['what']}" for one in report["problems"]]
    finding = Finding.HOLDS if report["ok"] else Finding.BROKEN
    matches, blocks, turns = (int(report[name]) for name in ("matches", "blocks", "turns"))
    return Verification(finding, matches, blocks, turns, len(problems), problems[:MOST_TOLD], report["notes"])
