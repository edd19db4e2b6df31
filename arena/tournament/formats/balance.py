"""Balanced lineups: every bot plays as often as every other, and every two meet about as often as every other two.

A greedy draw seats, place after place, the bot that played least and among those the one that met the others of the
table least; then a search exchanges bots between tables where a pair meets too often or too seldom. Everything is a
pure function of the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_256
from math import floor, gcd, lcm

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Tables = NDArray[np.intp]
"""One row a lineup, the numbers of its bots."""

_NEVER = 1e13
"""Meetings of a pair that must not meet (a bot and itself, two of one owner): more than any sum of real ones."""

_ROUND = 1e6
"""One appearance less outweighs all meetings."""

_STEPS_A_BOT = 40
_LOOKED_AT = 300
"""Tables that the search compares in one step."""


def even_lineups(bots: int, seats: int, near: int) -> tuple[int, ...]:
    """The nearest numbers of lineups, up to `near` and beyond it, that divide evenly.

    At such a number all bots can play equally often and all pairs can meet equally often: both seats·L/bots and
    seats(seats−1)·L/(bots(bots−1)) are whole numbers (the necessary conditions of a balanced incomplete block design;
    F. Yates 1936).
    """
    pairs, met = bots * (bots - 1), seats * (seats - 1)
    step = lcm(bots // gcd(bots, seats), pairs // gcd(pairs, met))
    below = near // step * step
    return tuple(number for number in (below, below + step) if number)


def balanced_tables(owners: Sequence[int], seats: int, lineups: int, seed: bytes) -> Tables:
    """Draw `lineups` tables of `seats` of the bots 0, 1, …; `owners` gives a number to each bot's owner.

    A table never holds a bot twice or two bots of one owner; there must be at least `seats` owners. Appearances differ
    by one at most, unless an owner has more bots than can play so often. Meetings of pairs that may meet lie within 1
    of their mean rounded down or up where the search finds such tables, else very near.
    """
    draw = _Draw(np.array(owners), seats, lineups, seed)
    draw.seat_all()
    draw.even_out_appearances()
    draw.even_out_meetings()
    return draw.tables


class _Draw:
    """Tables in the making, with the counts that belong to them."""

    def __init__(self, owners: NDArray[np.intp], seats: int, lineups: int, seed: bytes) -> None:
        self.seed = seed
        self.owners = owners
        self.apart = owners[:, None] == owners[None, :]
        self.met: Floats = np.where(self.apart, _NEVER, 0.0)
        self.appeared: Floats = np.zeros(len(owners))
        self.tables: Tables = np.empty((lineups, seats), dtype=np.intp)
        self.owned = np.bincount(owners).max() > 1

    def seat_all(self) -> None:
        """Fill table after table; after each of them the appearances are as equal as they can be."""
        for table, row in enumerate(self.tables):
            cost = self.appeared * _ROUND + _noise(self.seed, table, len(self.appeared))
            if self.owned:
                cost -= 1_000.0 * self._as_late()
            for seat in range(len(row)):
                bot = int(cost.argmin())
                row[seat] = bot
                cost += self.met[bot]
            self._count(row, 1)

    def _as_late(self) -> Floats:
        """How many bots of the same owner played no more than each bot: they cannot all sit at the last table."""
        behind = self.apart & (self.appeared[:, None] >= self.appeared[None, :])
        return np.asarray(behind.sum(axis=1), dtype=np.float64)

    def _count(self, row: Tables, change: int) -> None:
        self.met[np.ix_(row, row)] += change
        self.met[row, row] = _NEVER
        self.appeared[row] += change

    def even_out_appearances(self) -> None:
        """Let those who played least take the places of those who played most, as far as owners allow."""
        for _ in range(len(self.tables)):
            least, most = int(self.appeared.argmin()), int(self.appeared.argmax())
            if self.appeared[most] - self.appeared[least] <= 1:
                return
            seated = (self.tables == most).any(axis=1)
            clash = self.met[least][self.tables].sum(axis=1) - self.met[least, most]
            table = int(np.where(seated, clash, np.inf).argmin())
            if not seated[table] or clash[table] >= _NEVER:
                return
            self._replace(table, most, least)

    def even_out_meetings(self) -> None:
        """Exchange two bots of two tables, the best exchange each time, until no pair is too far from the mean."""
        bots, seats = len(self.appeared), self.tables.shape[1]
        allowed = np.triu(~self.apart)
        if seats >= bots or not allowed.any():
            return
        mean = len(self.tables) * seats * (seats - 1) / 2 / allowed.sum()
        low, high = floor(mean) - 1, -floor(-mean) + 1
        for step in range(_STEPS_A_BOT * bots):
            off = np.where(allowed, np.maximum(self.met - high, low - self.met), 0.0)
            worst = int(off.argmax())
            if off.flat[worst] <= 0:
                return
            one, other = divmod(worst, bots)
            if step % 2:
                one, other = other, one
            if not self._exchange(one, other, together=bool(self.met[one, other] > mean), step=step):
                return

    def _exchange(self, one: int, other: int, *, together: bool, step: int) -> bool:
        """Let bot `one` change its table so that it meets `other` less (`together`) or more; False when it cannot.

        The sum of squared meetings falls as far as it can, and where it cannot fall, it rises least.
        """
        with_one, with_other = (self.tables == one).any(axis=1), (self.tables == other).any(axis=1)
        leave = np.flatnonzero(with_one & (with_other if together else ~with_other))
        enter = np.flatnonzero(~with_one & (~with_other if together else with_other))
        if not len(leave) or not len(enter):
            return False
        table = int(leave[step % len(leave)])
        enter = np.roll(enter, -step * _LOOKED_AT)[:_LOOKED_AT]
        change = self._change(one, table, enter)
        change[self.tables[enter] == other] = np.inf
        best = int(change.argmin())
        if change.flat[best] >= _NEVER / 2:
            return True
        target, seat = divmod(best, change.shape[1])
        bot = int(self.tables[enter[target], seat])
        self._replace(table, one, bot)
        self._replace(int(enter[target]), bot, one)
        return True

    def _change(self, one: int, table: int, enter: Tables) -> Floats:
        """What exchanging `one` of `table` with each bot of the tables `enter` adds to Σ meetings² / 2, but a constant.

        One row a table, one column a seat; not below `_NEVER` / 2 where the exchange cannot be.
        """
        rows, here = self.tables[enter], self.tables[table]
        rest = here[here != one]
        leaves = self.met[:, rest].sum(axis=1) - self.met[one, rest].sum()
        enters = self.met[one][rows].sum(axis=1)[:, None] - self.met[one][rows]
        gives_up = self.met[rows[:, :, None], rows[:, None, :]].sum(axis=2) - _NEVER
        in_both = (rows[:, :, None] == rest[None, None, :]).any(axis=2).sum(axis=1)[:, None]
        return np.asarray(leaves[rows] + enters - gives_up - 2 * in_both, dtype=np.float64)

    def _replace(self, table: int, bot: int, by: int) -> None:
        row = self.tables[table]
        self._count(row, -1)
        row[row == bot] = by
        self._count(row, 1)


def _noise(seed: bytes, table: int, size: int) -> Floats:
    """`size` numbers from 0 up to 1 that decide between equals, others for each table."""
    stream = shake_256(b"least-score/v1/lineups/%d/" % table + seed).digest(4 * size)
    return np.frombuffer(stream, dtype=">u4") / 2.0**32
