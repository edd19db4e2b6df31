"""How the ratings of a tournament came about: fitted anew to the first blocks of its plan, then to more and more; or
as a running number that goes up and down with every match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from arena.rating.duels import count_duels
from arena.rating.elo import online_changes
from arena.rating.likelihood import Indices
from arena.rating.model import ELO_ORIGIN, Component, fit_table
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
    turn, ends = _turns(results, ordinals), _ends(len(results.keys))
    fitted = [fit_table(results.bots, count_duels(results.select(turn < end))).components for end in ends]
    return tuple(Mark(end, dict(_shown(mark, fitted[-1], anchor))) for end, mark in zip(ends, fitted, strict=True))


def online_history(results: Results[bytes], ordinals: Mapping[Any, int]) -> tuple[Mark, ...]:
    """The running Elo at the same marks: all begin at 1500, and a bot is there once it has played."""
    turn, ratings, marks = _turns(results, ordinals), dict[int, float](), list[Mark]()
    starts = np.flatnonzero(np.diff(results.match, prepend=-1))
    seats, places = np.split(results.bot, starts[1:]), np.split(results.place, starts[1:])
    by_turn = np.argsort(turn[results.block[starts]], kind="stable") if starts.size else starts
    played = turn[results.block[starts[by_turn]]]
    done = 0
    for end in _ends(len(results.keys)):
        upto = int(np.searchsorted(played, end))
        for match in by_turn[done:upto].tolist():
            bots = seats[match].tolist()
            before = [ratings.get(bot, ELO_ORIGIN) for bot in bots]
            for bot, change in zip(bots, online_changes(before, places[match].tolist()), strict=True):
                ratings[bot] = ratings.get(bot, ELO_ORIGIN) + change
        done = upto
        marks.append(Mark(end, {results.bots[bot]: rating for bot, rating in ratings.items()}))
    return tuple(marks)


def _turns(results: Results[bytes], ordinals: Mapping[Any, int]) -> Indices:
    """Which place each block has among those that are finished, in the order of the plan."""
    order = np.argsort([ordinals[key] for key in results.keys])
    turn = np.empty(order.size, dtype=np.intp)
    turn[order] = np.arange(order.size)
    return turn


def _ends(blocks: int) -> list[int]:
    """After how many blocks there is a mark."""
    if not blocks:
        return []
    return [int(end) for end in np.unique(np.ceil(np.linspace(0, blocks, MARKS + 1)[1:]))]


def _shown(
    components: tuple[Component[bytes], ...], final: tuple[Component[bytes], ...], anchor: bytes | None
) -> Iterator[tuple[bytes, float]]:
    """The ratings of a mark, for each final component of the one piece that its scale comes from."""
    for whole in final:
        pieces = [piece for piece in components if not set(whole.bots).isdisjoint(piece.bots)]
        pieces.sort(key=lambda piece: (anchor not in piece.bots, -len(piece.bots)))
        for piece in pieces[:1]:
            yield from piece.ratings(anchor).items()
