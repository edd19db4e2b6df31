"""Where cards come from: orders of the deck, derived from a seed, and lazy, since few cards of an order are needed.

The derivation is fixed, so that anybody can check a match from its seed ("Chance" on the rules page).
"""

from hashlib import shake_256
from struct import Struct
from typing import NoReturn, Protocol

from arena.game.cards import NAMES, Card

TABLE = "table"
"""The stream of the card that is turned up; a seat's stream is its number in decimal."""

_WORDS = Struct(">12I")
"""A block of words: enough for most hands and their draws, and cheap where less is needed."""

_UNSHUFFLED = list(range(2 * NAMES))
_LIMITS = (0, *(2**32 - 2**32 % below for below in range(1, 2 * NAMES + 1)))
"""By modulus: words from here on would favour small remainders. No word is below 0: a finished order stays."""


class Order(Protocol):
    """A permutation of the deck: `order[0]` is its first card."""

    def __getitem__(self, position: int, /) -> Card: ...


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

    __slots__ = ("_cards", "_done", "_shake", "_used")

    def __init__(self, stream: bytes, size: int) -> None:
        self._cards = _UNSHUFFLED[:size]
        self._done = 0
        self._shake = shake_256(stream)
        self._used = 0

    def __getitem__(self, position: int, /) -> Card:
        while position >= self._done:
            self._shuffle_on()
        return self._cards[position]

    def _shuffle_on(self) -> None:
        """Settle as many positions as one block of words gives."""
        cards = self._cards
        start = self._used
        self._used = end = start + _WORDS.size
        i = self._done
        below = len(cards) - i
        if not below:
            raise IndexError(f"an order of {i} cards has no position {i}")
        for word in _WORDS.unpack(self._shake.digest(end)[start:]):
            if word < _LIMITS[below]:
                other = i + word % below
                cards[i], cards[other] = cards[other], cards[i]
                i += 1
                below -= 1
        self._done = i


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
    order = ShuffledOrder(stream, size)
    return tuple(order[position] for position in range(size))


def seat_order(block_seed: bytes, seats: int) -> tuple[int, ...]:
    """Return the order in which a sorted lineup of more than four is seated, from the seed of its block."""
    return shuffled(b"least-score/v1/seats/" + block_seed, seats)


def choice_seed(seed: bytes, deal: int, seat: int, turn: int) -> bytes:
    """Return the 8 bytes from which a player may draw its own luck on one turn (`turn` counts the whole match)."""
    return shake_256(b"least-score/v1/choice/%d/%d/%d/" % (deal, seat, turn) + seed).digest(8)
