"""Everything that a rating list says of its bots: ratings with intervals, ranks, pairs, points a deal, luck."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, Literal

import numpy as np

from arena.rating.bot_rows import BotReport, bot_rows
from arena.rating.comparisons import Comparisons, compare
from arena.rating.counts import BotKey
from arena.rating.cycles import Intransitivity, intransitivity
from arena.rating.duels import count_duels
from arena.rating.errors import BadResultsError
from arena.rating.intervals import covariance
from arena.rating.likelihood import Floats, Indices
from arena.rating.luck import DesignEffect, design_effect
from arena.rating.model import ELO_ORIGIN, Component, Fit, fit_table, weighted_pairs
from arena.rating.results import Results
from arena.rating.scale import Scale
from arena.rating.seats import SeatFigures, seat_table
from arena.rating.widths import FEW_POINTS, bot_intervals

MOST_BOTS = 4_000
"""Covariances are bots × bots: more than these would not fit into the memory of a small machine."""


@dataclass(frozen=True, eq=False)
class Report(Generic[BotKey]):
    """A rating list.

    `bots` run from the best to the worst, component by component, the anchor's first, then the larger before the
    smaller, at the end those that met no other. `components` tell of perfect groups. What takes another pass over the
    `results` is worked out when it is asked for first.
    """

    results: Results[BotKey]
    bots: tuple[BotReport[BotKey], ...]
    components: tuple[Component[BotKey], ...]
    comparisons: Comparisons[BotKey]
    _clustered: Results[BotKey] = field(repr=False)
    _theta: Floats = field(repr=False)
    _component: Indices = field(repr=False)

    @cached_property
    def design_effect(self) -> DesignEffect:
        """What the duplicate deals save."""
        return design_effect(self.results)

    @cached_property
    def intransitivity(self) -> Intransitivity[BotKey]:
        """Where the results contradict the order."""
        return intransitivity(self._clustered, self._theta, self._component)

    @cached_property
    def seats(self) -> tuple[SeatFigures, ...]:
        """How each seat at the table fared."""
        return seat_table(self._clustered)


def rate(
    results: Results[BotKey],
    *,
    anchor: Mapping[BotKey, float] | None = None,
    prior: float = 1.0,
    cluster: Literal["block", "match"] = "block",
) -> Report[BotKey]:
    """Rate all bots of one list.

    `anchor`: at most one bot and its rating; the component of one that played is put on its scale, the mean of any
    other is 1500. `prior` is λ. `cluster`: what counts as independent. Raises BadResultsError for more than one
    anchor, an anchor or a prior that is not finite, and too many bots; NoOptimumError as `fit` does.
    """
    fixed, elo = _checked(anchor or {})
    size = len(results.bots)
    if size > MOST_BOTS:
        raise BadResultsError(f"{size} bots in one list; at most {MOST_BOTS} can be rated together")
    table = count_duels(results)
    components = _ordered(fit_table(results.bots, table, prior), fixed)
    scale = Scale.of(results.bots, components, fixed, elo)
    clustered = results if cluster == "block" else results.by_match()
    spread = covariance(clustered, scale.theta, scale.component, weighted_pairs(size, table), prior)
    few = np.minimum(*table.points(size)) < FEW_POINTS
    comparisons = compare(results.bots, scale.theta, scale.component, spread, few, scale.group)
    rows = bot_rows(results, clustered, scale, bot_intervals(table, scale, spread), comparisons)
    return Report(results, rows, components, comparisons, clustered, scale.theta, scale.component)


def _checked(anchor: Mapping[BotKey, float]) -> tuple[BotKey | None, float]:
    if len(anchor) > 1:
        raise BadResultsError(f"one bot can be the anchor, not {len(anchor)}")
    for bot, elo in anchor.items():
        if not math.isfinite(elo):
            raise BadResultsError(f"an anchor's rating is a finite number, not {elo}")
        return bot, float(elo)
    return None, ELO_ORIGIN


def _ordered(fitted: Fit[BotKey], anchor: BotKey | None) -> tuple[Component[BotKey], ...]:
    """Put the anchor's component first, then the larger before the smaller, equals by their first bot."""
    return tuple(sorted(fitted.components, key=lambda one: (anchor not in one.bots, -len(one.bots), one.bots[0])))
