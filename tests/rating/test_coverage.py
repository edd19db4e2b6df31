"""Whether 95 % intervals hold the truth in 95 of 100 tournaments."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating.likelihood import Floats
from arena.rating.report import Report, rate
from arena.rating.results import Results

BOTS, SEATS, LUCK = "ABCDEF", 4, 0.6
STRENGTH = np.linspace(-0.75, 0.75, len(BOTS))


def tournament(generator: np.random.Generator, blocks: int) -> Report[str]:
    """Play random lineups in all rotations; a seat's cards, the same each time, explain 60 % of a match's luck."""
    lineups = np.argsort(generator.random((blocks, len(BOTS))), axis=1)[:, :SEATS]
    bots = np.stack([np.roll(lineups, turn, axis=1) for turn in range(SEATS)], axis=1)
    deal = generator.normal(scale=np.sqrt(LUCK), size=(blocks, 1, SEATS))
    rest = generator.normal(scale=np.sqrt(1 - LUCK), size=(blocks, SEATS, SEATS))
    places = 1 + np.argsort(np.argsort(-(STRENGTH[bots] + deal + rest), axis=2), axis=2)
    return rate(
        Results.from_columns(
            BOTS,
            range(blocks),
            block=np.repeat(np.arange(blocks), SEATS * SEATS),
            match=np.repeat(np.arange(blocks * SEATS), SEATS),
            seat=np.tile(np.arange(SEATS), blocks * SEATS),
            bot=bots.ravel(),
            place=places.ravel(),
            faulted=np.zeros(places.size, dtype=np.bool_),
        )
    )


def covered(truth: Floats, blocks: int, tournaments: int) -> float:
    generator = np.random.default_rng([20, blocks])
    pairs = np.triu_indices(len(BOTS), 1)
    held = 0.0
    for _ in range(tournaments):
        found = tournament(generator, blocks).comparisons
        miss = np.abs(found.difference - truth)[pairs]
        held += float(np.mean(miss <= found.half_width[pairs]))
    return held / tournaments


@pytest.mark.slow
def test_pair_intervals_hold_the_truth_as_often_as_they_say() -> None:
    truth = tournament(np.random.default_rng(19), 4_000).comparisons.difference
    shares = {blocks: covered(truth, blocks, tournaments=1_000) for blocks in (8, 20, 60)}
    assert min(shares.values()) >= 0.93, shares
    assert shares[60] <= 0.97, shares
