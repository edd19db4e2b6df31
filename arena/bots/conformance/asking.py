"""The fixed turns put to a bot: one by one and many in a call, until they are through, time is up, or all fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic

from arena.bots.conformance.findings import Reply
from arena.bots.conformance.interview import Interview
from arena.bots.conformance.judging import judge
from arena.bots.conformance.reading import read_question
from arena.bots.conformance.turns import FixedTurn

MOST_FAILED = 4
"""After so many failed calls the rest is not asked: each may cost a deadline and a start."""


def ask_alone(interview: Interview, turns: Sequence[FixedTurn], until: float) -> tuple[Reply, ...]:
    """The replies to turns, each asked in a call of its own; no call is begun after the monotonic time `until`."""
    return tuple(_replies(interview, [(turn,) for turn in turns], until))


def ask_together(interview: Interview, turns: Sequence[FixedTurn], size: int, until: float) -> tuple[Reply, ...]:
    """The replies to turns, `size` of them in a call."""
    calls = [tuple(turns[start : start + size]) for start in range(0, len(turns), size)]
    return tuple(_replies(interview, calls, until))


def _replies(interview: Interview, calls: Sequence[tuple[FixedTurn, ...]], until: float) -> Iterator[Reply]:
    failures = 0
    for turns in calls:
        if failures >= MOST_FAILED or monotonic() > until:
            return
        result = interview.ask([turn.request for turn in turns])
        failures += result.failure is not None
        for turn in turns:
            judgement = judge(read_question(turn.request), result)
            output = interview.player.last_output() if judgement.fault is not None else ""
            failed = result.failure is not None
            yield Reply(turn, judgement, turns, result.charged_s / len(turns), output, failed)
