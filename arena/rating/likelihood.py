"""The likelihood of "finishes ahead of" and its maximum: arrays in, arrays out, in natural units (θ).

Every pair of seats is one weighted Bradley-Terry observation: i finishes ahead of j with probability σ(θi − θj), a
tie counts half for each. The prior holds every bot to a virtual opponent at θ = 0 by half a win and half a loss,
`prior` times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from arena.rating.errors import NoOptimumError

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

_MAX_STEPS = 100
_MAX_HALVINGS = 40
_STEP_TOLERANCE = 1e-7  # the last step squares it: 1e-14 is left, or the rounding of the sums
_GRADIENT_TOLERANCE = 1e-10
_ROUNDING = 1e-12


@overload
def weight(seats: int) -> float: ...
@overload
def weight(seats: Indices) -> Floats: ...
def weight(seats: int | Indices) -> float | Floats:
    """What one pair of seats counts at a table of `seats`: 3/(k+1), so 1 at a table of two.

    A match of k seats has k(k−1)/2 pairs that are not independent; the weight stops big tables from shouting.
    """
    return 3.0 / (seats + 1) if isinstance(seats, int) else np.asarray(3.0 / (seats + 1.0), dtype=np.float64)


def sums(group: Indices, value: Floats, groups: int) -> Floats:
    """Add up the values of each group 0..groups-1."""
    return np.asarray(np.bincount(group, value, groups), dtype=np.float64)


def chances(lead: Floats) -> tuple[Floats, Floats]:
    """Give σ(x) = 1/(1+e^−x) and σ(−x), both accurate in both tails and without overflow."""
    small = np.exp(-np.abs(lead))
    large = 1.0 / (1.0 + small)
    small *= large
    ahead = lead >= 0.0
    return np.where(ahead, large, small), np.where(ahead, small, large)


def sigmoid(x: Floats) -> Floats:
    """Give σ(x) = 1/(1+e^−x)."""
    return chances(x)[0]


def prior_gradient(theta: Floats, prior: float) -> Floats:
    """Give the prior's part of dℓ/dθ: λ (½ − q) with q = σ(θ)."""
    ahead, behind = chances(theta)
    return 0.5 * prior * (behind - ahead)


def prior_information(theta: Floats, prior: float) -> Floats:
    """Give the prior's part of −d²ℓ/dθ², which is diagonal: λ q (1 − q) with q = σ(θ)."""
    ahead, behind = chances(theta)
    return prior * ahead * behind


@dataclass(frozen=True, slots=True)
class WeightedPairs:
    """The results of bots 0..size-1 as parallel arrays over pairs; a pair may occur more than once.

    `first`, `second`: the two bots. `won`, `lost`: weighted points that `first` took from `second` and gave to it.
    """

    size: int
    first: Indices
    second: Indices
    won: Floats
    lost: Floats

    def among(self, bots: Sequence[int]) -> WeightedPairs:
        """Keep the pairs of some bots (sorted) that met no others, and number these bots from 0."""
        local = np.full(self.size, -1, dtype=np.intp)
        local[bots] = np.arange(len(bots))
        here = local[self.first] >= 0
        first, second = local[self.first[here]], local[self.second[here]]
        return WeightedPairs(len(bots), first, second, self.won[here], self.lost[here])

    def log_likelihood(self, theta: Floats, prior: float) -> float:
        """Give ℓ(θ), the prior's term included."""
        lead = theta[self.first] - theta[self.second]
        gap = np.abs(lead)
        upsets = np.where(lead > 0.0, self.lost, self.won)
        data = (self.won + self.lost) @ np.log1p(np.exp(-gap)) + upsets @ gap
        held = np.sum(np.logaddexp(0.0, -theta) + np.logaddexp(0.0, theta))
        return -float(data + 0.5 * prior * held)

    def gradient(self, theta: Floats, prior: float) -> Floats:
        """Give dℓ/dθ, one number a bot."""
        ahead, behind = chances(theta[self.first] - theta[self.second])
        pull = self.won * behind - self.lost * ahead
        taken = sums(self.first, pull, self.size) - sums(self.second, pull, self.size)
        return taken + prior_gradient(theta, prior)

    def information(self, theta: Floats, prior: float) -> Floats:
        """Give H = −d²ℓ/dθ², bots × bots; without a prior every row sums to 0."""
        ahead, behind = chances(theta[self.first] - theta[self.second])
        curvature = (self.won + self.lost) * ahead * behind
        cells = self.first * self.size + self.second
        between = sums(cells, curvature, self.size**2).reshape(self.size, self.size)
        between += between.T
        return np.diag(between.sum(axis=1) + prior_information(theta, prior)) - between


def maximise(pairs: WeightedPairs, prior: float) -> Floats:
    """Find the θ of largest likelihood by damped Newton steps; without a prior the θ sum to 0.

    ℓ is concave, so the optimum is unique. Raises NoOptimumError when the steps or the gradient do not vanish; a number
    that is not the optimum is never returned.
    """
    theta = _start(pairs, prior)
    height = pairs.log_likelihood(theta, prior)
    scale = max(1.0, float(np.sum(pairs.won + pairs.lost)))
    for _ in range(_MAX_STEPS):
        taken, height = _damped(pairs, theta, _newton_step(pairs, theta, prior), prior, height)
        theta = theta + taken
        if np.max(np.abs(taken)) < _STEP_TOLERANCE:
            slope = float(np.max(np.abs(pairs.gradient(theta, prior))))
            if slope > _GRADIENT_TOLERANCE * scale:
                raise NoOptimumError(f"the search for the ratings stopped where the gradient is still {slope:.3g}")
            return theta
    raise NoOptimumError(
        f"the search for the ratings did not settle in {_MAX_STEPS} steps; try a larger prior than {prior:g}"
    )


def inverse_of_differences(information: Floats, hold: Floats) -> Floats:
    """Invert H (one component) within the differences of bots: the result's rows sum to 0.

    `hold` is the prior's part of H. It alone holds the shift common to all bots, so weakly beside millions of games
    that inverting it along would drown the rest in rounding; so it is eliminated first. Without a prior this is
    (L + 11ᵀ/N)⁻¹ − 11ᵀ/N. Raises NoOptimumError when a difference has no hold.
    """
    size, held = hold.size, float(hold.sum())
    matrix = information - np.outer(hold, hold / held) if held > 0.0 else information
    shift = float(np.trace(matrix)) / size**2
    try:
        inverse = np.linalg.inv(matrix + shift)
    except np.linalg.LinAlgError as error:
        raise NoOptimumError("the results leave a difference of ratings without hold; try a larger prior") from error
    if not np.all(np.isfinite(inverse)):
        raise NoOptimumError("the results leave a difference of ratings without hold; try a larger prior")
    inverse -= 1.0 / (shift * size**2)
    return (inverse + inverse.T) / 2


def _start(pairs: WeightedPairs, prior: float) -> Floats:
    """Guess each strength as if all opponents were average: that saves half of the steps."""
    taken = sums(pairs.first, pairs.won, pairs.size) + sums(pairs.second, pairs.lost, pairs.size)
    given = sums(pairs.first, pairs.lost, pairs.size) + sums(pairs.second, pairs.won, pairs.size)
    theta = np.log((taken + 0.5) / (given + 0.5))
    return theta if prior > 0.0 else theta - theta.mean()


def _newton_step(pairs: WeightedPairs, theta: Floats, prior: float) -> Floats:
    """Solve H · step = gradient.

    Results tell differences only, so the shift common to all bots is held by the prior alone. It is eliminated and
    solved for apart: millions of games in the matrix would drown so weak a hold in rounding. Without a prior it is 0.
    """
    matrix = pairs.information(theta, prior)
    gradient = pairs.gradient(theta, prior)
    hold, pull = prior_information(theta, prior), float(prior_gradient(theta, prior).sum())
    held = float(hold.sum())
    if held > 0.0:
        matrix -= np.outer(hold, hold / held)
        gradient -= hold * (pull / held)
    matrix += np.trace(matrix) / pairs.size**2
    try:
        step = np.asarray(np.linalg.solve(matrix, gradient - gradient.mean()), dtype=np.float64)
    except np.linalg.LinAlgError as error:
        raise NoOptimumError(
            f"results and a prior of {prior:g} leave a rating without hold (singular matrix); try a larger one"
        ) from error
    if not np.all(np.isfinite(step)):
        raise NoOptimumError(
            f"results and a prior of {prior:g} leave a rating without hold (endless step); try a larger one"
        )
    step -= step.mean()
    return step + (pull - float(hold @ step)) / held if held > 0.0 else step


def _damped(pairs: WeightedPairs, theta: Floats, step: Floats, prior: float, height: float) -> tuple[Floats, float]:
    """Halve `step` until the likelihood does not fall below `height` (beyond rounding); give also what it comes to."""
    allowed = height - _ROUNDING * (1.0 + abs(height))
    for _ in range(_MAX_HALVINGS):
        reached = pairs.log_likelihood(theta + step, prior)
        if reached >= allowed:
            return step, reached
        step = step / 2
    raise NoOptimumError("the search for the ratings found no way up although the gradient does not vanish")
