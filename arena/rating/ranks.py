"""Which bots the results tell apart, and so between which places each may stand."""

from __future__ import annotations

import numpy as np

from arena.rating.likelihood import Floats
from arena.rating.results import Bools

FAMILY_ERROR = 0.05
"""The chance that any of all comparisons of a list is called wrongly."""


def told_apart(p: Floats) -> Bools:
    """Tell which of many comparisons are significant, all taken together (S. Holm 1979), from two-sided p-values."""
    order = np.argsort(p, kind="stable")
    held = p[order] > FAMILY_ERROR / np.arange(p.size, 0, -1)
    apart = np.zeros(p.size, dtype=np.bool_)
    apart[order[: int(np.argmax(held)) if held.any() else p.size]] = True
    return apart
