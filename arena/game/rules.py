"""The rules in motion: `decide` judges and changes nothing, `evolve` (in `changes`) changes and judges nothing.

Each decision is complete: a play that ends the deal brings its scoring and the next deal, or the end of the match.
"""

from collections.abc import Iterator, Sequence

from arena.game.actions import Action, Declare, Play
from arena.game.cards import NAMES, ONE, VALUE, Card, fold, total
from arena.game.chance import TABLE, Chance, Order
from arena.game.changes import evolve, exchange
from arena.game.discards import check_discard, legal_discards, lowest_copies
from arena.game.errors import IllegalAction, IllegalReason, MatchOver
from arena.game.events import (
    DealEnd,
    DealEnded,
    Dealt,
    Declared,
    Ending,
    Events,
    Forfeited,
    MatchEnded,
    Played,
)
from arena.game.scoring import ending_of, most_points, places, points_of_declaration, points_of_showdown
from arena.game.seating import turn_order
from arena.game.state import State
from arena.game.variant import Variant, check_variant

__all__ = ["decide", "decide_forfeit", "evolve", "legal_actions", "new_match", "start", "substitute"]

_new = tuple.__new__
"""Makes a NamedTuple of its fields in half the time that calling its class takes."""

_STREAMS = tuple(map(str, range(10)))


def new_match(variant: Variant, seats: int, chance: Chance) -> State:
    """Return a match whose first deal has been dealt (`state.dealt`).

    Raises:
        VariantError: so many seats cannot play by this variant.
    """
    check_variant(variant, seats)
    state = State(variant, seats, chance)
    evolve(state, start(state))
    return state


def start(state: State) -> Events:
    """Return the events that begin a match: deal 0, which seat 0 starts."""
    return (_deal(state, 0, 0, tuple(range(state.seats))),)


def decide(state: State, action: Action) -> Events:
    """Judge what the seat to act wants to do, and return all that happens then; the state does not change.

    Raises:
        IllegalAction: the action breaks a rule; `reason` says which.
        MatchOver: nobody may act any more.
    """
    if state.outcome is not None:
        raise MatchOver
    if isinstance(action, Declare):
        if not state.may_declare:
            raise IllegalAction(IllegalReason.DECLARE_ON_FIRST_TURN)
        return Declared(state.seat), *_end_deal(state, state.hands, state.seat)
    played = _play(state, action)
    if state.seat != state.last_of_lap or state.lap + 1 < state.variant.lap_cap:
        return (played,)
    hands = state.hands.copy()
    hands[played.seat] = exchange(state.hands[played.seat], played)
    return played, *_end_deal(state, hands, None)


def decide_forfeit(state: State) -> Events:
    """Return all that happens when the seat to act leaves the match; the state does not change.

    Raises:
        MatchOver: nobody may act any more.
    """
    if state.outcome is not None:
        raise MatchOver
    forfeited = Forfeited(state.seat)
    hands = state.hands.copy()
    hands[state.seat] = None
    if state.seats - hands.count(None) == 1:
        nothing = (None,) * state.seats
        gone = state.forfeited.copy()
        gone[state.seat] = True
        final = places(state.points, state.knocked_out, gone, Ending.FORFEIT)
        ended = MatchEnded(Ending.FORFEIT, final, tuple(state.points))
        return forfeited, DealEnded(DealEnd.FORFEIT, nothing, nothing), ended
    if state.seat == state.last_of_lap and state.lap + 1 == state.variant.lap_cap:
        return forfeited, *_end_deal(state, hands, None)
    return (forfeited,)


def legal_actions(state: State) -> Iterator[Action]:
    """Yield exactly the actions that `decide` accepts, each discard with every take; none when the match is over."""
    hand = state.hands[state.seat]
    if state.outcome is not None or hand is None:
        return
    takes: list[Card | None] = [None] if state.may_take_closed else []
    takes.extend(dict.fromkeys(fold(state.open)))
    for discard in legal_discards(hand, state.variant):
        for take in takes:
            yield Play(discard, take)
    if state.may_declare:
        yield Declare()


def substitute(state: State) -> Play:
    """Return what is played for a seat that failed to act.

    It discards the single card of the highest value (ties: the later name) and takes closed; when that is
    impossible, the open card of the lowest value (ties: the earlier name).
    """
    hand = state.hands[state.seat]
    if state.outcome is not None or hand is None:
        raise MatchOver
    discard = max(fold(hand), key=lambda name: (VALUE[name], name))
    take = None if state.may_take_closed else min(fold(state.open), key=lambda name: (VALUE[name], name))
    return Play(ONE[discard], take)


def _play(state: State, action: Play) -> Played:
    """Judge a play (rules 2 to 4) and say what it gets."""
    seat, variant = state.seat, state.variant
    hand = state.hands[seat] or b""
    discard, take = action
    check_discard(hand, discard, variant)
    if variant.decks == 2:
        discard = lowest_copies(hand, discard)
    if len(discard) > 1:
        discard = bytes(sorted(discard))
    if take is not None:
        taken = _open_card(state.open, take)
        return _new(Played, (seat, discard, taken, taken, b""))
    if state.closed:
        order = state.chance.order(state.deal, _STREAMS[seat], state.refills)
        return _new(Played, (seat, discard, None, _first(order, state.closed, state.draws[seat]), b""))
    if state.dead:
        order = state.chance.order(state.deal, _STREAMS[seat], state.refills + 1)
        return Played(seat, discard, None, _first(order, state.dead, 0), state.dead)
    raise IllegalAction(IllegalReason.CLOSED_DECK_EMPTY)


def _open_card(open_cards: bytes, name: Card) -> Card:
    """Return the lowest copy of the named card among the open cards."""
    if 0 <= name < NAMES:
        if name in open_cards:
            return name
        if name + NAMES in open_cards:
            return name + NAMES
    raise IllegalAction(IllegalReason.CARD_NOT_OPEN)


def _first(order: Order, closed: bytes, position: int) -> Card:
    """Return the first card of the order, from this position on, that is in the closed deck."""
    cards = order.cards(position + 1)
    while (card := cards[position]) not in closed:
        position += 1
        if position == len(cards):
            cards = order.cards(position + 1)
    return card


def _end_deal(state: State, hands: Sequence[bytes | None], declarer: int | None) -> Events:
    """Score a deal that ends with these hands, in a showdown if nobody declared, and say what follows."""
    variant = state.variant
    totals = tuple([None if hand is None else total(hand) for hand in hands])
    if declarer is None:
        ended = DealEnded(DealEnd.SHOWDOWN, totals, points_of_showdown(totals))
    else:
        ended = DealEnded(DealEnd.DECLARED, totals, points_of_declaration(totals, declarer, variant))
    points = [before + (added or 0) for before, added in zip(state.points, ended.points, strict=True)]
    most = most_points(variant)
    live = tuple([seat for seat, hand in enumerate(hands) if hand is not None and points[seat] <= most])
    ending = ending_of(variant, state.deal, state.seats - hands.count(None), len(live))
    if ending is None:
        return ended, _deal(state, state.deal + 1, turn_order(live, state.starter + 1, state.seats)[0], live)
    knocked_out = state.knocked_out.copy()
    forfeited = state.forfeited.copy()
    for seat, hand in enumerate(hands):
        if hand is not None and seat not in live:
            knocked_out[seat] = state.deal
        elif hand is None and knocked_out[seat] is None:
            forfeited[seat] = True
    return ended, MatchEnded(ending, places(points, knocked_out, forfeited, ending), tuple(points))


def _deal(state: State, deal: int, starter: int, live: tuple[int, ...]) -> Dealt:
    """Deal to the live seats, clockwise from the starter, all the cards of a hand at once; then the upcard."""
    variant, chance = state.variant, state.chance
    hands: list[bytes | None] = [None] * state.seats
    gone = b""
    for seat in turn_order(live, starter, state.seats):
        hands[seat] = hand = _take(chance.order(deal, _STREAMS[seat], 0), gone, variant.hand_size)
        gone += hand
    upcard = _take(chance.order(deal, TABLE, 0), gone, 1)[0] if variant.upcard else None
    return Dealt(deal, starter, tuple(hands), upcard)


def _take(order: Order, gone: bytes, count: int) -> bytes:
    """Return the first `count` cards of the order that are not gone."""
    looked_at = count
    while len(cards := bytes(order.cards(looked_at)).translate(None, gone)) < count:
        looked_at += count - len(cards)
    return cards[:count]
