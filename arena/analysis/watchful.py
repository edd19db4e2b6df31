"""Who watches the others: how it plays depends on how low they may be, and it declares when that costs less than to go
on. What each hand costs in each of these situations was learned in play (see `learning`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

import numpy as np

from arena.analysis.declaring import AtMost, Flags, Numbers, Opponent, cost_of_declaring, likely_to_hold
from arena.analysis.hands import NO_RANK, HandTables, Indices, hand_tables
from arena.analysis.players import Move
from arena.analysis.styles import costs_offered, style_of_costs

LOW = 6
"""Situations differ by the chance that nobody else has less than this."""


@dataclass(frozen=True, slots=True, eq=False)
class Watchful:
    """A style for each situation, its tables stacked: see `Style` for them, with the situation as the first index.

    `edges` are between the situations, in ascending order: logarithms of the chance that nobody else has less than
    `LOW`. `going_on[situation, hand]` is what a hand costs its player who does not declare it.
    """

    tables: HandTables
    edges: Numbers
    costs: Numbers
    open_cost: Numbers
    open_choice: Indices
    closed_cost: Numbers
    closed_choice: Indices
    going_on: Numbers

    def ends(self, hands: Indices, others: Sequence[Opponent]) -> Flags:
        """Return by deal whether to declare with these hands."""
        goes_on = self.going_on[situations(self.edges, others, len(hands)), hands]
        return np.asarray(cost_of_declaring(self.tables.totals(hands), others) <= goes_on)

    def move(self, hands: Indices, top: Indices, others: Sequence[Opponent]) -> Move:
        """Return what is played with these hands while these sets lie open."""
        now = situations(self.edges, others, len(hands))
        ranks = self.tables.ranks[top]
        costs = self.open_cost[now[:, None], hands[:, None], ranks]
        best = costs.argmin(axis=1)
        every = np.arange(len(hands))
        rank = ranks[every, best]
        closed = (costs[every, best] >= self.closed_cost[now, hands]) | (rank == NO_RANK)
        choice = np.where(closed, self.closed_choice[now, hands], self.open_choice[now, hands, rank])
        return Move(closed, self.tables.kept[hands, choice], self.tables.thrown[hands, choice], rank)

    def costs_after(self, kept: Indices) -> Numbers:
        """Return how bad it is to be left with these sets and one more card, on the mean over the situations."""
        return np.asarray(self.costs.mean(axis=0)[self.tables.plus[kept]])


def situations(edges: Numbers, others: Sequence[Opponent], deals: int) -> Indices:
    """Return by deal which situation these others make."""
    return np.searchsorted(edges, likely_to_hold(np.full(deals, LOW), others))


@cache
def watchful(mixed_pairs: bool, players: int) -> Watchful:
    """Return the strongest player known at a table of so many."""
    name = "two" if players == 2 else "more"
    with as_file(files("arena.analysis") / "learned" / f"{name}.npz") as path, np.load(path) as learned:
        return watchful_of_costs(hand_tables(mixed_pairs), learned["edges"], learned["costs"].astype(float))


def watchful_of_costs(tables: HandTables, edges: Numbers, costs: Numbers) -> Watchful:
    """Return who minimises these costs, by situation and hand, of what is left after the turn."""
    never = AtMost(0)
    styles = [style_of_costs(tables, row, never) for row in costs]
    return Watchful(
        tables,
        edges,
        costs,
        np.array([style.open_cost for style in styles]),
        np.array([style.open_choice for style in styles]),
        np.array([style.closed_cost for style in styles]),
        np.array([style.closed_choice for style in styles]),
        np.array([costs_offered(style) for style in styles]),
    )
