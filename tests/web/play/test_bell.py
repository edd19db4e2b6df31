"""Who waits in an event loop is woken by what happens in another thread."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from arena.web.play.bell import Bell
from tests.web.apart import apart

PATIENCE_S = 30.0


def test_a_waiter_wakes_when_what_it_waits_for_has_come() -> None:
    bell = Bell()
    rung: list[int] = []

    async def wait() -> None:
        waiting = asyncio.create_task(bell.wait(lambda: len(rung) == 2, PATIENCE_S))
        for _ in range(2):
            await asyncio.sleep(0)
            assert not waiting.done()
            await asyncio.to_thread(ring)
        await waiting

    def ring() -> None:
        rung.append(1)
        bell.ring()

    apart(wait())
    assert len(rung) == 2


def test_nobody_waits_for_ever() -> None:
    apart(Bell().wait(lambda: False, 0.01))


def test_a_loop_that_has_ended_disturbs_nobody() -> None:
    bell = Bell()

    def left() -> asyncio.Task[None]:
        """Who still waited when the loop ended."""
        loop = asyncio.new_event_loop()
        waiting = loop.create_task(bell.wait(lambda: False))
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
        return waiting

    with ThreadPoolExecutor(1) as another:
        waiting = another.submit(left).result()
        another.submit(bell.ring).result()
    assert not waiting.done()
    waiting._log_destroy_pending = False  # type: ignore[attr-defined]  # it is meant to be left like that
