"""Where the cards are, as far as a seat can tell from its hand and the public events of the deal; no guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.game.cards import DECKS, ONE, Card
from arena.game.history import PublicEvent, PublicForfeit, PublicPlay
from arena.game.view import Observation


@dataclass(frozen=True, slots=True)
class Counts:
    """The cards of a deal, as names, sorted by where they are for all that a seat can know.

    `held` are by other seat the cards that it took openly and still has. `dead` are those thrown, and taken by nobody,
    since the closed deck was filled last, and what a seat that forfeited had taken openly; `open` those that the seat
    to act may take. `unseen` are all others but the own hand, in canonical order: they are in the closed deck or in
    hands, and it is not known where.
    """

    dead: bytes
    open: bytes
    held: Mapping[int, bytes]
    unseen: bytes


def count_cards(view: Observation) -> Counts:
    """Return where the cards are for all that the seat of this view can know."""
    public = view.public
    return count(public.events, public.upcard, view.seat, view.hand, public.variant.decks)


def count(events: Sequence[PublicEvent], upcard: Card | None, seat: int, hand: bytes, decks: int) -> Counts:
    """Return where the cards are for a seat with this hand, after these events of a deal that began with the upcard."""
    dead = b""
    open_cards = b"" if upcard is None else ONE[upcard]
    held: dict[int, bytes] = {}
    for event in events:
        actor = event.seat
        if isinstance(event, PublicForfeit):
            dead += held.pop(actor, b"")
            continue
        _, discard, taken, refilled = event
        if refilled:
            dead = b""
        if kept := held.get(actor):
            held[actor] = without(kept, discard)
        if taken is not None:
            open_cards = open_cards.replace(ONE[taken], b"", 1)
            held[actor] = held.get(actor, b"") + ONE[taken]
        dead += open_cards
        open_cards = discard
    held.pop(seat, None)
    placed = hand + dead + open_cards + b"".join(held.values())
    unseen = DECKS[1].translate(None, placed) if decks == 1 else without(bytes(sorted(DECKS[1] * 2)), placed)
    return Counts(dead, open_cards, held, unseen)


def without(cards: bytes, gone: bytes) -> bytes:
    """Return the cards that are left when each of `gone` is taken out once, if it is there."""
    for card in gone:
        cards = cards.replace(ONE[card], b"", 1)
    return cards


def plays_of(events: Sequence[PublicEvent], seat: int) -> list[PublicPlay]:
    """Return the plays of a seat in this deal, in order."""
    return [event for event in events if event.seat == seat and isinstance(event, PublicPlay)]
