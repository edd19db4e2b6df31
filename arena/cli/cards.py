"""Cards on a terminal, written as everywhere else: red suits in red, so that a hand can be pasted into a command."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from arena.game.cards import SUIT, Card, card_name

_STYLE = ("bold", "bold red", "bold red", "bold")
"""By suit: clubs, diamonds, hearts, spades."""


def card_text(card: Card) -> Text:
    """One card: `7h` in red, `7s` in the terminal's own colour."""
    return Text(card_name(card), _STYLE[SUIT[card]])


def cards_text(cards: Iterable[Card]) -> Text:
    """Cards in the given order, separated by blanks."""
    return Text(" ").join(card_text(card) for card in cards)
