"""For bots that play deals out: what `arena.analysis` thinks of an observation. It needs numpy, which `arena.sdk` does
not load, since most bots answer without."""

from __future__ import annotations

from numpy.random import Generator, default_rng

from arena.analysis.declaring import Confident
from arena.analysis.evaluation import Estimate, Evaluation, Objective, evaluate, to_be_ahead
from arena.analysis.foresight import foreseen
from arena.analysis.hands import MOST_CARDS
from arena.analysis.match_share import share_of_match
from arena.analysis.styles import Style, greedy_style
from arena.sdk.observation import Observation

__all__ = [
    "MOST_CARDS",
    "Confident",
    "Estimate",
    "Evaluation",
    "Objective",
    "Style",
    "chance_of",
    "evaluate",
    "foreseen",
    "greedy_style",
    "share_of_match",
    "to_be_ahead",
]


def chance_of(observation: Observation) -> Generator:
    """Chance for playouts, from the turn's own seed: the same when the match is repeated."""
    return default_rng(int.from_bytes(observation.choice_seed, "big"))
