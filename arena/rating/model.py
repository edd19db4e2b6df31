"""The headline rating: fit "finishes ahead of" to pair counts, and put the result on the Elo scale.

Bots that never met, not even through others, cannot be compared: each connected component is rated alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic

import numpy as np

from arena.rating.counts import BotKey, PairCount, PairTable
from arena.rating.errors import BadResultsError, NoOptimumError
from arena.rating.graph import connected_pieces, strong_pieces
from arena.rating.likelihood import WeightedPairs, maximise, weight

ELO_PER_UNIT = 400.0 / math.log(10.0)
"""Elo points in one natural unit of θ, about 173.718: 400 points are odds of ten to one."""

LARGEST_PRIOR = 1e6
"""A larger one would leave nothing of any results, and nothing of them in the digits of a sum."""

ELO_ORIGIN = 1500.0
"""The rating of the anchor, or the mean of a component without one."""


class Record(Enum):
    """How a group of bots fared against the rest of its component."""

    MIXED = "MIXED"
    """Points were won from others and lost to others, or there are no others."""
    UNBEATEN = "UNBEATEN"
    """Not a point was lost to any other: only the prior keeps the rating finite, and it tells a lower bound at best."""
    WINLESS = "WINLESS"
    """Not a point was won from any other: the mirror image."""


@dataclass(frozen=True, slots=True)
class Group(Generic[BotKey]):
    """Bots of which each took points from each, directly or through others: the data tells their differences."""

    bots: tuple[BotKey, ...]
    record: Record


@dataclass(frozen=True, slots=True)
class Component(Generic[BotKey]):
    """At least two bots that results connect, with their strengths.

    `bots` are sorted and `theta` runs parallel to them, in natural units with an origin of its own: differences
    inside one component have a meaning, differences across components have none. More than one of the `groups` means
    that between groups every point went one way, so that the distance between them is the prior's doing.
    """

    bots: tuple[BotKey, ...]
    theta: tuple[float, ...]
    groups: tuple[Group[BotKey], ...]

    def ratings(self, anchor: BotKey | None = None) -> dict[BotKey, float]:
        """Give every bot's Elo rating: the anchor's is 1500 if it is one of the bots, else their mean is."""
        theta = np.array(self.theta)
        origin = theta[self.bots.index(anchor)] if anchor in self.bots else theta.mean()
        elo = ELO_ORIGIN + ELO_PER_UNIT * (theta - origin)
        return dict(zip(self.bots, elo.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Fit(Generic[BotKey]):
    """The optimum for one rating list: its components, the largest first, and the bots that met no other."""

    components: tuple[Component[BotKey], ...]
    unrated: tuple[BotKey, ...]
    prior: float

    def ratings(self, anchor: BotKey | None = None) -> dict[BotKey, float | None]:
        """Give every bot's Elo rating, None for one that met no other; only the component of `anchor` is anchored."""
        rated: dict[BotKey, float | None] = dict.fromkeys(self.unrated)
        for component in self.components:
            rated.update(component.ratings(anchor))
        return rated


def fit(bots: Iterable[BotKey], counts: Iterable[PairCount[BotKey]], prior: float = 1.0) -> Fit[BotKey]:
    """Fit the strengths of `bots` to the counts of one rating list.

    Maximises Σ w [y ln σ(θi−θj) + (1−y) ln σ(θj−θi)] + prior · Σ ½ [ln σ(θi) + ln σ(−θi)] with w = 3/(k+1). Nothing
    depends on the order or the naming of bots and counts. Raises BadResultsError for counts that name a bot not in
    `bots` and a prior that is negative or too large, NoOptimumError when the optimum does not exist (a perfect
    record and no prior) or was not reached.
    """
    names = sorted(set(bots))
    return fit_table(names, PairTable.of(names, counts), prior)


def fit_table(names: Sequence[BotKey], table: PairTable, prior: float = 1.0) -> Fit[BotKey]:
    """Fit as `fit` does, from columns; `names` are sorted and every bot occurs once."""
    if not 0.0 <= prior <= LARGEST_PRIOR:
        raise BadResultsError(f"a prior is a number from 0 to {LARGEST_PRIOR:,.0f}, not {prior:g}")
    everyone = weighted_pairs(len(names), table)
    pieces = connected_pieces(len(names), np.stack([everyone.first, everyone.second], axis=1))
    pieces.sort(key=len, reverse=True)
    components = tuple(_fit_component(names, piece, everyone, prior) for piece in pieces if len(piece) > 1)
    return Fit(components, tuple(names[piece[0]] for piece in pieces if len(piece) == 1), prior)


def weighted_pairs(size: int, table: PairTable) -> WeightedPairs:
    """Weigh the counts of `size` bots; pairs that never played are left out, so that they connect nobody."""
    played = table.compact()
    points = played.wins + 0.5 * played.draws
    w = weight(played.seats)
    return WeightedPairs(size, played.first, played.second, w * points, w * (played.games - points))


def _fit_component(
    names: Sequence[BotKey], piece: Sequence[int], everyone: WeightedPairs, prior: float
) -> Component[BotKey]:
    pairs = everyone.among(piece)
    bots = tuple(names[index] for index in piece)
    groups = _groups(bots, pairs)
    if prior == 0.0 and len(groups) > 1:
        raise NoOptimumError(
            f"{_named(groups[0].bots)} lost no point to the others: "
            "no finite rating explains that; fit with a prior above 0"
        )
    return Component(bots, tuple(maximise(pairs, prior).tolist()), groups)


def _groups(bots: Sequence[BotKey], pairs: WeightedPairs) -> tuple[Group[BotKey], ...]:
    """Group the bots by who took points from whom; every edge runs from the one that took to the one that gave."""
    took = pairs.won > 0
    gave = pairs.lost > 0
    takers = np.concatenate([pairs.first[took], pairs.second[gave]])
    givers = np.concatenate([pairs.second[took], pairs.first[gave]])
    pieces = strong_pieces(len(bots), np.stack([takers, givers], axis=1))
    piece_of = np.empty(len(bots), dtype=np.intp)
    for number, piece in enumerate(pieces):
        piece_of[piece] = number
    across = piece_of[takers] != piece_of[givers]
    winning = set(piece_of[takers[across]].tolist())
    losing = set(piece_of[givers[across]].tolist())
    return tuple(
        Group(tuple(bots[index] for index in piece), _record(number in winning, number in losing))
        for number, piece in enumerate(pieces)
    )


def _named(bots: Sequence[Any]) -> str:
    return repr(bots[0]) if len(bots) == 1 else f"a group of {len(bots)} bots with {bots[0]!r}"


def _record(won: bool, lost: bool) -> Record:
    """Name a group's record against bots outside it."""
    if won == lost:
        return Record.MIXED
    return Record.UNBEATEN if won else Record.WINLESS
