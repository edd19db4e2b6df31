"""What a finished match leaves behind for the ratings: for every two bots, how often each finished ahead of the other.

The fit needs no more than these counts, so its cost grows with the square of the number of bots and not with the
matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

import numpy as np

from arena.rating.errors import BadResultsError
from arena.rating.likelihood import Floats, Indices, sums

BotKey = TypeVar("BotKey", bytes, str)
"""What names a bot version, all of one type: the 32 bytes of a digest, or a text."""


@dataclass(frozen=True, slots=True)
class MatchResult(Generic[BotKey]):
    """One finished match, seat by seat; a bot may hold more than one seat.

    `places`: 1 for the best; only their order matters, and equal numbers are a tie (seats that forfeit share the last
    place). `faulted`: whether the seat committed a fault in this match. `points`: what each seat scored, fewer being
    better, in `deals` deals; empty where they are not known.
    """

    seats: tuple[BotKey, ...]
    places: tuple[int, ...]
    faulted: tuple[bool, ...]
    points: tuple[int, ...] = ()
    deals: int = 0

    def __post_init__(self) -> None:
        if not len(self.seats) == len(self.places) == len(self.faulted) >= 2:
            raise BadResultsError(
                "a match needs a bot, a place and a fault flag for each of at least 2 seats, "
                f"not {len(self.seats)} bots, {len(self.places)} places and {len(self.faulted)} flags"
            )
        if self.points and len(self.points) != len(self.seats):
            raise BadResultsError(f"{len(self.points)} points for {len(self.seats)} seats: every seat or none has them")


@dataclass(frozen=True, slots=True)
class PairCount(Generic[BotKey]):
    """How two bots finished relative to each other at tables of one size, in clean blocks or in the others.

    `a` < `b`; `games` counts the pairs of seats that they held together, of which `a` finished ahead in `wins` and
    level in `draws`. `clean`: no seat of the whole block committed a fault. Several counts of the same two bots
    simply add up.
    """

    a: BotKey
    b: BotKey
    seats: int
    clean: bool
    games: int
    wins: int
    draws: int

    def __post_init__(self) -> None:
        if not self.a < self.b:
            raise BadResultsError(f"a pair names the smaller bot first, and two different ones: {self.a!r}, {self.b!r}")
        if self.seats < 2:
            raise BadResultsError(f"a pair meets at a table of at least 2 seats, not {self.seats}")
        if min(self.wins, self.draws) < 0 or self.wins + self.draws > self.games:
            raise BadResultsError(f"{self.wins} wins and {self.draws} draws do not fit into {self.games} games")


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Pair counts as parallel arrays, for lists of many bots: `first` < `second` are indices of sorted bots.

    Clean blocks and others are added up. Rows may repeat a pair, and come in any order.
    """

    first: Indices
    second: Indices
    seats: Indices
    games: Indices
    wins: Indices
    draws: Indices

    @classmethod
    def of(cls, names: Sequence[BotKey], counts: Iterable[PairCount[BotKey]]) -> PairTable:
        """Take counts of the sorted bots `names`; raises BadResultsError when they name another."""
        position = {bot: index for index, bot in enumerate(names)}
        rows = []
        for count in counts:
            if count.a not in position or count.b not in position:
                raise BadResultsError(f"the counts name a bot that is not in the list: {count.a!r} or {count.b!r}")
            rows.append((position[count.a], position[count.b], count.seats, count.games, count.wins, count.draws))
        return cls(*np.array(rows, dtype=np.intp).reshape(-1, 6).T)

    @classmethod
    def joined(cls, tables: Sequence[PairTable]) -> PairTable:
        """Put tables of the same bots one below the other."""
        names = ("first", "second", "seats", "games", "wins", "draws")
        none = np.empty(0, dtype=np.intp)
        return cls(*(np.concatenate([none, *(getattr(table, name) for table in tables)]) for name in names))

    def compact(self) -> PairTable:
        """Add up the rows of one pair and table size, sort, and drop pairs that never played."""
        played = self.games > 0
        bots, tables = (int(column.max(initial=0)) + 1 for column in (self.second, self.seats))
        code = ((self.first * bots + self.second) * tables + self.seats)[played]
        found, row = np.unique(code, return_inverse=True)
        totals = (np.bincount(row, column[played], found.size) for column in (self.games, self.wins, self.draws))
        pair, seats = np.divmod(found, tables)
        return PairTable(pair // bots, pair % bots, seats, *(column.astype(np.intp) for column in totals))

    def points(self, size: int) -> tuple[Floats, Floats]:
        """Give the points that each of `size` bots won and lost, a tie ½ of each, unweighted."""
        won, lost = self.wins + 0.5 * self.draws, self.games - self.wins - 0.5 * self.draws
        first, second = self.first, self.second
        return (
            sums(first, won, size) + sums(second, lost, size),
            sums(first, lost, size) + sums(second, won, size),
        )


def pair_counts(blocks: Iterable[Sequence[MatchResult[BotKey]]]) -> tuple[PairCount[BotKey], ...]:
    """Count the matches of complete blocks (each block: all its matches) by pair, sorted by (a, b, seats, clean).

    A bot that sits twice meets every other bot from both seats, and never itself. A fault anywhere in a block makes
    all the block's counts unclean, since leaving out single matches would leave a bot with an unfair share of the
    seats.
    """
    tally: dict[tuple[BotKey, BotKey, int, bool], list[int]] = {}
    for block in blocks:
        clean = not any(any(match.faulted) for match in block)
        for match in block:
            for (a, place_a), (b, place_b) in combinations(zip(match.seats, match.places, strict=True), 2):
                if a == b:
                    continue
                if b < a:
                    a, place_a, b, place_b = b, place_b, a, place_a
                cell = tally.setdefault((a, b, len(match.seats), clean), [0, 0, 0])
                cell[0] += 1
                cell[1] += place_a < place_b
                cell[2] += place_a == place_b
    return tuple(PairCount(*key, *cell) for key, cell in sorted(tally.items()))
