"""Tournaments whose results are made up: played round by round as a format plans them, without cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.rating.counts import MatchResult
from arena.tournament.blocks import rotations
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.formats import next_blocks
from arena.tournament.rounds import Round, Setting, SettledBlock

Results = tuple[MatchResult[bytes], ...]
Referee = Callable[[tuple[bytes, ...], int], Results]
"""From a lineup and the block's number to the matches of the block."""


def entries(count: int) -> tuple[Entry, ...]:
    return sort_entries(Entry(f"bot{number:04}", "1", number.to_bytes(32, "big")) for number in range(count))


def setting(bots: int, seats: int, deals: int = 1, owners: dict[int, str] | None = None, **options: Any) -> Setting:
    entered = entries(bots)
    owned = {entered[bot].digest: owner for bot, owner in (owners or {}).items()}
    return Setting(entered, seats, deals, options, owned)


def number_of(bot: bytes) -> int:
    return int.from_bytes(bot, "big")


def ranked(seats: Sequence[bytes], scores: Sequence[float]) -> MatchResult[bytes]:
    """A match in which higher scores finished ahead."""
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    return MatchResult(tuple(seats), places, (False,) * len(seats))


def by_number(lineup: tuple[bytes, ...], _number: int) -> Results:
    """The higher number always finishes ahead."""
    return tuple(ranked(seats, [number_of(bot) for bot in seats]) for seats in rotations(lineup))


def all_level(lineup: tuple[bytes, ...], _number: int) -> Results:
    return tuple(ranked(seats, [0.0] * len(seats)) for seats in rotations(lineup))


def lucky(seed: int, spread: float = 0.5, luck: float = 0.6) -> Referee:
    """Higher numbers are better by `spread` each; chance decides much, and a share of it is the deal's."""

    def referee(lineup: tuple[bytes, ...], number: int) -> Results:
        generator = np.random.default_rng([seed, number, *map(number_of, lineup)])
        cards, seats = generator.normal(size=len(lineup)) * sqrt(luck), range(len(lineup))
        matches = []
        for turn in seats:
            bots = [lineup[(seat + turn) % len(lineup)] for seat in seats]
            skill = np.array([spread * number_of(bot) for bot in bots])
            form = generator.normal(size=len(bots)) * sqrt(1 - luck)
            matches.append(ranked(bots, (skill + cards + form).tolist()))
        return tuple(matches)

    return referee


def play_round(name: str, wanted: Setting, rounds: Sequence[Round], referee: Referee = by_number) -> Round:
    """The next round, settled; blocks with a withdrawn bot have no results; () when the tournament is over."""
    blocks = next_blocks(name, wanted, rounds, Variant(), Limits())
    return tuple(
        SettledBlock(
            block.lineup,
            block.number,
            () if wanted.gone.intersection(block.lineup) else referee(block.lineup, block.number),
        )
        for block in blocks
    )


def play_out(name: str, wanted: Setting, referee: Referee = by_number, rounds: Sequence[Round] = ()) -> list[Round]:
    """All rounds of a tournament."""
    played = [*rounds]
    while came := play_round(name, wanted, played, referee):
        played.append(came)
        assert len(played) < 1_000
    return played


def without(wanted: Setting, *bots: bytes) -> Setting:
    return replace(wanted, gone=wanted.gone | set(bots))
