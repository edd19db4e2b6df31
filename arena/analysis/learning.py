"""How `watchful` learned: players meet themselves and strangers in many deals, note what comes of each situation, and
then play in the best way against what they met, again and again. `python -m arena.analysis.learning
arena/analysis/learned` does it anew, in some minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.analysis.deals import Tables, Turn, points_declared, turns_of
from arena.analysis.declaring import Flags, Numbers, Opponent, likely_to_hold, weight_of_others
from arena.analysis.hands import MOST_CARDS, RANKS, HandTables, Indices, hand_tables
from arena.analysis.notes import Notes, solved
from arena.analysis.players import Move, Player
from arena.analysis.styles import paced_style, planner_style
from arena.analysis.watchful import LOW, situations, watchful_of_costs
from arena.game.variant import Variant

SITUATIONS = 30
ROUNDS = 3
DEALS = 8000
"""Played at once."""
TIMES = 24
"""So many times as many deals are played in a round."""
STRANGERS = 0.4
"""How likely each of the others is a stranger, who looks ahead but does not watch."""
TRIES = 0.03
"""How often any discard is thrown, to see what comes of it."""
MOST_LAPS = 15
"""A deal that is not over by then ends in a showdown."""
PLAIN = Variant()
SEEDS = {2: 102, 4: 4}
"""By seats."""
STEPS = 16
"""Costs are kept in steps of a point divided by so much, which hardly matters and takes little room."""


@dataclass(frozen=True, slots=True, eq=False)
class Trying:
    """Plays like another, but now and then throws anything."""

    like: Player
    tables: HandTables
    chance: np.random.Generator

    def ends(self, hands: Indices, others: Sequence[Opponent]) -> Flags:
        """Return by deal whether to declare with these hands."""
        return self.like.ends(hands, others)

    def move(self, hands: Indices, top: Indices, others: Sequence[Opponent]) -> Move:
        """Return what is played with these hands while these sets lie open."""
        usual = self.like.move(hands, top, others)
        tries = self.chance.random(len(hands)) < TRIES
        choice = self.chance.integers(0, self.tables.kept.shape[1], len(hands))
        return usual._replace(
            kept=np.where(tries, self.tables.kept[hands, choice], usual.kept),
            thrown=np.where(tries, self.tables.thrown[hands, choice], usual.thrown),
        )

    def costs_after(self, kept: Indices) -> Numbers:
        """Return how bad it is to be left with these sets and one more card: a row a set, a column a rank."""
        return self.like.costs_after(kept)


def learn(
    seats: int, chance: np.random.Generator, rounds: int = ROUNDS, deals: int = DEALS, times: int = TIMES
) -> tuple[Numbers, Numbers]:
    """Return the edges between the situations and the costs by situation and hand, for `watchful_of_costs`."""
    tables = hand_tables(False)
    player: Player = paced_style(False, seats)
    edges = edges_of(player, dealt(seats, deals, chance))
    costs = np.zeros((len(edges) + 1, len(tables.size)))
    for number in range(rounds):
        notes = Notes.empty(len(edges) + 1)
        for _ in range(times):
            players = company(Trying(player, tables, chance), seats, chance)
            take_notes(notes, edges, players, dealt(seats, deals, chance))
        costs = solved(tables, notes, costs if number else None)
        player = watchful_of_costs(tables, edges, costs)
    return edges, costs


def company(player: Trying, seats: int, chance: np.random.Generator) -> list[Player]:
    """Return who sits at a table: the player, at any of the seats, with others like it and with strangers."""
    strange = chance.random(seats) < STRANGERS
    strange[chance.integers(seats)] = False
    return [planner_style(False) if stranger else player for stranger in strange]


def dealt(seats: int, deals: int, chance: np.random.Generator) -> Tables:
    """Return so many deals of one deck that begin."""
    known = hand_tables(False)
    ranks = chance.permuted(np.tile(np.arange(4 * RANKS) % RANKS, (deals, 1)), axis=1)
    hands = np.zeros((deals, seats), dtype=np.intp)
    for seat in range(seats):
        for card in range(MOST_CARDS):
            hands[:, seat] = known.add(hands[:, seat], ranks[:, seat * MOST_CARDS + card])
    dealt_out = seats * MOST_CARDS
    top = known.add(np.zeros(deals, dtype=np.intp), ranks[:, dealt_out])
    return Tables(hands, top, ranks[:, dealt_out + 1 :], MOST_LAPS * seats, np.zeros_like(hands), (0,) * seats)


def edges_of(player: Player, tables: Tables) -> Numbers:
    """Return the edges between situations that are all met about as often by who may declare."""
    seats = tables.hands.shape[1]
    met = [
        likely_to_hold(np.full(len(turn.before.rows), LOW), turn.before.others)
        for turn in turns_of(tables, hand_tables(False), [player] * seats, PLAIN, np.zeros_like(tables.hands))
        if turn.had
    ]
    return np.unique(np.quantile(np.concatenate(met), np.arange(1, SITUATIONS) / SITUATIONS))


def take_notes(notes: Notes, edges: Numbers, players: Sequence[Player], tables: Tables) -> None:
    """Play deals among these players, and note what each turn of those who learn led to."""
    known, deals = hand_tables(False), len(tables.hands)
    points = np.zeros_like(tables.hands)
    left: dict[int, tuple[Turn, Indices]] = {}
    led: list[tuple[Turn, Indices, Indices]] = []
    for turn in turns_of(tables, known, players, PLAIN, points):
        if not isinstance(players[turn.player], Trying):
            continue
        rows, hands, others = turn.before
        now = situations(edges, others, len(rows))
        if turn.had:
            totals = known.totals(hands)
            scores = _scores(points_declared(totals, turn.player, PLAIN), turn.player)
            notes.declared(now, totals[:, turn.player], scores)
        then = np.full(deals, -1)
        then[rows] = now
        if turn.player in left:
            before, was = left[turn.player]
            led.append((before, was, then[before.after.rows]))
        left[turn.player] = turn, now[np.searchsorted(rows, turn.after.rows)]
    led += [(before, was, np.full(len(was), -1)) for before, was in left.values()]
    for before, was, then in led:
        hands = before.after.hands[:, before.player]
        scores = _scores(points[before.after.rows], before.player)
        notes.left(was, known.sizes(hands), known.totals(hands), then, scores)


def _scores(points: Indices, player: int) -> Numbers:
    others = np.delete(points, player, axis=1).mean(axis=1)
    return np.asarray(points[:, player] - weight_of_others(points.shape[1]) * others)


def main(folder: str) -> None:
    """Write the tables that `watchful` plays by."""
    for seats, name in ((2, "two"), (4, "more")):
        edges, costs = learn(seats, np.random.default_rng(SEEDS[seats]))
        kept = np.round(costs * STEPS) / STEPS
        np.savez_compressed(f"{folder}/{name}.npz", edges=edges, costs=kept.astype(np.float16))


if __name__ == "__main__":
    main(*sys.argv[1:])
