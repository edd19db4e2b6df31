"""Where cards come from: orders of the deck, derived from a seed, and lazy, since few cards of an order are needed.

The derivation is fixed, so that anybody can check a match from its seed ("Chance" on the rules page).
"""

from collections.abc import Sequence
from hashlib import shake_256
from struct import Struct
from typing import NoReturn, Protocol

from arena.game.cards import NAMES, Card

TABLE = "table"
"""The stream of the card that is turned up; a seat's stream is its number in decimal."""

_WORDS = tuple(Struct(f">{count}I") for count in range(2 * NAMES + 1))

_LEAST = 6
"""Positions that are settled at a time at least: as many as a usual hand takes, and nearly the cards that it draws."""

_UNSHUFFLED = list(range(2 * NAMES))
_LIMITS = (0, *(2**32 - 2**32 % below for below in range(1, 2 * NAMES + 1)))
"""By modulus: words from here on would favour small remainders. No word is below 0: a finished order stays."""


class Order(Protocol):
    """A permutation of the deck, of which more and more is known."""

    def cards(self, count: int, /) -> Sequence[Card]:
        """Return its first cards, `count` or more of them; raises IndexError when it has not so many."""
        ...


class Chance(Protocol):
    """A source of orders. The same arguments give an equal order, however often and whenever they are asked."""

    def order(self, deal: int, stream: str, refill: int, /) -> Order:
        """Return the order of a stream (a seat's number, or `table`) in a deal after so many refills."""
        ...


class ShuffledOrder:
    """A forward Fisher-Yates shuffle of 0 … size - 1 (at most 104) that is computed as far as it is asked for.

    For i = 0, 1, … position i is swapped with i + r, where r is uniform below size - i: the next word of SHAKE-256 of
    `stream`, modulo size - i, words beyond the last whole multiple of it being skipped.
    """

    __slots__ = ("_deck", "_settled", "_shake", "_used")

    def __init__(self, stream: bytes, size: int) -> None:
        self._deck = _UNSHUFFLED[:size]
        self._settled: list[Card] = []
        self._shake = shake_256(stream)
        self._used = 0

    def cards(self, count: int, /) -> Sequence[Card]:
        """Return its first cards, `count` or more of them; raises IndexError when it has not so many."""
        while len(self._settled) < count:
            self._shuffle_on(count - len(self._settled))
        return self._settled

    def _shuffle_on(self, count: int) -> None:
        """Settle as many positions as one block of words gives."""
        deck = self._deck
        i = done = len(self._settled)
        below = len(deck) - i
        if not below:
            raise IndexError(f"an order of {i} cards has no position {i}")
        words = _WORDS[max(count, _LEAST)]
        start = self._used
        self._used = end = start + words.size
        for word in words.unpack(self._shake.digest(end)[start:]):
            if word < _LIMITS[below]:
                other = i + word % below
                deck[i], deck[other] = deck[other], deck[i]
                i += 1
                below -= 1
        self._settled += deck[done:i]


class SeededChance:
    """All chance of a match, from its 32-byte seed. Orders of the deal asked for last are kept while it lasts."""

    def __init__(self, seed: bytes, decks: int) -> None:
        self._seed = seed
        self._size = NAMES * decks
        self._deal = -1
        self._orders: dict[tuple[str, int], Order] = {}

    def order(self, deal: int, stream: str, refill: int, /) -> Order:
        """Return the order of a stream in a deal after so many refills."""
        if deal != self._deal:
            self._deal = deal
            self._orders = {}
        order = self._orders.get((stream, refill))
        if order is None:
            name = b"least-score/v1/deal/%d/%b/%d/" % (deal, stream.encode(), refill)
            order = self._orders[stream, refill] = ShuffledOrder(name + self._seed, self._size)
        return order


class NoChance:
    """For a replay, whose events bring their cards: evolving needs no chance, deciding would."""

    def order(self, deal: int, stream: str, refill: int, /) -> NoReturn:
        """Raise LookupError: a replayed match draws no cards."""
        raise LookupError(f"a replay has no chance of its own (order of deal {deal}, {stream}, {refill})")


def shuffled(stream: bytes, size: int) -> tuple[int, ...]:
    """Return 0 … size - 1 (at most 104) in the whole order that these bytes give."""
    return tuple(ShuffledOrder(stream, size).cards(size))


def seat_order(block_seed: bytes, seats: int) -> tuple[int, ...]:
    """Return the order in which a sorted lineup of more than four is seated, from the seed of its block."""
    return shuffled(b"least-score/v1/seats/" + block_seed, seats)


def choice_seed(seed: bytes, deal: int, seat: int, turn: int) -> bytes:
    """Return the 8 bytes from which a player may draw its own luck on one turn (`turn` counts the whole match)."""
    return shake_256(b"least-score/v1/choice/%d/%d/%d/" % (deal, seat, turn) + seed).digest(8)
