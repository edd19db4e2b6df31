"""Ways to play as tables over all hands by rank, so that one look-up answers for a thousand hands at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from arena.analysis.declaring import AtMost, Confident, Declaring, Flags, Opponent
from arena.analysis.hands import NO_RANK, RANKS, VALUES, HandTables, Indices, hand_tables
from arena.analysis.players import Move
from arena.analysis.policies import Greedy

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """What a player does with each hand (by number in `tables`): of all takes it chooses the one of least cost.

    `costs[hand]` says how bad it is to be left with a hand. `open_cost[hand, rank]` is the cost when an open card of
    this rank is taken (infinite for `NO_RANK`), `closed_cost[hand]` when a closed card is; `open_choice` and
    `closed_choice` say which discard goes with it. `declares` says when to end the deal.
    """

    tables: HandTables
    costs: Numbers
    open_cost: Numbers
    open_choice: Indices
    closed_cost: Numbers
    closed_choice: Indices
    declares: Declaring

    def ends(self, hands: Indices, others: Sequence[Opponent]) -> Flags:
        """Return by deal whether to declare with these hands."""
        return self.declares(self.tables.totals(hands), others)

    def move(self, hands: Indices, top: Indices, _: Sequence[Opponent] = ()) -> Move:
        """Return what is played with these hands while these sets lie open."""
        ranks = self.tables.ranks[top]
        costs = self.open_cost[hands[:, None], ranks]
        best = costs.argmin(axis=1)
        every = np.arange(len(hands))
        rank = ranks[every, best]
        closed = (costs[every, best] >= self.closed_cost[hands]) | (rank == NO_RANK)
        choice = np.where(closed, self.closed_choice[hands], self.open_choice[hands, rank])
        return Move(closed, self.tables.kept[hands, choice], self.tables.thrown[hands, choice], rank)

    def costs_after(self, kept: Indices) -> Numbers:
        """Return how bad it is to be left with these sets and one more card: a row a set, a column a rank."""
        return np.asarray(self.costs[self.tables.plus[kept]])


@dataclass(frozen=True, slots=True)
class Pace:
    """A deal as one player may see it: in every lap somebody else ends it with the chance `hazard`, and what is then
    held is paid; with a total of at most `end_at` the player can end it and gets `prize`, less `risk` times the total.

    In play it does so when the declaration holds with the chance `confidence`.
    """

    hazard: float
    prize: float
    risk: float
    end_at: int
    confidence: float


# Found by a random search: thousands of deals against `planner`, then against the best found before.
FOR_TWO = Pace(hazard=0.1, prize=15.0, risk=1.3, end_at=7, confidence=0.85)
FOR_MORE = Pace(hazard=0.09, prize=11.5, risk=0.7, end_at=8, confidence=0.8)

OFFERED = np.array([0.3, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.0, 1.2, 1.5, 1.5, 1.5, 1.5])
"""How often a rank lies open for one to take, in proportion: the high ones are thrown first."""

PLANNED = 5
"""Whoever only looks ahead declares with so many points or less."""

LAPS = 12
"""Costs do not change much when a player looks further ahead."""


@cache
def paced_style(mixed_pairs: bool, players: int) -> Style:
    """Return the strongest of these styles at a table of so many players."""
    pace = FOR_TWO if players == 2 else FOR_MORE
    tables = hand_tables(mixed_pairs)
    return style_of_costs(tables, solved_costs(tables, pace), Confident(pace.confidence))


@cache
def greedy_style(mixed_pairs: bool) -> Style:
    """Return the tables of `Greedy`."""
    like = Greedy()
    tables = hand_tables(mixed_pairs)
    hands = len(tables.size)
    choice = tables.total[tables.thrown].argmax(axis=1)
    cheap = np.append(np.where(like.cheap >= VALUES, VALUES, np.inf), np.inf)
    return Style(
        tables=tables,
        costs=tables.total.astype(float),
        open_cost=np.broadcast_to(cheap, (hands, RANKS + 1)),
        open_choice=np.broadcast_to(choice[:, None], (hands, RANKS + 1)),
        closed_cost=np.full(hands, like.cheap + 0.5),
        closed_choice=choice,
        declares=AtMost(like.declare_at),
    )


@cache
def planner_style(mixed_pairs: bool) -> Style:
    """Return who looks two steps ahead: what the best next discard leaves counts, half the total now, and each card."""
    tables = hand_tables(mixed_pairs)
    left = tables.total[tables.kept].min(axis=1)
    return style_of_costs(tables, left + 0.5 * tables.total + 0.6 * tables.size, AtMost(PLANNED))


def style_of_costs(tables: HandTables, costs: Numbers, declares: Declaring) -> Style:
    """Return how one plays who minimises the expected cost of the hand after the turn; `costs` is by hand.

    Closed cards are taken to be of each rank with the same chance.
    """
    after, closed = _costs_after(tables, costs)
    return Style(
        tables=tables,
        costs=costs,
        open_cost=np.pad(after.min(axis=1), ((0, 0), (0, 1)), constant_values=np.inf),
        open_choice=np.pad(after.argmin(axis=1), ((0, 0), (0, NO_RANK + 1 - RANKS))),
        closed_cost=closed.min(axis=1),
        closed_choice=closed.argmin(axis=1),
        declares=declares,
    )


def costs_offered(style: Style) -> Numbers:
    """Return by hand what it costs after the best play, on the mean over what may lie open."""
    best = np.minimum(style.open_cost[:, :RANKS], style.closed_cost[:, None])
    return np.asarray(best @ (OFFERED / OFFERED.sum()))


def solved_costs(tables: HandTables, pace: Pace) -> Numbers:
    """Return what each hand costs, after a turn, who plays on in the best way at this pace (value iteration; Bellman
    1957, Dynamic Programming)."""
    offered = OFFERED / OFFERED.sum()
    ends = np.where(tables.total <= pace.end_at, pace.risk * tables.total - pace.prize, np.inf)
    costs = tables.total.astype(float)
    for _ in range(LAPS):
        after, closed = _costs_after(tables, costs)
        goes_on = np.minimum(after.min(axis=1), closed.min(axis=1)[:, None]) @ offered
        costs = pace.hazard * tables.total + (1 - pace.hazard) * np.minimum(ends, goes_on)
    return costs


def _costs_after(tables: HandTables, costs: Numbers) -> tuple[Numbers, Numbers]:
    """By hand and choice: what the hand then costs by the rank that is taken, and on the mean over the ranks."""
    after = costs[tables.plus]
    return after[tables.kept], after.mean(axis=1)[tables.kept]
