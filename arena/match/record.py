"""The record of a match: all that happened, with every card, so that it replays without chance of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from arena.game.actions import Declare, Play
from arena.game.events import DealEnd, Ending
from arena.game.variant import Variant
from arena.match.faults import Fault
from arena.match.limits import Limits

PERSON = bytes(32)
"""Stands for a person, who has no clock, where a bot has its digest."""


class TurnRecord(NamedTuple):
    """One turn. In a record the cards of a play are the cards themselves, not their names (see `arena.game.cards`).

    `action` is None for a forfeit; `card` is what a play brought; with a `fault` the arena played for the bot.
    `micros` is the time charged; it is measured, so it is no part of the canonical bytes.
    """

    seat: int
    action: Play | Declare | None
    card: int | None
    fault: Fault | None
    micros: int


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal: hands by seat (None for a seat that was out), turns in order, and what it brought by seat."""

    starter: int
    hands: tuple[bytes | None, ...]
    upcard: int | None
    turns: tuple[TurnRecord, ...]
    end: DealEnd
    totals: tuple[int | None, ...]
    points: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """One match: which block and rotation, the digests of the bots by seat, the seed, the deals, how it ended."""

    block_id: bytes
    rotation: int
    variant: Variant
    limits: Limits
    seats: tuple[bytes, ...]
    seed: bytes
    deals: tuple[DealRecord, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    ending: Ending

    def turns(self) -> Iterator[TurnRecord]:
        """All turns of the match in order."""
        for deal in self.deals:
            yield from deal.turns
