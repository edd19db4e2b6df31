"""What a bot takes: time for a turn, alone and in a batch, memory, and room for what it prints."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from time import monotonic

from arena.bots.conformance.findings import Finding, Reply, Step, StepReport
from arena.bots.conformance.interview import Interview, Tally
from arena.bots.conformance.turns import LIMITS, FixedTurn
from arena.bots.ring import KEPT_HEAD, KEPT_TAIL

MOST_ALONE = 300
MOST_TOGETHER = 3_000
"""Turns that are asked to measure the time of one."""

NEAR = 0.9
"""The part of a process's memory from which on it is said to be near the limit."""


def speed(
    interview: Interview, known: Sequence[Reply], ordinary: Sequence[FixedTurn], size: int, until: float
) -> StepReport:
    """Measure ordinary turns, half of the time alone and half of it `size` in a call; `known` are earlier replies."""
    now = monotonic()
    alone = _alone(interview, ordinary, now + (until - now) / 2)
    together = _together(interview, ordinary[:size], until)
    answered = [reply for reply in known if not reply.failed]
    slowest = max(answered, key=lambda reply: reply.charged_s, default=None)
    figures = {
        "alone_turns": len(alone),
        "alone_p50_ms": percentile_ms(alone, 0.5),
        "alone_p99_ms": percentile_ms(alone, 0.99),
        "batch_turns": len(together),
        "batch_p50_ms": percentile_ms(together, 0.5),
        "batch_p99_ms": percentile_ms(together, 0.99),
        "slowest_ms": _ms(slowest.charged_s) if slowest else None,
        "slowest_turn": slowest.turn.name if slowest else None,
    }
    summary = "nothing was answered in time"
    if alone:
        summary = f"a turn alone {figures['alone_p50_ms']} ms, p99 {figures['alone_p99_ms']} ms"
    if together:
        summary += f"; in a batch {figures['batch_p50_ms']} ms, p99 {figures['batch_p99_ms']} ms"
    return StepReport(Step.SPEED, summary, figures, tuple(_too_slow(alone, slowest)))


def memory(tally: Tally, limit_mb: int) -> StepReport:
    """Tell the most memory that a process had; `limit_mb` is what its manifest asks for."""
    peak_mb = tally.peak_memory / (1 << 20)
    near = peak_mb > NEAR * limit_mb
    finding = Finding(False, f"a process had {peak_mb:.0f} MB", f"less than {limit_mb} MB, or a higher memory_mb")
    summary = f"{peak_mb:.0f} MB at most, of {limit_mb}" if peak_mb else "was not seen"
    figures = {"peak_mb": round(peak_mb, 1) if peak_mb else None, "limit_mb": limit_mb}
    return StepReport(Step.MEMORY, summary, figures, (finding,) if near else ())


def output(tally: Tally) -> StepReport:
    """Tell how much was printed, and whether all of it was kept."""
    figures = {"printed_bytes": tally.written, "dropped_bytes": tally.dropped}
    if not tally.dropped:
        return StepReport(Step.OUTPUT, f"{tally.written} bytes printed", figures)
    what = f"of {tally.written} bytes printed, {tally.dropped} were dropped"
    expected = f"less to read: of each process the first {KEPT_HEAD >> 10} KiB and the last {KEPT_TAIL >> 10} are kept"
    return StepReport(Step.OUTPUT, f"{tally.written} bytes printed", figures, (Finding(False, what, expected),))


def percentile_ms(seconds: Sequence[float], share: float) -> float | None:
    """The least of these times that so large a share of them does not exceed, in milliseconds; None without any."""
    return _ms(sorted(seconds)[ceil(share * len(seconds)) - 1]) if seconds else None


def _too_slow(alone: Sequence[float], slowest: Reply | None) -> list[Finding]:
    findings = []
    limit_s = LIMITS.turn_ms / 1000
    expected = f"less than {LIMITS.turn_ms} ms; what is over that comes out of the bank of a match"
    if alone and sorted(alone)[len(alone) // 2] > limit_s:
        findings.append(Finding(True, f"half of its turns take {percentile_ms(alone, 0.5):.0f} ms or more", expected))
    elif slowest is not None and slowest.charged_s > limit_s:
        what = f"'{slowest.turn.name}' took {_ms(slowest.charged_s)} ms"
        findings.append(Finding(False, what, expected, turns=slowest.asked))
    return findings


def _alone(interview: Interview, turns: Sequence[FixedTurn], until: float) -> list[float]:
    """The seconds of turns, each asked in a call of its own, again and again; it ends with the first failure."""
    seconds: list[float] = []
    while len(seconds) < MOST_ALONE and monotonic() < until:
        result = interview.ask([turns[len(seconds) % len(turns)].request])
        if result.failure is not None:
            break
        seconds.append(result.charged_s)
    return seconds


def _together(interview: Interview, turns: Sequence[FixedTurn], until: float) -> list[float]:
    """The seconds of a turn in calls of as many as the bot takes and there are."""
    size = len(turns)
    seconds: list[float] = []
    while size > 1 and len(seconds) < MOST_TOGETHER and monotonic() < until:
        result = interview.ask([turn.request for turn in turns])
        if result.failure is not None:
            break
        seconds += [result.charged_s / size] * size
    return seconds


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
