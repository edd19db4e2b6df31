"""Whether the seat at the table matters: how each seat fared, and how far chance alone takes it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from arena.rating.duels import beaten
from arena.rating.intervals import CONFIDENCE
from arena.rating.likelihood import Floats, sums
from arena.rating.points import Means, means, told
from arena.rating.results import Bools, Results


class SeatFigures(NamedTuple):
    """How one seat fared at tables of `seats`; `seat` counts from 0.

    `share` of the other bots' seats beaten (½ without a seat effect), `lead` in points a deal over the others (0
    without). Each `chance` is the half-width around that value that chance leaves, 95 % for all seats of a table size
    together (Bonferroni); None for too few blocks.
    """

    seats: int
    seat: int
    matches: int
    mean_place: float
    share: float
    share_chance: float | None
    lead: float | None
    lead_chance: float | None


def seat_table(results: Results[Any]) -> tuple[SeatFigures, ...]:
    """Give a row for every table size and seat, from matches of at least two bots."""
    won, met = beaten(results)
    rows = met > 0
    share = np.divide(won, met, out=np.zeros_like(won), where=rows)
    size = np.bincount(results.match)[results.match]
    table: list[SeatFigures] = []
    for seats in np.unique(size[rows]).tolist():
        here = rows & (size == seats)
        level = 1.0 - (1.0 - CONFIDENCE) / seats
        shares = _over_blocks(results, share, here, seats, level)
        leads = None if results.lead is None else _over_blocks(results, results.lead, here, seats, level)
        matches = np.bincount(results.seat[here], minlength=seats)
        places = np.bincount(results.seat[here], results.place[here], seats) / np.maximum(matches, 1)
        for seat in np.flatnonzero(matches).tolist():
            table.append(
                SeatFigures(
                    seats=seats,
                    seat=seat,
                    matches=int(matches[seat]),
                    mean_place=float(places[seat]),
                    share=float(shares.mean[seat]),
                    share_chance=told(shares.half_width[seat]),
                    lead=None if leads is None else float(leads.mean[seat]),
                    lead_chance=None if leads is None else told(leads.half_width[seat]),
                )
            )
    return tuple(table)


def _over_blocks(results: Results[Any], value: Floats, rows: Bools, seats: int, level: float) -> Means:
    """Average by block, then over blocks, seat by seat."""
    chairs, chair = np.unique(results.block[rows] * seats + results.seat[rows], return_inverse=True)
    by_block = sums(chair, value[rows], chairs.size) / np.bincount(chair, minlength=chairs.size)
    return means(chairs % seats, by_block, seats, level)
