"""What is printed on a card."""

from __future__ import annotations

from typing import NamedTuple

from arena.game.cards import RANK, RANKS, SUIT, parse_card


class Face(NamedTuple):
    """The face of a card: `rank` as printed, `suit` by name and its `sign`, and which `court` card it is if any."""

    rank: str
    suit: str
    sign: str
    court: str


SUITS = (("clubs", "♣"), ("diamonds", "♦"), ("hearts", "♥"), ("spades", "♠"))
"""By suit, as `arena.game.cards` counts them."""

COURT = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}

TEN = "T"


def face(card: str | int) -> Face:
    """The face of a card that is written as `7h`, or given by its number. Raises ValueError when it is no card."""
    number = parse_card(card) if isinstance(card, str) else card
    rank = RANKS[RANK[number]]
    return Face("10" if rank == TEN else rank, *SUITS[SUIT[number]], COURT.get(rank, ""))
