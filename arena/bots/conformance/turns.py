"""Turns made to order: a match dealt and played by hand up to the turn that is to be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from hashlib import shake_256
from typing import NamedTuple, TypeAlias

from arena.game.actions import Declare, Play
from arena.game.cards import NAMES, Card, parse_card, parse_cards
from arena.game.chance import TABLE, SeededChance, choice_seed, shuffled
from arena.game.events import Dealt, Played
from arena.game.rules import decide, decide_forfeit, evolve, new_match, substitute
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe
from arena.match.limits import Limits
from arena.match.player import Question
from arena.wire.codec import TableEncoder

LIMITS = Limits(bank_ms=1_000)
"""As in a match, but for a small bank: who needs more of it for one turn is not waited for."""


class Chore(Enum):
    """What a seat does without a choice of its own."""

    SIMPLE = "simple"
    """What the arena plays for a seat: the highest card out, an unseen one in."""
    FORFEIT = "forfeit"


Move: TypeAlias = Play | Declare | Chore


class FixedTurn(NamedTuple):
    """A turn that every bot can be asked: a serialised `TakeTurnRequest` and what it is about.

    One that is not `possible` comes up in no match, but a bot that reads what it is told copes with it.
    """

    name: str
    request: bytes
    possible: bool = True


@dataclass(frozen=True)
class Corner:
    """A corner of the rules: what is dealt and played until the turn that is asked.

    `dealt` are hands of the first deal by seat, and what is turned up as `table`; `drawn` are cards that come from the
    closed deck then, by turn. All else follows from `seed`. `table` is the number of the table, drawn from the name
    unless given.
    """

    name: str
    variant: Variant = field(default_factory=Variant)
    seats: int = 2
    dealt: Mapping[str, str] = field(default_factory=dict)
    drawn: Mapping[int, str] = field(default_factory=dict)
    moves: Sequence[Move] = ()
    seed: int = 0
    table: int = 0
    bank_ms: int = LIMITS.bank_ms
    last_latency_us: int = 0
    show_names: bool = False
    without_deck: bool = False


def throw(discard: str, take: str = "") -> Play:
    """The play that throws these cards and takes an open one, or without one an unseen card."""
    return Play(parse_cards(discard), parse_card(take) if take else None)


def ask(corner: Corner) -> FixedTurn:
    """The turn of a corner."""
    return FixedTurn(corner.name, request(corner, state_of(corner)), possible=not corner.without_deck)


def state_of(corner: Corner) -> State:
    """The match of a corner before the turn that is asked."""
    chance = SeededChance(_seed(corner), corner.variant.decks)
    state = new_match(corner.variant, corner.seats, chance)
    if corner.dealt:
        state = State(corner.variant, corner.seats, chance)
        evolve(state, (_dealt(corner),))
        state.draws = [0] * corner.seats
    for move in corner.moves:
        if move is Chore.FORFEIT:
            evolve(state, decide_forfeit(state))
            continue
        first, *rest = decide(state, substitute(state) if isinstance(move, Chore) else move)
        if isinstance(first, Played) and state.turn in corner.drawn:
            first = first._replace(card=parse_card(corner.drawn[state.turn]))
        evolve(state, (first, *rest))
    if corner.without_deck:
        state.closed = state.dead = b""
    return state


def _dealt(corner: Corner) -> Dealt:
    """The first deal with the wanted cards; the others as the seed brings them."""
    left = list(shuffled(_seed(corner), corner.variant.decks * NAMES))
    wanted: dict[str, list[Card]] = {}
    for stream, cards in corner.dealt.items():
        wanted[stream] = [_taken(left, name) for name in parse_cards(cards)]
    for card in map(parse_card, corner.drawn.values()):
        left.remove(card)
    hands = []
    for seat in range(corner.seats):
        hand = wanted.get(str(seat)) or [left.pop() for _ in range(corner.variant.hand_size)]
        hands.append(bytes(hand))
    return Dealt(0, 0, tuple(hands), (wanted.get(TABLE) or left)[-1] if corner.variant.upcard else None)


def _taken(left: list[Card], name: Card) -> Card:
    """Take the lowest copy of a card."""
    card = min(card for card in left if card % NAMES == name)
    left.remove(card)
    return card


def request(corner: Corner, state: State) -> bytes:
    """The question that the seat to act is asked in this state."""
    drawn = int.from_bytes(shake_256(corner.name.encode()).digest(8), "big") | 1 << 63
    question = Question(
        corner.table or drawn,
        state.turn,
        LIMITS.turn_ms,
        corner.bank_ms,
        corner.last_latency_us,
        choice_seed(_seed(corner), state.deal, state.seat, state.turn),
        observe(state, state.seat),
        tuple(f"{seat + 1:064x}" for seat in range(corner.seats)) if corner.show_names else (),
    )
    return TableEncoder()(question)


def _seed(corner: Corner) -> bytes:
    return corner.seed.to_bytes(32, "big")
