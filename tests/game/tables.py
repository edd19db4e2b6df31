"""Tables laid out by hand for the tests of the rules: cards are written as players write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.game.actions import Action, Declare, Play
from arena.game.cards import DECKS, parse_card, parse_cards, total
from arena.game.events import Dealt, Events
from arena.game.rules import decide, decide_forfeit, evolve
from arena.game.state import State
from arena.game.variant import Variant

STANDARD = Variant()
TWO_DECKS = Variant(decks=2)
SEED = bytes(range(32))


class Scripted:
    """A chance whose orders are written down by (deal, stream, refill); any other is the canonical order."""

    def __init__(self, orders: Mapping[tuple[int, str, int], Sequence[int]] | None = None, decks: int = 1) -> None:
        self.orders = dict(orders or {})
        self.decks = decks

    def order(self, deal: int, stream: str, refill: int) -> Written:
        first = list(self.orders.get((deal, stream, refill), ()))
        return Written((*first, *(card for card in DECKS[self.decks] if card not in first)))


class Written(tuple[int, ...]):
    """An order that is written down."""

    def cards(self, _: int) -> Sequence[int]:
        return self


def play(discard: str, take: str = "closed") -> Play:
    return Play(parse_cards(discard), None if take == "closed" else parse_card(take))


def lay(
    *hands: str | bytes,
    upcard: str = "",
    variant: Variant = STANDARD,
    chance: Scripted | None = None,
    points: Sequence[int] = (),
    starter: int = 0,
    deal: int = 0,
    lap: int = 0,
) -> State:
    """Deal these hands to the seats; the closed deck is all the rest."""
    state = State(variant, len(hands), chance or Scripted(decks=variant.decks))
    dealt = tuple(parse_cards(hand) if isinstance(hand, str) else hand for hand in hands)
    evolve(state, (Dealt(deal, starter, dealt, parse_card(upcard) if upcard else None),))
    state.points[:] = points or state.points
    state.lap = lap
    state.draws = [0] * state.seats  # these hands did not come from the orders
    return state


def lay_totals(totals: Sequence[int], **table: object) -> State:
    """Deal hands with these totals: as many tens as possible, and one card for the rest."""
    deck = sorted(DECKS[1], key=lambda card: (total(bytes([card])), card))
    hands = []
    for wanted in totals:
        hand = bytearray()
        while total(bytes(hand)) < wanted:
            worth = min(10, wanted - total(bytes(hand)))
            card = next(card for card in deck if total(bytes([card])) == worth)
            deck.remove(card)
            hand.append(card)
        hands.append(bytes(hand))
    return lay(*hands, **table)  # type: ignore[arg-type]


def do(state: State, action: Action) -> Events:
    """Decide and apply."""
    events = decide(state, action)
    evolve(state, events)
    return events


def forfeit(state: State) -> Events:
    events = decide_forfeit(state)
    evolve(state, events)
    return events


def declare_with(state: State, declarer: int, totals: Sequence[int]) -> Events:
    """Give the seats that are in these totals (in seat order) in place of their hands, and let one declare."""
    laid = lay_totals(totals)
    live = [seat for seat, hand in enumerate(state.hands) if hand is not None]
    for seat, hand in zip(live, laid.hands, strict=True):
        state.hands[seat] = hand
    state.seat, state.lap = declarer, 1
    return do(state, Declare())
