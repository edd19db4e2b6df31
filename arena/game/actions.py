"""What a seat may do on its turn (rule 2). Cards are given by name, 0 to 51; the rules pick the copy."""

from typing import NamedTuple, TypeAlias

from arena.game.cards import Card


class Play(NamedTuple):
    """Discard a set, then take one card: an open one by name, or, when `take` is None, one from the closed deck."""

    discard: bytes
    take: Card | None


class Declare(NamedTuple):
    """End the deal: all hands are revealed (rule 5)."""


Action: TypeAlias = Play | Declare
