"""Many comparisons at once."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating.ranks import told_apart


@pytest.mark.parametrize(
    ("p", "apart"),
    [
        ([0.01, 0.02, 0.03], [True, True, True]),
        ([0.03, 0.02, 0.01], [True, True, True]),
        ([0.02, 0.02, 0.02], [False, False, False]),
        ([0.01, 0.04, 0.03], [True, False, False]),
        ([0.06], [False]),
        ([], []),
    ],
)
def test_comparisons_are_accepted_from_the_surest_until_one_fails(p: list[float], apart: list[bool]) -> None:
    assert told_apart(np.array(p)).tolist() == apart


@pytest.mark.slow
def test_holm_agrees_with_an_independent_implementation() -> None:
    from statsmodels.stats.multitest import multipletests

    generator = np.random.default_rng(5)
    for _ in range(50):
        p = generator.beta(0.2, 2, size=generator.integers(1, 40))
        assert told_apart(p).tolist() == multipletests(p, 0.05, "holm")[0].tolist()
