"""Cards as small integers and collections of cards as `bytes`, so that whole hands are translated by tables.

A card of one deck is `13 * suit + rank` (suits c d h s, ranks A to K): 0 is the ace of clubs, 51 the king of spades,
the canonical order. The copies of a second deck follow as 52 to 103. What a player says is a *name*, the card modulo
52, since the two copies look alike.
"""

from collections.abc import Iterable
from typing import TypeAlias

Card: TypeAlias = int

RANKS = "A23456789TJQK"
SUITS = "cdhs"
NAMES = 52
"""How many different card names there are; the second copy of a card is the card plus this."""

DECKS = (b"", bytes(range(NAMES)), bytes(range(2 * NAMES)))
"""All cards of so many decks, in canonical order."""

ONE = tuple(bytes((card,)) for card in range(2 * NAMES))
"""A collection that holds just this card, by card."""

NAME = bytes(card % NAMES for card in range(256))
"""`cards.translate(NAME)`: the names of the cards."""

RANK = bytes(card % NAMES % 13 for card in range(256))
"""`cards.translate(RANK)`: their ranks, 0 for an ace to 12 for a king."""

SUIT = bytes(card % NAMES // 13 for card in range(256))
"""`cards.translate(SUIT)`: their suits, 0 clubs, 1 diamonds, 2 hearts, 3 spades."""

VALUE = bytes(min(card % NAMES % 13 + 1, 10) for card in range(256))
"""`cards.translate(VALUE)`: their values (rule 1): ace 1, face value, and 10 for jack, queen and king."""


def fold(cards: bytes) -> bytes:
    """Return the names (0 to 51) of the cards, in the same order."""
    return cards.translate(NAME)


def total(cards: bytes) -> int:
    """Return the sum of the cards' values (rule 1)."""
    return sum(cards.translate(VALUE))


def by_rank(cards: Iterable[Card]) -> bytes:
    """Return the cards in the order in which a player holds them: by rank, then suit."""
    return bytes(sorted(cards, key=lambda card: (RANK[card], SUIT[card])))


def card_name(card: Card) -> str:
    """Return how the card is written: rank, then suit, as in `As` or `Td`."""
    return RANKS[RANK[card]] + SUITS[SUIT[card]]


def card_names(cards: bytes) -> str:
    """Return the cards as written by players, separated by blanks: `As Td`."""
    return " ".join(map(card_name, cards))


def parse_card(text: str) -> Card:
    """Return the name (0 to 51) of the card written as `text`.

    Raises:
        ValueError: the text is no card.
    """
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise ValueError(f"{text!r} is no card: write a rank of {RANKS} and a suit of {SUITS}, for example As")
    return 13 * SUITS.index(text[1]) + RANKS.index(text[0])


def parse_cards(text: str) -> bytes:
    """Return the names of the cards written in `text`, separated by blanks, in the same order.

    Raises:
        ValueError: a part of the text is no card.
    """
    return bytes(map(parse_card, text.split()))
