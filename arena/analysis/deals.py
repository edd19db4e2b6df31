"""Many deals at once, from one moment to their ends, by ranks and tables: all are at the same seat's turn at the same
time, so that each step is a handful of array operations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arena.analysis.declaring import Opponent
from arena.analysis.hands import Hands, Indices
from arena.analysis.players import Player
from arena.game.variant import Variant


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """So many deals in progress, a row each, for the players that are in, in the order in which they act.

    `hands` are numbers of hands by player, `open` the number of the set that lies open, `deck` the ranks that come from
    the closed deck: the one at place t goes to whoever takes a closed card on the t-th turn from now, so that a
    player's luck does not depend on what the others take. `left` is how many turns the deal has left before it ends
    in a showdown. `fresh` says by deal and player whether its last card is a closed one, `turns` by player how
    many it has had; who has had none may not declare.
    """

    hands: Indices
    open: Indices
    deck: Indices
    left: int
    fresh: Indices
    turns: tuple[int, ...]


class Moment(NamedTuple):
    """The deals that still go on: their rows, the hands by player, and what a player sees of the others."""

    rows: Indices
    hands: Indices
    others: list[Opponent]


class Turn(NamedTuple):
    """A turn of a player, who has `had` so many before: what it met, and what it left."""

    player: int
    had: int
    before: Moment
    after: Moment


def points_declared(totals: Indices, declarer: int, variant: Variant) -> Indices:
    """Return what a declaration brings each player (rules 6 and 7), by deal and player, from the hands' totals."""
    own = totals[:, declarer]
    lowest_other = np.delete(totals, declarer, axis=1).min(axis=1)
    holds = own <= lowest_other if variant.tie_holds else own < lowest_other
    points = np.where(holds[:, None], totals - own[:, None], 0)
    points[:, declarer] = np.where(holds, 0, variant.penalty + own - lowest_other)
    return points


def points_shown(totals: Indices) -> Indices:
    """Return what a showdown brings each player, by deal and player."""
    return np.asarray(totals - totals.min(axis=1, keepdims=True))


def play_deals(tables: Tables, known: Hands, players: Sequence[Player], variant: Variant) -> Indices:
    """Play all the deals to their ends; return the points by deal and player. `known` says what hands are numbered by.

    A deck that is used up begins again from its first card, as if it had been refilled with the same cards.
    """
    points = np.zeros(tables.hands.shape, dtype=np.intp)
    for _ in turns_of(tables, known, players, variant, points):
        pass
    return points


def turns_of(
    tables: Tables, known: Hands, players: Sequence[Player], variant: Variant, points: Indices
) -> Iterator[Turn]:
    """Play the deals as `play_deals` does, turn by turn, and write into `points` what they bring."""
    rows = np.arange(len(points))
    hands, top, fresh = tables.hands.copy(), tables.open, tables.fresh.copy()
    had = list(tables.turns)
    for turn in range(tables.left):
        player = turn % hands.shape[1]
        others = [
            Opponent(known.sizes(hands[:, other]), fresh[:, other], turns)
            for other, turns in enumerate(had)
            if other != player
        ]
        before, of_others = Moment(rows, hands, others), others
        if had[player]:
            declares = players[player].ends(hands[:, player], others)
            if declares.any():
                points[rows[declares]] = points_declared(known.totals(hands[declares]), player, variant)
                goes_on = ~declares
                rows, hands, top, fresh = rows[goes_on], hands[goes_on], top[goes_on], fresh[goes_on]
                of_others = [one.where(goes_on) for one in others]
        if len(rows):
            move = players[player].move(hands[:, player], top, of_others)
            card = np.where(move.closed, tables.deck[rows, turn % tables.deck.shape[1]], move.rank)
            hands = hands.copy()
            hands[:, player] = known.add(move.kept, card)
            fresh = fresh.copy()
            top, fresh[:, player] = move.thrown, move.closed
        yield Turn(player, had[player], before, Moment(rows, hands, of_others))
        if not len(rows):
            return
        had[player] += 1
    points[rows] = points_shown(known.totals(hands))
