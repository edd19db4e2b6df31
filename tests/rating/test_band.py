import numpy as np
import pytest

from arena.rating.band import band_factor


@pytest.mark.parametrize(("blocks", "half_width"), [(20, 0.7522), (50, 0.4361), (100, 0.3035), (400, 0.1564)])
def test_the_band_has_the_known_widths(blocks: int, half_width: float) -> None:
    assert float(band_factor(blocks, 0.05)) == pytest.approx(half_width, abs=5e-5)


def test_without_a_block_the_band_is_endless() -> None:
    assert np.isposinf(band_factor(0.0, 0.05))


FEW = 24


def test_from_a_few_blocks_on_the_band_holds_the_truth_at_every_look() -> None:
    scores = np.random.default_rng(5).choice([0.0, 0.5, 1.0], size=(2_000, 500), p=[0.3, 0.4, 0.3])
    n = np.arange(1.0, 501.0)
    mean = np.cumsum(scores, axis=1) / n
    deviation = np.sqrt(np.maximum(np.cumsum(scores**2, axis=1) / n - mean**2, 0.001))
    outside = np.abs(mean - 0.5) > deviation * band_factor(n, 0.05)
    assert outside[:, FEW:].any(axis=1).mean() < 0.05
