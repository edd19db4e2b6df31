"""Limits, and the clock as arithmetic: what a call may take, and what its turns are charged. Nothing here looks at a
clock or sleeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import ceil
from typing import Any


class LimitsError(ValueError):
    """Limits that cannot be played with; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that can change a result, and therefore belong to a block's identity.

    `turn_ms` is the time of a turn, `bank_ms` what a seat may use beyond it in one match, the `strikes`-th fault of a
    match forfeits, and `show_names` tells the bots whom they play.
    """

    turn_ms: int = 500
    bank_ms: int = 10_000
    strikes: int = 3
    show_names: bool = False

    def __post_init__(self) -> None:
        for name, least in (("turn_ms", 1), ("bank_ms", 0), ("strikes", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise LimitsError(f"{name} is {value!r}, but must be a whole number of at least {least}")
        if not isinstance(self.show_names, bool):
            raise LimitsError(f"show_names is {self.show_names!r}, but must be true or false")

    def as_dict(self) -> dict[str, Any]:
        """The four fields by name, as they stand in a block's identity and in the export."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Limits:
        """The inverse of `as_dict`; raises LimitsError when a field is missing, unknown or out of range."""
        known = {field.name for field in fields(cls)}
        if set(values) != known:
            raise LimitsError(f"limits need exactly the fields {', '.join(sorted(known))}; got {sorted(values)}")
        return cls(**values)


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """The limits around a bot's process; they never change what a bot that keeps within them does."""

    start_ms: int = 10_000
    conclude_ms: int = 100
    shutdown_ms: int = 2_000


MARGIN_S = 0.020
"""Added to every deadline, so that an answer on the limit is not lost on its way back."""

MOST_WAITING = 10
"""Turn limits, for each turn of a call, by which waiting may move its deadline: a bot can make itself wait."""

LEAST_MOVE_S = 0.002
"""A deadline is not moved by less; what is left is within the margin."""

STUCK_S = 0.020
"""How long a bot that wants a core and gets none is given at a time, while it is not known how long it will wait."""


def deadline_s(turns: int, limits: Limits, banks_ms: list[float]) -> float:
    """Seconds that a call of `turns` turns may take: a turn limit each, the smallest bank of its matches, a margin."""
    return (turns * limits.turn_ms + min(banks_ms)) / 1000 + MARGIN_S


def most_waiting_s(turns: int, limits: Limits) -> float:
    """Seconds by which waiting may move the deadline of a call of `turns` turns."""
    return MOST_WAITING * turns * limits.turn_ms / 1000


def waiting_s(elapsed_s: float, ran_s: float, waited_s: float, arena_s: float) -> float:
    """How much of a call was not the bot's: the arena's own delay, and the bot's wait for a core.

    `ran_s` is what all its threads had of the cores, `waited_s` what they waited for one, together. Threads that wait
    for each other are the bot's own affair: what it ran is charged, so no crowd of threads wins it time to think.
    """
    arena_s = min(arena_s, elapsed_s)
    return arena_s + min(waited_s, max(0.0, elapsed_s - arena_s - ran_s))


def moved_deadline_s(now_s: float, deadline_s: float, most_s: float, waiting_s: float, *, stuck: bool) -> float | None:
    """What becomes of a deadline that has passed, all in seconds of the call: the new one, or None when it is missed.

    It moves by the waiting so far, at most by `most_s`. A bot that is `stuck`, which wants a core and has none now, is
    given a little more and looked at again, since its wait is not counted before it is over.
    """
    until = deadline_s + min(waiting_s, most_s)
    if stuck:
        until = max(until, min(now_s + STUCK_S, deadline_s + most_s))
    return until if until >= now_s + LEAST_MOVE_S else None


def overrun_ms(charged_s: float, turns: int, limits: Limits) -> float:
    """What each match of an answered call loses from its bank: its equal part of the time beyond the turn limits."""
    return max(0.0, charged_s * 1000 - turns * limits.turn_ms) / turns


class Pace:
    """How many turns one call to a chair may carry.

    It starts at one, grows only while that many turns at the measured 95th percentile of a turn would fit into a
    single turn limit, never beyond what the bot takes, and falls back to one after a failed call. So the time that is
    promised to a turn does not depend on the batch it travels in.
    """

    __slots__ = ("_limit_s", "_recent", "most")

    WINDOW = 64

    def __init__(self, limits: Limits) -> None:
        self._limit_s = limits.turn_ms / 1000
        self._recent: list[float] = []
        self.most = 1

    def answered(self, turns: int, charged_s: float, max_batch: int) -> None:
        """Learn from an answered call of `turns` turns and set `most` for the next one."""
        recent = self._recent
        recent.append(charged_s / turns)
        if len(recent) > self.WINDOW:
            del recent[0]
        p95 = sorted(recent)[ceil(0.95 * len(recent)) - 1]
        fits = ceil(self._limit_s / p95) - 1 if p95 > 0 else max_batch  # so many stay under the limit
        self.most = max(1, min(2 * self.most, fits, max_batch))

    def failed(self) -> None:
        """A call failed as a whole: ask one turn at a time again."""
        self.most = 1
