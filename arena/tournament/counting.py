"""What a stored match counts for: everything that aggregates, rankings and listings are made of, from its record."""

from __future__ import annotations

from typing import NamedTuple

from arena.game.events import DealEnd
from arena.match.record import MatchRecord
from arena.tournament.habits import HabitCount, habits_of
from arena.tournament.ports import SeatResult


class Counts(NamedTuple):
    """The deals that scored, all turns, what the match brought to each seat, and how each seat played."""

    deals: int
    turns: int
    seats: tuple[SeatResult, ...]
    habits: tuple[tuple[HabitCount, ...], ...]


def counts_of(record: MatchRecord) -> Counts:
    """Count a match: a turn that the arena played for a bot is a fault, and one without an action a forfeit."""
    turns = list(record.turns())
    faults = [0] * len(record.seats)
    forfeited = [False] * len(record.seats)
    for turn in [turn for turn in turns if turn.fault is not None]:
        faults[turn.seat] += 1
        forfeited[turn.seat] |= turn.action is None
    results = zip(record.seats, record.places, record.points, faults, forfeited, strict=True)
    deals = sum(deal.end is not DealEnd.FORFEIT for deal in record.deals)
    return Counts(deals, len(turns), tuple(SeatResult(*result) for result in results), habits_of(record))
