"""What a bot may use of a core between calls, as arithmetic."""

from __future__ import annotations

import pytest

from arena.bots.idle import AFTERWORK_S, WINDOW_S, IdleMeter


def gap(meter: IdleMeter, seconds: float, burnt_s: float) -> float | None:
    """Let a gap between two calls pass."""
    meter.call_ended(100.0, 7.0)
    return meter.call_begins(100.0 + seconds, 7.0 + burnt_s)


def test_nothing_is_said_before_a_window_is_full() -> None:
    meter = IdleMeter()
    assert gap(meter, WINDOW_S / 2, 0.5) is None
    assert gap(meter, WINDOW_S / 2, 0.5) is not None


def test_the_share_is_what_was_burnt_of_the_gaps() -> None:
    assert gap(IdleMeter(), 2 * WINDOW_S, WINDOW_S + AFTERWORK_S) == pytest.approx(0.5)


def test_what_a_call_leaves_to_clear_up_is_free_and_no_more() -> None:
    meter = IdleMeter()
    gaps = int(WINDOW_S / 0.01)
    shares = [gap(meter, 0.01, AFTERWORK_S if number % 2 else 0.01) for number in range(gaps + 1)]
    (share,) = filter(None, shares)
    assert share == pytest.approx((0.01 - AFTERWORK_S) / 2 / 0.01, rel=0.02)


def test_a_window_starts_afresh() -> None:
    meter = IdleMeter()
    assert gap(meter, WINDOW_S, WINDOW_S) == pytest.approx(1, rel=0.01)
    assert gap(meter, WINDOW_S, 0.0) == 0


def test_a_process_that_ended_meanwhile_takes_nothing_back() -> None:
    assert gap(IdleMeter(), WINDOW_S, -5.0) == 0
