"""Ways to play that need no process: functions from what a seat may know to its action, quick enough for playouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from arena.game.actions import Action, Declare, Play
from arena.game.cards import VALUE, total
from arena.game.discards import legal_discards
from arena.game.view import Observation

Policy: TypeAlias = Callable[[Observation], Action]


@dataclass(frozen=True, slots=True)
class Greedy:
    """Throws the largest sum, takes the lowest open card if it is worth at most `cheap`, and declares as soon as the
    hand is worth at most `declare_at`."""

    declare_at: int = 5
    cheap: int = 4

    def __call__(self, seen: Observation) -> Action:
        """Return the action of the seat whose turn it is."""
        public = seen.public
        if public.may_declare and total(seen.hand) <= self.declare_at:
            return Declare()
        discard = max(legal_discards(seen.hand, public.variant), key=total)
        lowest = min(public.open, key=VALUE.__getitem__, default=None)
        if public.may_take_closed and (lowest is None or VALUE[lowest] > self.cheap):
            return Play(discard, None)
        return Play(discard, lowest)
