"""How a bot plays, as a page tells it: figures made of the counts of `arena.tournament.habits`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import accumulate
from typing import NamedTuple

from arena.tournament.habits import FAULTS, Habit

Counts = Mapping[Habit, Mapping[int, int]]

HALF, NEARLY_ALL = 0.5, 0.95


class Discard(NamedTuple):
    """The `plays` with a discard of so many `cards`, their share of all plays, and of how many the card was open."""

    cards: int
    plays: int
    share: float
    opened: int


class Habits(NamedTuple):
    """What there is to say; shares and means are None where there is nothing to count.

    It might have declared in `chances` turns and did so `declared` times, of which `held` held, at `mean_total` on
    average, in so many `deals`. `plays` took a card, `opened` of them an open one. `half_us` and `nearly_all_us`: half
    and 95 % of its `turns` took no longer. `faults` by kind, the most frequent first.
    """

    deals: int
    chances: int
    declared: int
    held: int
    mean_total: float | None
    plays: int
    opened: int
    discards: tuple[Discard, ...]
    turns: int
    half_us: int | None
    nearly_all_us: int | None
    faults: tuple[tuple[str, int], ...]


def told_habits(counts: Counts) -> Habits:
    """Add up what a page tells."""
    held, false = counts[Habit.HELD], counts[Habit.FALSE]
    totals = Counter(held) + Counter(false)
    closed, opened = counts[Habit.CLOSED], counts[Habit.OPEN]
    plays = Counter(closed) + Counter(opened)
    declared, played = totals.total(), plays.total()
    return Habits(
        deals=sum(counts[Habit.DEAL].values()),
        chances=sum(counts[Habit.CHANCE].values()),
        declared=declared,
        held=sum(held.values()),
        mean_total=sum(total * n for total, n in totals.items()) / declared if declared else None,
        plays=played,
        opened=sum(opened.values()),
        discards=tuple(Discard(cards, n, n / played, opened.get(cards, 0)) for cards, n in sorted(plays.items())),
        turns=sum(counts[Habit.TIME].values()),
        half_us=bound(counts[Habit.TIME], HALF),
        nearly_all_us=bound(counts[Habit.TIME], NEARLY_ALL),
        faults=tuple((FAULTS[kind].value, n) for kind, n in Counter(counts[Habit.FAULT]).most_common()),
    )


def bound(times: Mapping[int, int], share: float) -> int | None:
    """The least bound that so large a share of the turns does not exceed; None without turns."""
    rows = sorted(times.items())
    wanted = share * sum(times.values())
    running = accumulate(n for _, n in rows)
    return next((limit for (limit, _), done in zip(rows, running, strict=True) if done >= wanted), None)
