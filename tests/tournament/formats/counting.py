"""How even lineups are: appearances of bots and meetings of pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from math import ceil, floor
from typing import TypeVar

Bot = TypeVar("Bot")


def uneven_appearances(bots: Iterable[Bot], lineups: Sequence[Sequence[Bot]]) -> int:
    """By how much the bot that plays most exceeds the one that plays least."""
    counts = Counter(chain.from_iterable(lineups))
    often = [counts[bot] for bot in bots]
    return max(often) - min(often)


def off_the_mean(bots: Sequence[Bot], lineups: Sequence[Sequence[Bot]]) -> int:
    """How far the meetings of a pair lie outside of the mean rounded down and up, at most."""
    counts = Counter(frozenset(pair) for lineup in lineups for pair in combinations(lineup, 2))
    met = [counts[frozenset(pair)] for pair in combinations(bots, 2)]
    mean = sum(met) / len(met)
    return max(floor(mean) - min(met), max(met) - ceil(mean))
