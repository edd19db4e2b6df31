"""A turnstile for starts: so many at once that each finds a core, so that none is late because of the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LONG_START_S = 1.0
"""A start that takes longer waits for something else than a core; it no longer holds up the others."""

LOOK_EVERY_S = 0.05
"""How often one that waits looks whether it is still wanted."""


class Turnstile:
    """Lets `abreast` starts go on at once, not counting those that take long."""

    def __init__(self, abreast: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._abreast = max(1, abreast)
        self._clock = clock
        self._changed = threading.Condition()
        self._begun: dict[object, float] = {}

    @contextmanager
    def passage(self, cancelled: threading.Event) -> Iterator[None]:
        """Wait for a place, or until `cancelled` is set, and hold it; the start-up limit begins inside."""
        mark = object()
        with self._changed:
            while not cancelled.is_set() and self._young() >= self._abreast:
                self._changed.wait(LOOK_EVERY_S)
            self._begun[mark] = self._clock()
        try:
            yield
        finally:
            with self._changed:
                del self._begun[mark]
                self._changed.notify()

    def _young(self) -> int:
        long_ago = self._clock() - LONG_START_S
        return sum(begun > long_ago for begun in self._begun.values())
