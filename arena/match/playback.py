"""A recorded match, event by event, with the state as each event left it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.game.actions import Declare
from arena.game.chance import NoChance
from arena.game.events import DealEnd, DealEnded, Dealt, Declared, Event, Forfeited, MatchEnded, Played
from arena.game.history import PastDeal
from arena.game.rules import evolve
from arena.game.scoring import declaration_holds
from arena.game.state import State
from arena.game.variant import Variant
from arena.match.record import MatchRecord, TurnRecord


class Step(NamedTuple):
    """An event, the recorded turn behind it (None when nobody acted), the open cards before it, and the state after.

    The state is one object that the next step changes.
    """

    event: Event
    turn: TurnRecord | None
    open: bytes
    state: State


class Verdict(NamedTuple):
    """What a declaration came to: the total of the seat that declared, the lowest other one and whose it is."""

    declarer: int
    own: int
    rival: int
    lowest: int
    holds: bool


def verdict(past: PastDeal, variant: Variant) -> Verdict | None:
    """Return what became of a declaration; None for a deal that ended otherwise."""
    if past.end is not DealEnd.DECLARED or past.declarer is None:
        return None
    lowest, rival = min(
        (sum_, seat) for seat, sum_ in enumerate(past.totals) if sum_ is not None and seat != past.declarer
    )
    own = past.totals[past.declarer]
    assert own is not None
    return Verdict(past.declarer, own, rival, lowest, declaration_holds(own, lowest, variant))


def play_back(record: MatchRecord) -> Iterator[Step]:
    """Yield what happened from the first deal to the end of the match; the record brings every card."""
    state = State(record.variant, len(record.seats), NoChance())
    for number, deal in enumerate(record.deals):
        yield _step(state, Dealt(number, deal.starter, deal.hands, deal.upcard))
        for turn in deal.turns:
            yield _step(state, _event(state, turn), turn)
        yield _step(state, DealEnded(deal.end, deal.totals, deal.points))
    yield _step(state, MatchEnded(record.ending, record.places, record.points))


def _step(state: State, event: Event, turn: TurnRecord | None = None) -> Step:
    before = state.open
    evolve(state, (event,))
    return Step(event, turn, before, state)


def _event(state: State, turn: TurnRecord) -> Event:
    """What a turn did; a record does not repeat which cards were refilled, since only one moment allows it."""
    if isinstance(turn.action, Declare):
        return Declared(turn.seat)
    if turn.action is None:
        return Forfeited(turn.seat)
    assert turn.card is not None
    discard, take = turn.action
    refilled = state.dead if take is None and not state.closed else b""
    return Played(turn.seat, discard, take, turn.card, refilled)
