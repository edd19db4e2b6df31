"""What a person may do on a turn, numbered as it is offered, and what was meant by what the person typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.game.actions import Action, Declare, Play
from arena.game.cards import RANKS, SUITS, Card, by_rank, parse_card, total
from arena.game.discards import legal_discards
from arena.game.view import Observation
from arena.tournament.labels import harmless

CLOSED = "closed"
DECLARE = "declare"

MOST_OFFERED = 40
"""So many discards are numbered; of very large hands there are thousands, and any of them can be typed."""

SHOWN = 40
"""So many signs of what was typed are repeated."""

HOW = f"type what you throw, then what you take: numbers as in '1 1', or cards as in '7s 7h {CLOSED}'"


class Offer(NamedTuple):
    """The discards, the heaviest first, of which those with a number are shown; the takes (None: closed); and whether
    the seat may declare."""

    discards: tuple[bytes, ...]
    takes: tuple[Card | None, ...]
    may_declare: bool

    @property
    def numbered(self) -> tuple[bytes, ...]:
        """The discards that have a number, from 1."""
        return self.discards[:MOST_OFFERED]


class Unclear(Exception):  # noqa: N818
    """What was typed is no move; the message says why and what to type."""


def offer(seen: Observation) -> Offer:
    """All that the seat to act may do."""
    public = seen.public
    discards = sorted(legal_discards(seen.hand, public.variant), key=total, reverse=True)
    closed: list[Card | None] = [None] if public.may_take_closed else []
    return Offer(tuple(discards), (*closed, *dict.fromkeys(by_rank(public.open))), public.may_declare)


def read_move(text: str, offered: Offer) -> Action:
    """The move that was typed; nobody has looked yet whether the rules allow it. Raises Unclear."""
    words = text.replace(",", " ").split()
    if [word.lower() for word in words] == [DECLARE]:
        return Declare()
    if len(words) < 2:
        raise Unclear(HOW)
    return Play(_discard(words[:-1], offered.numbered), _take(words[-1], offered.takes))


def _discard(words: Sequence[str], numbered: Sequence[bytes]) -> bytes:
    if len(words) == 1 and words[0].isdecimal():
        return numbered[_place(words[0], len(numbered), "throw")]
    return bytes(map(_card, words))


def _take(word: str, takes: Sequence[Card | None]) -> Card | None:
    if word.isdecimal():
        return takes[_place(word, len(takes), "take")]
    return None if word.lower() == CLOSED else _card(word)


def _place(word: str, count: int, what: str) -> int:
    number = int(word) if len(word) < 5 else 0
    if not 1 <= number <= count:
        raise Unclear(f"there is no {harmless(word[:SHOWN])} to {what}: choose one of 1 to {count}")
    return number - 1


def _card(word: str) -> Card:
    """A card in capital or small letters, with a ten as `T` or `10`."""
    rank, suit = word[:-1].upper().replace("10", "T"), word[-1:].lower()
    try:
        return parse_card(rank + suit)
    except ValueError:
        raise Unclear(
            f"'{harmless(word[:SHOWN])}' is no card: it is a rank of {RANKS} and a suit of {SUITS}, as in As; "
            "? shows what can be typed"
        ) from None
