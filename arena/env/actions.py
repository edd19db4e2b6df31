"""Every action as one number, the same for all hands of a variant: the places that are thrown, and what is taken."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from arena.game.actions import Action, Declare, Play
from arena.game.cards import Card
from arena.game.discards import legal_discards
from arena.game.errors import IllegalAction, IllegalReason
from arena.game.view import Observation

LONGEST_DISCARD = 5
MOST_CARDS = 25
"""The largest hand that is numbered: with one deck there is no larger one."""


class ActionNumbers:
    """The numbers of all actions with hands of at most `hand_size` cards.

    `set * takes + take` is a play, the last number a declaration. `set` counts the sets of 1 to 5 places of the hand in
    canonical order, fewer places first, then in lexicographic order. `take` is 0 for the closed deck, and 1, 2, … for
    the open cards in canonical order. Of two cards that look alike the first is meant.

    Raises:
        ValueError: `hand_size` is not within 1 to 25.
    """

    def __init__(self, hand_size: int) -> None:
        if not 1 <= hand_size <= MOST_CARDS:
            raise ValueError(f"actions are numbered for hands of 1 to {MOST_CARDS} cards: hand_size is {hand_size}")
        longest = min(hand_size, LONGEST_DISCARD)
        self._sets = [
            bytes(places) for size in range(1, longest + 1) for places in combinations(range(hand_size), size)
        ]
        self._number = {places: number for number, places in enumerate(self._sets)}
        self.takes = 1 + longest
        """How many takes there are: the closed deck, and as many open cards as can be thrown at once."""
        self.declare = len(self._sets) * self.takes
        """The number of a declaration."""
        self.count = self.declare + 1
        """How many actions there are."""

    def encode(self, action: Action, seen: Observation) -> int:
        """Return the number of an action that is legal for the seat whose turn it is."""
        if isinstance(action, Declare):
            return self.declare
        take = 0 if action.take is None else 1 + _open(seen).index(action.take)
        return self._number[_places(seen.hand, action.discard)] * self.takes + take

    def decode(self, number: int, seen: Observation) -> Action:
        """Return the action that a number stands for; whether it is legal is for the rules to judge.

        Raises:
            ValueError: no action has this number.
            IllegalAction: there is no such place in the hand, or no such open card.
        """
        if not 0 <= number < self.count:
            raise ValueError(f"actions are numbered 0 to {self.declare}: there is no {number}")
        if number == self.declare:
            return Declare()
        chosen, take = divmod(int(number), self.takes)
        places = self._sets[chosen]
        if places[-1] >= len(seen.hand):
            raise IllegalAction(IllegalReason.CARD_NOT_HELD)
        if take > len(seen.public.open):
            raise IllegalAction(IllegalReason.CARD_NOT_OPEN)
        return Play(bytes([seen.hand[place] for place in places]), _open(seen)[take - 1] if take else None)

    def mask(self, seen: Observation) -> NDArray[np.int8]:
        """Return 1 for exactly the legal actions of the seat whose turn it is, 0 for all others; shape (count,)."""
        public = seen.public
        cards = _open(seen)
        takes = [1 + place for place, card in enumerate(cards) if cards.index(card) == place]
        if public.may_take_closed:
            takes.append(0)
        sets = [self._number[_places(seen.hand, discard)] for discard in legal_discards(seen.hand, public.variant)]
        mask = np.zeros(self.count, dtype=np.int8)
        mask[np.add.outer(np.multiply(sets, self.takes), takes)] = 1
        mask[self.declare] = public.may_declare
        return mask


@lru_cache(maxsize=32)
def action_numbers(hand_size: int) -> ActionNumbers:
    """Return the numbers of the actions with hands of this size, as one object for all who ask.

    Raises:
        ValueError: `hand_size` is not within 1 to 25.
    """
    return ActionNumbers(hand_size)


def _places(hand: bytes, discard: bytes) -> bytes:
    """Where the cards are in a sorted hand, each copy at a place of its own."""
    places: list[int] = []
    for card in sorted(discard):
        places.append(hand.index(card, places[-1] + 1 if places else 0))
    return bytes(places)


def _open(seen: Observation) -> list[Card]:
    return sorted(seen.public.open)
