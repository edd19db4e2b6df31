"""The watchdog: one thread that looks at all sandboxes of a launcher and ends the one that takes more than its limits.

The kernel bounds most of it already; the watchdog sees what no limit of the kernel names, and says which it was.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Protocol

from arena.bots.connections import Connections, Known
from arena.bots.usage import Exceeded

EVERY_S = 0.075
"""The time between two looks."""

WHOLE_LOOK = 4
"""Every so many looks all is looked at; at the others only memory that grew, output and connections."""


class Watched(Known, Protocol):
    """What the watchdog looks at: a bot's process, or its connection alone."""

    def look(self) -> Exceeded | None:
        """What it exceeds now, if anything, beside what it sends over its connection. Raises OSError."""
        ...

    def stop(self, exceeded: Exceeded) -> None:
        """End it for that."""
        ...


class Watchdog:
    """Looks at what it was given until that is taken away; its thread begins with the first and ends with `close`."""

    def __init__(self) -> None:
        self._watched: set[Watched] = set()
        self._connections = Connections()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, watched: Watched) -> None:
        """Look at it from now on."""
        with self._lock:
            self._watched.add(watched)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
                self._thread.start()

    def remove(self, watched: Watched) -> None:
        """Look at it no longer; it may still be looked at while this returns."""
        with self._lock:
            self._watched.discard(watched)

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._closed.wait(EVERY_S):
            with self._lock:
                watched = list(self._watched)
            with suppress(OSError):  # no descriptors are left to look with; the next time there may be
                floods = self._connections.look(watched)
                for one in watched:
                    exceeded = Exceeded("output", floods[one]) if one in floods else one.look()
                    if exceeded is not None:
                        self.remove(one)
                        one.stop(exceeded)
