"""Wakes those who wait in event loops when something changes in another thread."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Callable
from contextlib import suppress
from threading import Lock


class Bell:
    """Rung from any thread, heard in any event loop."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: set[tuple[AbstractEventLoop, asyncio.Event]] = set()

    def ring(self) -> None:
        """Something has changed."""
        with self._lock:
            waiting = list(self._waiting)
        for loop, event in waiting:
            with suppress(RuntimeError):  # that loop has ended meanwhile
                loop.call_soon_threadsafe(event.set)

    async def wait(self, ready: Callable[[], bool], most_s: float | None = None) -> None:
        """Wait until `ready`, which is asked whenever the bell rings, but no longer than `most_s`."""
        event = asyncio.Event()
        waiter = (asyncio.get_running_loop(), event)
        with self._lock:
            self._waiting.add(waiter)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(most_s):
                    while not ready():
                        await event.wait()
                        event.clear()
        finally:
            with self._lock:
                self._waiting.discard(waiter)
