"""What playouts ask of whoever plays in them, for many deals at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from arena.analysis.declaring import Flags, Numbers, Opponent
from arena.analysis.hands import Indices


class Move(NamedTuple):
    """A play, by deal: whether a closed card is taken, the sets that are kept and thrown, and the rank that is taken
    where the card is an open one."""

    closed: Flags
    kept: Indices
    thrown: Indices
    rank: Indices


class Player(Protocol):
    """A way to play, by what a seat has and what it sees of the others."""

    def ends(self, hands: Indices, others: Sequence[Opponent]) -> Flags:
        """Return by deal whether to declare with these hands."""
        ...

    def move(self, hands: Indices, top: Indices, others: Sequence[Opponent]) -> Move:
        """Return what is played with these hands while these sets lie open."""
        ...

    def costs_after(self, kept: Indices) -> Numbers:
        """Return how bad it is to be left with these sets and one more card: a row a set, a column a rank."""
        ...
