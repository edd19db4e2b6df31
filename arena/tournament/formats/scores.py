"""What rounds tell about the bots without any model: the share of seats beaten, opponents met, tables missed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations
from math import fsum

from arena.tournament.entries import Entry, entries_digest
from arena.tournament.rounds import SettledBlock


@dataclass(slots=True)
class Scores:
    """Sums over blocks, by digest.

    `points`: 2 for every seat finished ahead of, 1 for every level one, over all matches; `seats`: how many they were.
    `met`: how many planned blocks each shares with each other, played or not.
    """

    points: Counter[bytes] = field(default_factory=Counter)
    seats: Counter[bytes] = field(default_factory=Counter)
    met: defaultdict[bytes, Counter[bytes]] = field(default_factory=lambda: defaultdict(Counter))

    def share(self, bot: bytes) -> float:
        """The share of seats beaten, level ones half; ½ before the first match."""
        return self.points[bot] / (2 * self.seats[bot]) if self.seats[bot] else 0.5

    def strength_met(self, bot: bytes) -> float:
        """The mean share of those that a bot met, ½ if nobody (B. Buchholz 1932, as a mean)."""
        met = self.met[bot]
        return fsum(self.share(other) * met[other] for other in met) / met.total() if met else 0.5


def scores(blocks: Iterable[SettledBlock]) -> Scores:
    """Add up blocks of different bots."""
    sums = Scores()
    for block in blocks:
        for one, other in combinations(block.lineup, 2):
            sums.met[one][other] += 1
            sums.met[other][one] += 1
        for match in block.results:
            for (bot, place), (opponent, other_place) in combinations(zip(match.seats, match.places, strict=True), 2):
                won = 1 + (place < other_place) - (place > other_place)
                sums.points[bot] += won
                sums.points[opponent] += 2 - won
                sums.seats[bot] += 1
                sums.seats[opponent] += 1
    return sums


def lots(entries: Iterable[Entry]) -> dict[bytes, int]:
    """Each bot's number by lot, from 0: drawn from the digest of all entries, the last judge between equals."""
    entered = tuple(entries)
    seed = entries_digest(entered)
    digests = {entry.digest for entry in entered}
    order = sorted(digests, key=lambda digest: sha256(b"least-score/v1/lots/" + seed + digest).digest())
    return {digest: number for number, digest in enumerate(order)}
