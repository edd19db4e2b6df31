"""Seating bots in the order of their standing at tables, so that those sit together who stand close and met least."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_MEETING = 1_000.0
"""One meeting again outweighs any distance in the order."""

_NEVER = 1e9
_HELP = 1e-6


def seat_close(
    met: Floats, apart: NDArray[np.bool_], seats: int, is_taken: Callable[[list[int]], bool]
) -> tuple[list[list[int]], int] | None:
    """Seat the places 0, 1, … of an order, in tables of `seats`; also how many tables are taken already all the same.

    `met[i, j]`: how often two met; `apart[i, j]`: they may not. The neighbours of the order sit together at first; then
    the exchange of two bots that helps most is made until none helps. At last a table that is taken makes the exchange
    that costs least and gives two tables that are not. None when some are still seated who may not be.
    """
    place = np.arange(len(met), dtype=np.float64)
    cost = _MEETING * met**2 + ((place[:, None] - place[None, :]) / seats) ** 2
    cost = np.where(apart, _NEVER, cost)
    np.fill_diagonal(cost, 0.0)
    at = np.arange(len(met)) // seats
    _settle(cost, at)
    taken = sum(not _renew(cost, at, table, is_taken) for table in range(len(met) // seats))
    tables: list[list[int]] = np.argsort(at, kind="stable").reshape(-1, seats).tolist()
    if any(cost[np.ix_(table, table)].max() >= _NEVER for table in tables):
        return None
    return tables, taken


def _settle(cost: Floats, at: Places) -> None:
    """Exchange places between tables, `at[i]` being the table of place i, while Σ cost of those together falls.

    In one pass every table takes part in one exchange at most, so that all of them help as much as each alone.
    """
    for _ in range(4 * len(at)):
        change = _changes(cost, at)
        helpful = np.flatnonzero(change < -_HELP)
        if not helpful.size:
            return
        free = np.ones(int(at.max()) + 1, dtype=np.bool_)
        for best in helpful[np.argsort(change.flat[helpful], kind="stable")].tolist():
            one, other = divmod(best, len(at))
            here, there = int(at[one]), int(at[other])
            if free[here] and free[there]:
                free[[here, there]] = False
                at[one], at[other] = there, here


def _changes(cost: Floats, at: Places) -> Floats:
    """What exchanging place i with place j of a later table adds to Σ cost of those together; ∞ for other pairs."""
    strain = cost @ (at[:, None] == np.arange(int(at.max()) + 1)[None, :]).astype(np.float64)
    moved = strain[:, at] - strain[np.arange(len(at)), at][:, None] - cost
    return np.where(at[:, None] >= at[None, :], np.inf, moved + moved.T)


def _renew(cost: Floats, at: Places, table: int, is_taken: Callable[[list[int]], bool]) -> bool:
    """Make a table that is taken one that is not; False when no single exchange does."""

    def stale(number: int) -> bool:
        return is_taken(np.flatnonzero(at == number).tolist())

    if not stale(table):
        return True
    change = _changes(cost, at)
    change[(at[:, None] != table) & (at[None, :] != table)] = np.inf
    for best in np.argsort(change, axis=None, kind="stable").tolist():
        if change.flat[best] >= _NEVER / 2:
            return False
        one, other = divmod(best, len(at))
        at[one], at[other] = at[other], at[one]
        if not stale(int(at[one])) and not stale(int(at[other])):
            return True
        at[one], at[other] = at[other], at[one]
    return False
