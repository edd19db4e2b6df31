"""What a bot uses of a core while it is not asked: measured between its calls, and stopped when it is too much."""

from __future__ import annotations

import signal
from time import monotonic

from arena.bots.waiting import cpu_s, send_to_tree, tree

ALLOWED_SHARE = 0.05
"""Of one core, over a window of time between calls."""

WINDOW_S = 1.0
"""Seconds of the gaps that were looked at, added up, after which a share is worked out."""

AFTERWORK_S = 0.002
"""Seconds of a core that every call may leave to do: to send the answer away and to clear up."""

LOOK_EVERY_S = 0.1
"""So far apart are the gaps between calls that are looked at, so that the others cost nothing; no bot knows which."""


class IdleMeter:
    """Adds up what was used of a core in the gaps between calls; it is told all times and reads no clock."""

    def __init__(self) -> None:
        self._ended_s = self._ended_cpu_s = 0.0
        self._gaps_s = self._burnt_s = 0.0

    def call_ended(self, now_s: float, cpu_s: float) -> None:
        """A gap begins at `now_s`, when the bot had used `cpu_s` since its own beginning."""
        self._ended_s, self._ended_cpu_s = now_s, cpu_s

    def call_begins(self, now_s: float, cpu_s: float) -> float | None:
        """The gap ends: the share of a core that was burnt over a window of gaps, when one is full."""
        self._gaps_s += now_s - self._ended_s
        self._burnt_s += max(0.0, cpu_s - self._ended_cpu_s - AFTERWORK_S)
        if self._gaps_s < WINDOW_S:
            return None
        share = self._burnt_s / self._gaps_s
        self._gaps_s = self._burnt_s = 0.0
        return share


class Idleness:
    """Watches over one process and its descendants between calls, and stops them there once it is told to."""

    def __init__(self, pid: int, *, stopping: bool) -> None:
        self._pid = pid
        self._meter = IdleMeter()
        self._pids: list[int] = []
        self._next_look = 0.0
        self._stopped = False
        self.stopping = stopping

    def call_begins(self) -> float | None:
        """A call is about to be made: see `IdleMeter.call_begins`."""
        share = None
        if self._pids:
            share = self._meter.call_begins(monotonic(), cpu_s(self._pids))
            self._pids = []
        self.resume()
        return share

    def call_ended(self) -> None:
        """A call came back."""
        now = monotonic()
        if now > self._next_look:
            self._next_look = now + LOOK_EVERY_S
            self._pids = tree(self._pid)
            self._meter.call_ended(now, cpu_s(self._pids))
        if self.stopping:
            self._stopped = True
            send_to_tree(self._pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let the processes go on, if they are stopped."""
        if self._stopped:
            send_to_tree(self._pid, signal.SIGCONT)
            self._stopped = False
