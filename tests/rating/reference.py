"""The three covariances as their formulae are written, block by block with whole matrices: slow, plain, independent."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from arena.rating.counts import pair_counts
from arena.rating.likelihood import Floats
from arena.rating.model import fit
from arena.rating.results import Block


class Reference(NamedTuple):
    """Strengths of the sorted bots and their covariances, in natural units."""

    theta: Floats
    cr3: Floats
    cr1: Floats
    naive: Floats
    blocks: list[int]


def covariances(blocks: list[Block[str]], prior: float) -> Reference:
    """Of one connected component."""
    (component,) = fit(
        {bot for one in blocks for match in one.matches for bot in match.seats},
        pair_counts([one.matches for one in blocks]),
        prior,
    ).components
    bots, theta = component.bots, np.array(component.theta)
    gradients, informations, sat = [], [], np.zeros(len(bots), dtype=int)
    for one in blocks:
        gradient, information, met = _block(one, bots, theta)
        if not met:
            continue
        gradients.append(gradient)
        informations.append(information)
        sat[list(met)] += 1
    q = 1 / (1 + np.exp(-theta))
    whole = sum(informations) + prior * np.diag(q * (1 - q))
    count = len(gradients)
    left_out = [_inverse(whole - part, prior) @ u for part, u in zip(informations, gradients, strict=True)]
    inverse = _inverse(whole, prior)
    return Reference(
        theta=theta,
        cr3=(count - 1) / count * _squares(left_out),
        cr1=inverse @ (count / (count - 1) * _squares(gradients)) @ inverse,
        naive=inverse,
        blocks=sat.tolist(),
    )


def _block(one: Block[str], bots: tuple[str, ...], theta: Floats) -> tuple[Floats, Floats, set[int]]:
    gradient, information, met = np.zeros(len(bots)), np.zeros((len(bots), len(bots))), set()
    for match in one.matches:
        w = 3 / (len(match.seats) + 1)
        for (a, place_a), (b, place_b) in combinations(zip(match.seats, match.places, strict=True), 2):
            if a != b:
                i, j = bots.index(a), bots.index(b)
                e = np.eye(len(bots))[i] - np.eye(len(bots))[j]
                p = 1 / (1 + np.exp(theta[j] - theta[i]))
                y = 0.5 if place_a == place_b else float(place_a < place_b)
                gradient += w * (y - p) * e
                information += w * p * (1 - p) * np.outer(e, e)
                met |= {i, j}
    return gradient, information, met


def _squares(vectors: list[Floats]) -> Floats:
    """Σ v vᵀ."""
    return np.asarray(sum(np.outer(vector, vector) for vector in vectors), dtype=np.float64)


def _inverse(matrix: Floats, prior: float) -> Floats:
    if prior > 0:
        return np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    even = np.full(matrix.shape, 1 / len(matrix))
    return np.asarray(np.linalg.inv(matrix + even) - even, dtype=np.float64)


def against_field(matrix: Floats) -> Floats:
    """Variances against the mean of all."""
    centre = np.eye(len(matrix)) - 1 / len(matrix)
    return np.asarray((centre @ matrix @ centre).diagonal())


def of_pair(matrix: Floats, a: int, b: int) -> float:
    return float(matrix[a, a] + matrix[b, b] - 2 * matrix[a, b])
