"""Tournaments that organisers play from the pages: each is the `arena` command in a process of its own, watched from
here, which ends with this server and leaves a tournament that resumes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from signal import SIGKILL, SIGTERM
from threading import Condition, Lock, Thread

from arena.rating.notes import WordedError
from arena.settings import DATABASE_VARIABLE, url_of
from arena.web.database import Database

MISUSE = 2
"""The exit code of a command that was asked for what cannot be: it has started nothing."""

MOST_AT_ONCE = 2
"""So many play at once: they share the cores, and none gets on quicker with more of them."""

MOST_ENDED = 20
"""So many that have ended are remembered, with what they said."""

MOST_LINES = 200
MOST_SIGNS = 500
"""So much is kept of what a command says."""

END_S = 10.0
"""After so long a command that was asked to end is ended."""

PLAYING = re.compile(r"Playing tournament (\S+)\.")
"""What the command says when the tournament is open and all that can be wrong with the wish has been looked at."""

PROGRAM = "arena: "
"""How the line begins in which a command says why it failed."""


class BusyError(WordedError):
    """Nothing more is started now; the message says why, and what to do."""


class Run:
    """A command that was started for `owner`; `tournament` is the one that it plays, None as long as that is not known.

    All of it may be read from several threads.
    """

    def __init__(
        self, number: int, owner: str, process: subprocess.Popen[str], tournament: str | None, wish: str
    ) -> None:
        self.number = number
        self.owner = owner
        self.wish = wish
        self.began = datetime.now(UTC)
        self.tournament = tournament
        self.code: int | None = None
        self.is_playing = False
        self.was_stopped = False
        self._is_heard = False
        self._process = process
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._changed = Condition()
        Thread(target=self._listen, name=f"run {number}", daemon=True).start()

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self.code is not None

    @property
    def is_refused(self) -> bool:
        """Whether it was asked for what cannot be, so that nothing was started."""
        return self.code == MISUSE

    @property
    def lines(self) -> tuple[str, ...]:
        """What it said last, a line each."""
        with self._changed:
            return tuple(self._lines)

    @property
    def failure(self) -> str:
        """Why it failed, in one line; "" when it did not, or when somebody stopped it."""
        if not self.code or self.was_stopped:
            return ""
        said = [line for line in self.lines if line.startswith(PROGRAM)] or [*self.lines, f"it ended with {self.code}"]
        return said[-1].removeprefix(PROGRAM)

    def heard_first(self) -> bool:
        """Note that somebody has heard of it; True the first time."""
        with self._changed:
            was_heard, self._is_heard = self._is_heard, True
        return not was_heard

    def settled(self, patience_s: float) -> bool:
        """Wait until it plays or has ended; False when it takes longer than that."""
        with self._changed:
            return self._changed.wait_for(lambda: self.is_playing or self.has_ended, patience_s)

    def ended(self, patience_s: float) -> bool:
        """Wait until it has ended; False when it takes longer than that."""
        with self._changed:
            return self._changed.wait_for(lambda: self.has_ended, patience_s)

    def stop(self) -> None:
        """Ask it to end, which leaves a tournament that resumes."""
        self.was_stopped = True
        with suppress(OSError):
            os.kill(self._process.pid, SIGTERM)

    def kill(self) -> None:
        """End it with all that it started."""
        with suppress(OSError):
            os.killpg(self._process.pid, SIGKILL)

    def _listen(self) -> None:
        """Hear what it says until it has ended."""
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        begins = True
        while line := self._process.stdout.readline(MOST_SIGNS):
            found = PLAYING.fullmatch(line.rstrip()) if begins else None
            begins = line.endswith("\n")
            with self._changed:
                self._lines.append(line.rstrip())
                if found is not None and not self.is_playing:
                    self.is_playing, self.tournament = True, self.tournament or found[1]
                    self._changed.notify_all()
        code = self._process.wait()
        self._process.stdout.close()
        with suppress(OSError):
            self._process.stdin.close()
        with self._changed:
            self.code = code
            self._changed.notify_all()


class Conductor:
    """Starts commands on a database, and ends with them; `command` is what is run, for tests."""

    def __init__(self, database: Database, command: Sequence[str] = (sys.executable, "-P", "-m", "arena")) -> None:
        self._database = database
        self._command = command
        self._lock = Lock()
        self._runs: deque[Run] = deque()
        self._number = 0
        self._is_closed = False

    def start(self, arguments: Sequence[str], owner: str, tournament: str | None = None, wish: str = "") -> Run:
        """Start a command; BusyError when too many run, or one that plays this tournament.

        A `wish` that was sent twice, as by a double click, starts one command only. Raises ValueError for what no
        command line can hold, OSError when there is no process to be had, and StoreError.
        """
        path = self._database.results().path
        with self._lock:
            if wish and (same := next((run for run in self._runs if run.wish == wish), None)):
                return same
            self._check_room(tournament)
            process = subprocess.Popen(
                [*self._command, *arguments],
                env=_environment(url_of(path)),
                stdin=subprocess.PIPE,  # it stops when this ends, so also when this server is killed
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
            )
            self._number += 1
            run = Run(self._number, owner, process, tournament, wish)
            self._runs.append(run)
            ended = sorted((one for one in self._runs if one.has_ended), key=lambda one: not one.is_refused)
            for one in ended[: max(0, len(ended) - MOST_ENDED)]:
                self._runs.remove(one)
        return run

    def runs(self) -> tuple[Run, ...]:
        """All that run, and the latest that have ended; the last that was started first."""
        with self._lock:
            return tuple(reversed(self._runs))

    def playing(self, tournament: str) -> Run | None:
        """The one that plays the tournament with this id, if it was started here."""
        return next((run for run in self.runs() if run.tournament == tournament and not run.has_ended), None)

    def close(self) -> None:
        """Ask all to end, and end those that do not."""
        with self._lock:
            self._is_closed = True
            running = [run for run in self._runs if not run.has_ended]
        for run in running:
            run.stop()
        until = time.monotonic() + END_S
        for run in running:
            if not run.ended(max(0.0, until - time.monotonic())):
                run.kill()
                run.ended(END_S)

    def _check_room(self, tournament: str | None) -> None:
        running = [run for run in self._runs if not run.has_ended]
        if self._is_closed:
            raise BusyError.worded("the server is ending: start it anew")
        if tournament is not None and any(run.tournament == tournament for run in running):
            raise BusyError.worded("this tournament is at work here already: wait until that is done, or stop it")
        if len(running) >= MOST_AT_ONCE:
            raise BusyError.worded(
                "%(count)s tournaments are played here already: wait for one of them, or stop it", count=len(running)
            )


def _environment(url: str) -> Mapping[str, str]:
    """What a command finds: the database, and a page that is wide enough for a ranking and takes no colours."""
    return {**os.environ, DATABASE_VARIABLE: url, "COLUMNS": "100", "NO_COLOR": "1"}
