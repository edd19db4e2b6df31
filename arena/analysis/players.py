"""What playouts ask of whoever plays in them, for many deals at once."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from arena.analysis.declaring import Declaring, Flags, Numbers
from arena.analysis.hands import Indices


class Move(NamedTuple):
    """A play, by deal: whether a closed card is taken, the sets that are kept and thrown, and the rank that is taken
    where the card is an open one."""

    closed: Flags
    kept: Indices
    thrown: Indices
    rank: Indices


class Player(Protocol):
    """A way to play."""

    @property
    def declares(self) -> Declaring:
        """When to end the deal."""
        ...

    def move(self, hands: Indices, top: Indices) -> Move:
        """Return what is played with these hands while these sets lie open."""
        ...

    def costs_after(self, kept: Indices) -> Numbers:
        """Return how bad it is to be left with these sets and one more card: a row a set, a column a rank."""
        ...
