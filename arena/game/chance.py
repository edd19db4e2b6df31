"""Where cards come from: orders of the deck, derived from a seed, and lazy, since few cards of an order are needed.

The derivation is fixed, so that anybody can check a match from its seed ("Chance" on the rules page).
"""

from collections.abc import Iterator
from hashlib import shake_256
from struct import Struct
from typing import NoReturn, Protocol

from arena.game.cards import NAMES, Card

TABLE = "table"
"""The stream of the card that is turned up; a seat's stream is its number in decimal."""

_WORDS = Struct(">16I")
_LIMITS = (0, *(2**32 - 2**32 % below for below in range(1, 2 * NAMES + 1)))


class Order(Protocol):
    """A permutation of the deck: `order[0]` is its first card."""

    def __getitem__(self, position: int, /) -> Card: ...


class Chance(Protocol):
    """A source of orders. The same arguments give an equal order, however often and whenever they are asked."""

    def order(self, deal: int, stream: str, refill: int, /) -> Order:
        """Return the order of a stream (a seat's number, or `table`) in a deal after so many refills."""
        ...


class ShuffledOrder(dict[int, Card]):
    """A forward Fisher-Yates shuffle of 0 … size - 1 that is computed as far as it is asked for.

    For i = 0, 1, … position i is swapped with i + r, r uniform below size - i, from the words of `stream`.
    """

    __slots__ = ("_rest", "_words")

    def __init__(self, stream: bytes, size: int) -> None:
        self._rest = list(range(size))
        self._words = _words(stream)

    def __missing__(self, position: int) -> Card:
        rest, words = self._rest, self._words
        size = len(rest)
        if not 0 <= position < size:
            raise IndexError(f"an order of {size} cards has no position {position}")
        for i in range(len(self), position + 1):
            below = size - i
            word = next(words)
            while word >= _LIMITS[below]:
                word = next(words)
            other = i + word % below
            self[i] = rest[other]
            rest[other] = rest[i]
        return self[position]


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
            name = f"least-score/v1/deal/{deal}/{stream}/{refill}/"
            order = self._orders[stream, refill] = ShuffledOrder(name.encode() + self._seed, self._size)
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


def _words(stream: bytes) -> Iterator[int]:
    """Yield the big-endian 32-bit words of SHAKE-256 of the stream, without end."""
    shake = shake_256(stream)
    done = 0
    while True:
        yield from _WORDS.unpack(shake.digest(done + _WORDS.size)[done:])
        done += _WORDS.size
