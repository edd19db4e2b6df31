"""What a finished match leaves behind for the ratings: for every two bots, how often each finished ahead of the other.

The fit needs no more than these counts, so its cost grows with the square of the number of bots and not with the
matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

from arena.rating.errors import BadResultsError

BotKey = TypeVar("BotKey", bytes, str)
"""What names a bot version, all of one type: the 32 bytes of a digest, or a text."""


@dataclass(frozen=True, slots=True)
class MatchResult(Generic[BotKey]):
    """One finished match, seat by seat; a bot may hold more than one seat.

    `places`: 1 for the best; only their order matters, and equal numbers are a tie (seats that forfeit share the last
    place). `faulted`: whether the seat committed a fault in this match.
    """

    seats: tuple[BotKey, ...]
    places: tuple[int, ...]
    faulted: tuple[bool, ...]

    def __post_init__(self) -> None:
        if not len(self.seats) == len(self.places) == len(self.faulted) >= 2:
            raise BadResultsError(
                "a match needs a bot, a place and a fault flag for each of at least 2 seats, "
                f"not {len(self.seats)} bots, {len(self.places)} places and {len(self.faulted)} flags"
            )


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
