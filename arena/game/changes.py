"""How events change a state. `evolve` is its only writer; what the events say is taken as judged."""

from arena.game.cards import DECKS, NAME, NAMES, ONE, fold
from arena.game.events import DealEnded, Dealt, Declared, Events, Forfeited, Played
from arena.game.history import PastDeal, PublicForfeit, PublicPlay
from arena.game.scoring import most_points
from arena.game.seating import neighbours, turn_order
from arena.game.state import State

_new = tuple.__new__
"""Makes a NamedTuple of its fields in half the time that calling its class takes."""


def evolve(state: State, events: Events) -> None:
    """Apply events to the state, in place and without judging; needs no chance, so recorded events will do."""
    for event in events:
        if isinstance(event, Played):
            _apply_play(state, event)
        elif isinstance(event, Dealt):
            _apply_deal(state, event)
        elif isinstance(event, Declared):
            state.turn += 1
            state.declarer = event.seat
        elif isinstance(event, Forfeited):
            _apply_forfeit(state, event)
        elif isinstance(event, DealEnded):
            _apply_score(state, event)
        else:
            state.outcome = event
            state.seat = -1


def exchange(hand: bytes | None, played: Played) -> bytes:
    """Return what a hand becomes by a play: without the discard, with the card that was got."""
    return (hand or b"").translate(None, played.discard) + ONE[played.card]


def _apply_play(state: State, event: Played) -> None:
    seat, discard, take, card, refilled = event
    if refilled:
        state.closed = refilled
        state.dead = b""
        state.refills += 1
        state.draws = [0] * state.seats
    if take is None:
        state.closed = state.closed.replace(ONE[card], b"")
        state.draws[seat] += 1
        state.dead += state.open
    else:
        state.dead += state.open.replace(ONE[card], b"")
        take %= NAMES
    state.open = discard
    state.hands[seat] = exchange(state.hands[seat], event)
    state.events_of_deal.append(_new(PublicPlay, (seat, discard.translate(NAME), take, len(refilled))))
    _pass_turn(state, seat)


def _apply_deal(state: State, event: Dealt) -> None:
    state.dealt = event
    state.deal, state.starter, hands, upcard = event
    state.hands = list(hands)
    state.open = b"" if upcard is None else ONE[upcard]
    state.dead = b""
    state.closed = DECKS[state.variant.decks].translate(None, b"".join([state.open, *(hand or b"" for hand in hands)]))
    state.refills = 0
    state.draws = [len(hand or b"") for hand in hands]
    state.lap = 0
    state.seat = state.starter
    state.events_of_deal = []
    _seat_around(state)


def _apply_forfeit(state: State, event: Forfeited) -> None:
    seat = event.seat
    state.dead += state.hands[seat] or b""
    state.hands[seat] = None
    state.forfeited[seat] = True
    state.events_of_deal.append(PublicForfeit(seat))
    _pass_turn(state, seat)
    _seat_around(state)


def _apply_score(state: State, event: DealEnded) -> None:
    most = most_points(state.variant)
    revealed: list[bytes | None] = [None] * state.seats
    for seat, added in enumerate(event.points):
        hand = state.hands[seat]
        if added is None or hand is None:
            continue
        revealed[seat] = bytes(sorted(fold(hand)))
        state.points[seat] += added
        if state.points[seat] > most:
            state.knocked_out[seat] = state.deal
            state.dead += hand
            state.hands[seat] = None
    state.past_deals += (PastDeal(event.end, state.declarer, tuple(revealed), event.totals, event.points),)
    state.declarer = None


def _pass_turn(state: State, seat: int) -> None:
    """The seat has had its turn: the next seat that is in acts, in the next lap if this one is complete."""
    state.turn += 1
    if seat == state.last_of_lap:
        state.lap += 1
    state.seat = state.clockwise[seat]


def _seat_around(state: State) -> None:
    """Note who follows whom, and who completes a lap, among the seats that are in."""
    live = tuple([seat for seat, hand in enumerate(state.hands) if hand is not None])
    state.clockwise = neighbours(live, state.seats)
    state.last_of_lap = turn_order(live, state.starter, state.seats)[-1]
