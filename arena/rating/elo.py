"""Online Elo: the running number of a history chart. It depends on the order of matches and is never the ranking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.rating.errors import BadResultsError
from arena.rating.likelihood import sigmoid
from arena.rating.model import ELO_PER_UNIT

K_FACTOR = 24.0
"""Elo points at stake in a match."""


def online_changes(ratings: Sequence[float], places: Sequence[int], k_factor: float = K_FACTOR) -> tuple[float, ...]:
    """Give what one match adds to each seat's rating, unrounded: Δ = K/(k−1) · Σ over the other seats of (y − p).

    `ratings` before the match and `places` (1 for the best, equal ones tie) run by seat. A bot in two seats adds up
    both changes. Raises BadResultsError when they are not of one length of at least 2.
    """
    if not len(ratings) == len(places) >= 2:
        raise BadResultsError(
            f"a match needs a rating and a place for each of at least 2 seats, not {len(ratings)} and {len(places)}"
        )
    theta = np.array(ratings, dtype=np.float64) / ELO_PER_UNIT
    place = np.array(places)
    expected = sigmoid(theta[:, None] - theta[None, :])
    scored = np.where(place[:, None] == place[None, :], 0.5, place[:, None] < place[None, :])
    return tuple((k_factor / (len(places) - 1) * (scored - expected).sum(axis=1)).tolist())
