"""How much of a match is still one's own after a deal: points near the threshold weigh more than points far from it."""

from __future__ import annotations

import numpy as np

from arena.analysis.evaluation import Objective
from arena.analysis.hands import Indices
from arena.analysis.styles import Numbers
from arena.game.scoring import most_points
from arena.game.seating import turn_order
from arena.game.view import Observation


def share_of_match(view: Observation) -> Objective:
    """Return the objective of the seat of this view: minus its share of the room that all have left to the threshold.

    The room stands for the chance to be the last one in, as chips do in a tournament of poker (Malmuth 1987, Gambling
    Theory and Other Topics). Whoever crosses has no room left; when all do, those with the fewest points share.
    """
    public = view.public
    live = tuple([seat for seat, held in enumerate(public.seats) if not held.out])
    order = turn_order(live, view.seat, len(public.seats))
    before = np.array([public.seats[seat].points for seat in order])
    most = most_points(public.variant)

    def objective(points: Indices) -> Numbers:
        after = before + points
        room = np.maximum(0.0, most + 1 - after)
        none_left = ~room.any(axis=1)
        lowest = after == after.min(axis=1, keepdims=True)
        room[none_left] = lowest[none_left]
        return np.asarray(-room[:, 0] / room.sum(axis=1))

    return objective
