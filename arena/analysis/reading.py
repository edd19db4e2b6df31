"""What the others' last plays tell of their hands: worlds in which these plays make no sense are unlikely."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.analysis.beliefs import Holding
from arena.analysis.declaring import Opponent, likely_to_hold
from arena.analysis.hands import MOST_CARDS, Indices, number_of
from arena.analysis.styles import Numbers, Style
from arena.analysis.worlds import Worlds, taken_last
from arena.game.cards import RANK

OFTEN = 4
"""So many times as many worlds are drawn as are to be left."""
OTHERWISE = 0.25
"""How likely somebody plays otherwise than the style would, against playing like it."""
SURE = 0.95
"""Whoever is as sure as that to hold the least, and may declare, nearly always does."""
UNSURE = 0.6
"""Whoever is no surer than that hardly ever does."""
DECLINED = 0.2
"""How likely somebody who was sure declined nevertheless."""


def reread(style: Style, held: Sequence[Holding], worlds: Worlds, count: int, chance: np.random.Generator) -> Worlds:
    """Return `count` of the worlds, drawn in proportion to how likely the others' last plays are in them, each by one
    who plays by `style` most of the time (systematic resampling; Kitagawa 1996, J. Comput. Graph. Stat. 5)."""
    likely = np.ones(len(worlds.hands))
    for column, holding in enumerate(held):
        likely *= _likelihood(style, holding, worlds.kept[:, column])
    steps = (np.arange(count) + chance.random()) / count
    rows = np.searchsorted(likely.cumsum() / likely.sum(), steps).clip(max=len(likely) - 1)
    rows = chance.permutation(rows)
    return Worlds(worlds.hands[rows], worlds.kept[rows], worlds.deck[rows])


def _likelihood(style: Style, holding: Holding, kept: Indices) -> Numbers:
    """By world: how likely the seat would have made its last play with what it would have had then."""
    if holding.last is None:
        return np.ones(len(kept))
    had = kept
    for rank in holding.last.discard.translate(RANK):
        had = style.tables.add(had, rank)
    move = style.move(had, np.full(len(kept), number_of(holding.offered)))
    alike = (move.thrown == number_of(holding.last.discard)) & (move.closed == (holding.last.taken is None))
    if taken := taken_last(holding):
        alike &= move.rank == RANK[taken[0]]
    likely = np.where(alike, 1.0, OTHERWISE)
    if holding.turns > 1:
        faced = [Opponent(min(seen.cards, MOST_CARDS), seen.fresh, seen.turns) for seen in holding.faced]
        sure = np.exp(likely_to_hold(style.tables.totals(had), faced))
        likely *= np.interp(sure, [UNSURE, SURE], [1.0, DECLINED])
    return likely
