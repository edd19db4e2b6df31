"""What a played turn was worth beside the best that the reference finds, and what the turns of a match come to by seat.

All of it comes from what the seat could know at that turn, never from the cards that were hidden from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

import numpy as np

from arena.analysis.evaluation import Estimate, evaluate
from arena.game.actions import Action
from arena.game.view import Observation

WORLDS = 1000
"""Deals that are played out to find the best action of a turn, and again so many to measure the others against it."""

Z_95 = 1.96
"""Standard errors on either side of an estimate for an interval of 95 %."""


class Judgement(NamedTuple):
    """A turn as the reference sees it over so many worlds: the chance that nobody has a lower total before it, with its
    standard error, the action that was chosen, and all actions with what they lose against `best`, that one first, then
    by their score."""

    worlds: int
    lowest: float
    lowest_error: float
    chosen: Estimate
    best: Estimate
    estimates: tuple[Estimate, ...]

    @property
    def lowest_half_width(self) -> float:
        """Half of the 95 % interval around `lowest`, which is never empty (Wilson 1927)."""
        chance, square = self.lowest, Z_95**2 / self.worlds
        return sqrt(square * (chance * (1 - chance) + square / 4)) / (1 + square)

    @property
    def is_told_apart(self) -> bool:
        """Whether the chosen action is worse than the best with 95 % confidence."""
        return self.chosen.loss > Z_95 * self.chosen.loss_error


class Accuracy(NamedTuple):
    """The mean loss of so many turns, with the standard error that comes from playing out finitely many worlds."""

    turns: int
    loss: float
    loss_error: float


def judge(seen: Observation, chosen: Action | None, seed: bytes, worlds: int = WORLDS) -> Judgement:
    """Judge the action that the seat to act chose (None: the best); the same for the same seed, 8 bytes.

    The best action is found on some worlds, and what the others lose against it is measured on others: on the same
    worlds the best of many would look better than it is. So a loss may come out below 0.
    """
    found = evaluate(seen, _chance(seed, 0), worlds).estimates[0].action
    evaluation = evaluate(seen, _chance(seed, 1), worlds, also=chosen, against=found)
    estimates = evaluation.estimates
    own = [one for one in estimates if one.action == chosen]
    best = next(one for one in [*own, *estimates] if is_level(one))
    others = [one for one in estimates if one is not best]
    return Judgement(worlds, evaluation.lowest, evaluation.lowest_error, (own or [best])[0], best, (best, *others))


def foremost(judgement: Judgement, most: int) -> list[Estimate]:
    """The best actions of a turn, at most so many, and the chosen one."""
    shown = list(judgement.estimates[:most])
    return shown if judgement.chosen in shown else [*shown, judgement.chosen]


def is_level(one: Estimate) -> bool:
    """Whether an action was worth the same as the best in every world."""
    return one.loss == one.loss_error == 0


def accuracy(judgements: Iterable[Judgement]) -> Accuracy:
    """What the turns of a seat lose on the mean."""
    chosen = [judgement.chosen for judgement in judgements]
    turns = len(chosen)
    if not turns:
        return Accuracy(0, 0.0, 0.0)
    error = sqrt(sum(one.loss_error**2 for one in chosen)) / turns
    return Accuracy(turns, sum(one.loss for one in chosen) / turns, error)


def _chance(seed: bytes, part: int) -> np.random.Generator:
    return np.random.default_rng([int.from_bytes(seed, "big"), part])
