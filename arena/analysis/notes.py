"""What learning players note of the deals they play, and the best way to play against what they noted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.analysis.declaring import FALSE, HIGHEST, AtMost, Numbers
from arena.analysis.hands import MOST_CARDS, HandTables, Indices
from arena.analysis.styles import costs_offered, style_of_costs

SIZES = MOST_CARDS + 1
LAPS = 14
"""Costs do not change much when a player looks further ahead."""
FEW = 50.0
"""So many cases by themselves count as much as what is seen in all cases together."""
WIDTH = 1.0
"""What declarations bring is smoothed over totals that differ by about so much."""
TENS = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class Notes:
    """Sums over turns. The first index is the situation that a player was in; where there is a second one, it is how
    many cards it then kept.

    `then` says how often which situation came next (the last: the deal was over before).
    `powers` and `scores` are what a regression on 1, t and t² needs of the deals that were over, t being the total in
    tens. `sums` and `counts` are, by total, what declarations would have brought.
    """

    then: Numbers
    powers: Numbers
    scores: Numbers
    sums: Numbers
    counts: Numbers

    @classmethod
    def empty(cls, situations: int) -> Notes:
        """Return a page without notes."""
        return cls(
            np.zeros((situations, SIZES, situations + 1)),
            np.zeros((situations, SIZES, 3, 3)),
            np.zeros((situations, SIZES, 3)),
            np.zeros((situations, HIGHEST + 1)),
            np.zeros((situations, HIGHEST + 1)),
        )

    def declared(self, situation: Indices, total: Indices, score: Numbers) -> None:
        """Note what declarations with these totals bring, or would bring."""
        np.add.at(self.sums, (situation, total), score)
        np.add.at(self.counts, (situation, total), 1)

    def left(self, situation: Indices, size: Indices, total: Indices, then: Indices, score: Numbers) -> None:
        """Note what came after turns that left such hands: the next situation (-1: none) and the score of the deal."""
        np.add.at(self.then, (situation, size, then), 1)
        over = then < 0
        where, tens = (situation[over], size[over]), total[over] / TENS
        powers = np.stack([np.ones_like(tens), tens, tens**2], axis=1)
        np.add.at(self.powers, where, powers[:, :, None] * powers[:, None, :])
        np.add.at(self.scores, where, powers * score[over, None])


def solved(tables: HandTables, notes: Notes, costs: Numbers | None) -> Numbers:
    """Return what each hand costs by situation, after a turn, whoever plays on in the best way among such players
    (value iteration; Bellman 1957, Dynamic Programming). `costs` are those to begin with, if there are any."""
    then = _chances(notes.then)[:, tables.size]
    over, paid = then[:, :, -1], _paid(tables, notes)
    declared = _declared(notes)[:, tables.total]
    costs = paid if costs is None else costs
    for _ in range(LAPS):
        going_on = np.array([costs_offered(style_of_costs(tables, row, AtMost(0))) for row in costs])
        costs = over * paid + np.einsum("shn,nh->sh", then[:, :, :-1], np.minimum(declared, going_on))
    return costs


def _chances(then: Numbers) -> Numbers:
    """The chance of what comes next, by situation and size; few cases are eked out with those of other sizes."""
    usual = then.sum(axis=1, keepdims=True)
    then = then + FEW * usual / usual.sum(axis=2, keepdims=True)
    return np.asarray(then / then.sum(axis=2, keepdims=True))


def _paid(tables: HandTables, notes: Notes) -> Numbers:
    """What is paid, by situation and hand, when the deal is over before the next turn: by regression on the total, with
    what is paid in all situations as the prior."""
    powers, scores = notes.powers.sum(axis=(0, 1)), notes.scores.sum(axis=(0, 1))
    usual = np.linalg.solve(powers, scores)
    prior = FEW * powers / powers[0, 0]
    factors = np.linalg.solve(notes.powers + prior, (notes.scores + prior @ usual)[..., None])[..., 0]
    tens = tables.total / TENS
    return np.asarray(np.einsum("shp,ph->sh", factors[:, tables.size], tens ** np.arange(3)[:, None]))


def _declared(notes: Notes) -> Numbers:
    """What a declaration brings, by situation and total: smoothed, and never less with a higher total."""
    totals = np.arange(HIGHEST + 1)
    kernel = np.exp(-0.5 * ((totals[:, None] - totals) / WIDTH) ** 2)
    counts = notes.counts @ kernel
    means = notes.sums @ kernel / np.maximum(counts, 1e-9)
    rising = np.maximum.accumulate(np.where(counts > FEW / 2, means, -np.inf), axis=1)
    lowest = np.where(np.isfinite(rising), rising, np.inf).min(axis=1, keepdims=True)
    return np.maximum(rising, np.where(np.isfinite(lowest), lowest, FALSE))
