"""How a bot plays, counted from its records: when it declares, which cards it takes, how long it thinks."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from enum import StrEnum
from typing import NamedTuple

from arena.game.actions import Declare, Play
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
    turns = list(record.turns())
    # What every turn adds is counted in bulk, since all turns of a tournament go through here.
    for (seat, bound), n in Counter([(turn.seat, bisect_left(TIME_BOUNDS_US, turn.micros)) for turn in turns]).items():
        found[seat][Habit.TIME, TIME_BOUNDS_US[min(bound, _LAST)]] += n
    own = [turn for turn in turns if turn.fault is None]
    plays = [(seat, action.take, len(action.discard)) for seat, action, *_ in own if isinstance(action, Play)]
    for (seat, take, size), n in Counter(plays).items():
        found[seat][Habit.CLOSED if take is None else Habit.OPEN, size] += n
    for seat, n in Counter([turn.seat for turn in own]).items():
        found[seat][Habit.CHANCE, 0] += n
    for deal in record.deals:
        _count_deal(deal, found)
    return tuple(tuple(HabitCount(*key, n) for key, n in sorted(seat.items()) if n) for seat in found)


def _count_deal(deal: DealRecord, found: list[Counter[tuple[Habit, int]]]) -> None:
    """Count what happens once a deal, or hardly ever."""
    dealt = [seat for seat, hand in enumerate(deal.hands) if hand is not None]
    for seat in dealt:
        found[seat][Habit.DEAL, 0] += 1
    for turn in deal.turns[: len(dealt)]:  # the first turn of each seat, in which nobody may declare
        found[turn.seat][Habit.CHANCE, 0] -= turn.fault is None
    for turn in deal.turns:
        if turn.fault is not None:
            found[turn.seat][Habit.FAULT, FAULTS.index(turn.fault.kind)] += 1
    for seat, action, _, fault, _ in deal.turns[-1:]:
        if isinstance(action, Declare) and fault is None:
            found[seat][Habit.FALSE if deal.points[seat] else Habit.HELD, deal.totals[seat] or 0] += 1
