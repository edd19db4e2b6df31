"""How a bot plays, counted from its records: when it declares, which cards it takes, how long it thinks."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from enum import StrEnum
from typing import NamedTuple

from arena.game.actions import Play
from arena.match.faults import FaultKind
from arena.match.record import DealRecord, MatchRecord

TIME_BOUNDS_US = tuple(step * 10**power for power in range(1, 8) for step in (1, 2, 5))
"""Times of turns are counted up to each of these, from 10 µs to 50 s, and longer ones with the last."""

FAULTS = tuple(FaultKind)
"""The kinds of faults by their numbers here; new ones belong at the end."""

_LAST = len(TIME_BOUNDS_US) - 1


class Habit(StrEnum):
    """What is counted; what the arena plays for a bot after a fault is no habit of it, but the time that it took is."""

    DEAL = "deal"
    """Deals that it was dealt into (value 0)."""
    CHANCE = "chance"
    """Turns in which it might have declared, whether or not it did (value 0)."""
    HELD = "held"
    """Declarations that held, by the total of its hand."""
    FALSE = "false"
    """Declarations that somebody had less than, by the total of its hand."""
    CLOSED = "closed"
    """Cards taken from the closed deck, by the number of cards discarded before."""
    OPEN = "open"
    """Open cards taken, by the number of cards discarded before."""
    FAULT = "fault"
    """Faults, by the place of their kind in `FAULTS`."""
    TIME = "time"
    """Turns by the bound of `TIME_BOUNDS_US` that the time charged for them does not exceed."""


class HabitCount(NamedTuple):
    """So many of a kind with a value; what the value is, the kind says."""

    habit: Habit
    value: int
    n: int


def habits_of(record: MatchRecord) -> tuple[tuple[HabitCount, ...], ...]:
    """Count the habits of each seat of a match."""
    found: list[Counter[tuple[Habit, int]]] = [Counter() for _ in record.seats]
    for deal in record.deals:
        _count(deal, found)
    return tuple(tuple(HabitCount(*key, n) for key, n in sorted(seat.items())) for seat in found)


def _count(deal: DealRecord, found: list[Counter[tuple[Habit, int]]]) -> None:
    for seat, hand in enumerate(deal.hands):
        if hand is not None:
            found[seat][Habit.DEAL, 0] += 1
    has_played = [False] * len(found)
    for seat, action, _, fault, micros in deal.turns:
        counts = found[seat]
        counts[Habit.TIME, TIME_BOUNDS_US[min(bisect_left(TIME_BOUNDS_US, micros), _LAST)]] += 1
        if fault is None:
            if has_played[seat]:
                counts[Habit.CHANCE, 0] += 1
            if isinstance(action, Play):
                counts[Habit.CLOSED if action.take is None else Habit.OPEN, len(action.discard)] += 1
            else:
                counts[Habit.FALSE if deal.points[seat] else Habit.HELD, deal.totals[seat] or 0] += 1
        else:
            counts[Habit.FAULT, FAULTS.index(fault.kind)] += 1
        has_played[seat] = True
