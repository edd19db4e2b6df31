"""How the ratings of a tournament came about: fitted anew to the first blocks of its plan, then to more and more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from arena.rating.duels import count_duels
from arena.rating.model import Component, fit_table
from arena.rating.results import Results

MARKS = 20
"""So often the ratings are fitted on the way."""


class Mark(NamedTuple):
    """The ratings after the first `blocks` that are finished, in the order of the plan.

    A bot is left out as long as nothing connects it with the anchor, or with most of those that it meets in the end.
    """

    blocks: int
    ratings: Mapping[bytes, float]


def history(results: Results[bytes], ordinals: Mapping[Any, int], anchor: bytes | None) -> tuple[Mark, ...]:
    """The ratings at up to 20 marks, the last of which is the end.

    `ordinals` are the places of blocks in the plan: taken in that order, they tell the same whenever each was played.
    """
    order = np.argsort([ordinals[key] for key in results.keys])
    turn = np.empty(order.size, dtype=np.intp)
    turn[order] = np.arange(order.size)
    ends = np.unique(np.ceil(np.linspace(0, order.size, MARKS + 1)[1:]).astype(np.intp)).tolist() if order.size else []
    fitted = [fit_table(results.bots, count_duels(results.select(turn < end))).components for end in ends]
    return tuple(Mark(end, dict(_shown(mark, fitted[-1], anchor))) for end, mark in zip(ends, fitted, strict=True))


def _shown(
    components: tuple[Component[bytes], ...], final: tuple[Component[bytes], ...], anchor: bytes | None
) -> Iterator[tuple[bytes, float]]:
    """The ratings of a mark, for each final component of the one piece that its scale comes from."""
    for whole in final:
        pieces = [piece for piece in components if not set(whole.bots).isdisjoint(piece.bots)]
        pieces.sort(key=lambda piece: (anchor not in piece.bots, -len(piece.bots)))
        for piece in pieces[:1]:
            yield from piece.ratings(anchor).items()
