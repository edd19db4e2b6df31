import threading
from contextlib import ExitStack

import pytest

from arena.bots.turnstile import LONG_START_S, Turnstile


@pytest.fixture
def never() -> threading.Event:
    return threading.Event()


class Clock:
    """A clock that stands until it is set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def waiting(gate: Turnstile, cancelled: threading.Event) -> tuple[threading.Thread, threading.Event]:
    """Somebody who waits at the gate, and the event of having passed."""
    passed = threading.Event()

    def start() -> None:
        with gate.passage(cancelled):
            passed.set()

    thread = threading.Thread(target=start, daemon=True)
    thread.start()
    return thread, passed


def test_no_more_starts_go_on_at_once_than_are_allowed(never: threading.Event) -> None:
    gate = Turnstile(2, Clock())
    with ExitStack() as inside:
        for _ in range(2):
            inside.enter_context(gate.passage(never))
        thread, passed = waiting(gate, never)
        assert not passed.wait(0.15)
    thread.join(5)
    assert passed.is_set()


def test_a_start_that_takes_long_does_not_hold_up_the_others(never: threading.Event) -> None:
    clock = Clock()
    gate = Turnstile(1, clock)
    with gate.passage(never):
        thread, passed = waiting(gate, never)
        assert not passed.wait(0.15)
        clock.now += LONG_START_S + 0.1
        assert passed.wait(5)
        thread.join(5)


def test_one_that_is_no_longer_wanted_does_not_wait(never: threading.Event) -> None:
    gate, cancelled = Turnstile(1, Clock()), threading.Event()
    with gate.passage(never):
        thread, passed = waiting(gate, cancelled)
        cancelled.set()
        assert passed.wait(5)
        thread.join(5)
