"""Seating bots in the order of their standing at tables, so that those sit together who may and stand close."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

Table: TypeAlias = tuple[bytes, ...]

_STEPS = 20_000
"""After so many placements beyond those that are needed the search gives up."""


def seat_tables(
    order: Sequence[bytes], seats: int, may_meet: Callable[[bytes, bytes], bool], taken: Collection[Table]
) -> list[Table] | None:
    """Seat all of `order` (a multiple of `seats`), each table in its order; None when the search finds no way.

    Any two at a table may meet, and no table, sorted, is one of the `taken`. Depth first: the first who stands goes to
    a new table, then the next who may sit there; where nobody may, the last one seated gives way to the next.
    """
    seated: list[int] = []
    standing = [True] * len(order)
    budget = _STEPS + len(order)
    start = 0
    while len(seated) < len(order):
        budget -= 1
        opening = len(seated) % seats == 0
        here = [order[place] for place in seated[len(seated) - len(seated) % seats :]]
        place = _next_place(order, standing, start, here, seats, may_meet, taken)
        if place is not None and not (opening and place != standing.index(True)):
            standing[place] = False
            seated.append(place)
            start = 0 if len(seated) % seats == 0 else place + 1
        elif not seated or budget < 0:
            return None
        else:
            last = seated.pop()
            standing[last] = True
            start = last + 1
    bots = [order[place] for place in seated]
    return [tuple(bots[first : first + seats]) for first in range(0, len(bots), seats)]


def _next_place(
    order: Sequence[bytes],
    standing: Sequence[bool],
    start: int,
    here: Sequence[bytes],
    seats: int,
    may_meet: Callable[[bytes, bytes], bool],
    taken: Collection[Table],
) -> int | None:
    """The first place from `start` on whose bot may join the table `here`."""
    last = len(here) == seats - 1
    for place in range(start, len(order)):
        bot = order[place]
        if standing[place] and all(may_meet(bot, other) for other in here):
            if last and taken and tuple(sorted([*here, bot])) in taken:
                continue
            return place
    return None
