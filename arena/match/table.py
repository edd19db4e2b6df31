"""One match in progress: its state, its clocks and strikes, and the record as it grows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from arena.game.actions import Declare, Play
from arena.game.chance import SeededChance, choice_seed
from arena.game.events import DealEnded, Dealt, Declared, Event, Events, Forfeited, MatchEnded, Played
from arena.game.rules import decide, decide_forfeit, evolve, new_match, substitute
from arena.game.variant import Variant
from arena.game.view import own_view, public_view
from arena.match.faults import Fault, Verdict
from arena.match.limits import Limits
from arena.match.player import Encoder
from arena.match.record import DealRecord, MatchRecord, TurnRecord


class Chair(NamedTuple):
    """What one process may be used for, for life: a bot, its copy in the lineup, a rotation.

    A block's hands are the same in every rotation, so no process may sit at two tables of one block. `match` is empty
    but for bots that want a new process for each match.
    """

    bot: bytes
    copy: int
    rotation: int
    match: bytes = b""


@dataclass(frozen=True, slots=True)
class Match:
    """A match to be played: its place in the plan, who sits in which chair, and the seed of its cards."""

    block_id: bytes
    rotation: int
    variant: Variant
    limits: Limits
    chairs: tuple[Chair, ...]
    seed: bytes


class Table:
    """A match in progress. The referee asks for `request`s and hands back `settle`ments; nothing here waits.

    `number` is the one under which the seat to act is asked, `numbers` are those of all seats.
    """

    __slots__ = (
        "_banks_ms",
        "_deal",
        "_deals",
        "_encoder",
        "_latency_us",
        "_names",
        "_strikes",
        "_turns",
        "match",
        "number",
        "numbers",
        "outcome",
        "state",
    )

    def __init__(self, match: Match, encoder: Encoder, draw: Callable[[], int]) -> None:
        """`draw` gives the random 64-bit numbers under which the seats are asked."""
        seats = len(match.chairs)
        self.match = match
        self.state = new_match(match.variant, seats, SeededChance(match.seed, match.variant.decks))
        self.numbers = tuple(draw() for _ in range(seats))
        self.number = self.numbers[self.state.seat]
        self.outcome: MatchEnded | None = None
        self._encoder = encoder
        self._banks_ms = [float(match.limits.bank_ms)] * seats
        self._latency_us = [0] * seats
        self._strikes = [0] * seats
        self._names = tuple(chair.bot.hex() for chair in match.chairs) if match.limits.show_names else ()
        assert self.state.dealt is not None
        self._deal = self.state.dealt
        encoder.begin_deal(public_view(self.state), self._names)
        self._deals: list[DealRecord] = []
        self._turns: list[TurnRecord] = []

    @property
    def bank_ms(self) -> float:
        """Milliseconds that the seat to act has left beyond its turn limits."""
        return self._banks_ms[self.state.seat]

    def request(self, bank_ms: float) -> bytes:
        """The turn as the seat to act is asked, with the bank that it will be granted."""
        state, match = self.state, self.match
        seat, turn = state.seat, state.turn
        return self._encoder.ask(
            self.numbers[seat],
            turn,
            match.limits.turn_ms,
            int(bank_ms),
            self._latency_us[seat],
            choice_seed(match.seed, state.deal, seat, turn),
            own_view(state),
        )

    def settle(self, verdict: Events | Verdict, micros: int, overrun_ms: float) -> None:
        """Let the turn happen: the bot's own events, or after a fault the arena's play or the forfeit.

        The seat is charged `micros` for its part of the call, and its bank, which stops at 0, loses `overrun_ms`.
        """
        state, fault = self.state, None
        self._latency_us[state.seat] = micros
        if overrun_ms:
            self._banks_ms[state.seat] = max(0.0, self._banks_ms[state.seat] - overrun_ms)
        if isinstance(verdict, Verdict):
            fault, verdict = self._strike(verdict)
        evolve(state, verdict)
        if len(verdict) == 1:  # the deal goes on
            self._encoder.add(state.events_of_deal[-1])
        for event in verdict:
            self._write(event, fault, micros)
        if self.outcome is None:
            self.number = self.numbers[state.seat]

    def record(self) -> MatchRecord:
        """The finished match; only there once `outcome` is."""
        assert self.outcome is not None
        match, outcome = self.match, self.outcome
        return MatchRecord(
            block_id=match.block_id,
            rotation=match.rotation,
            variant=match.variant,
            limits=match.limits,
            seats=tuple(chair.bot for chair in match.chairs),
            seed=match.seed,
            deals=tuple(self._deals),
            places=outcome.places,
            points=outcome.points,
            ending=outcome.ending,
        )

    def _strike(self, verdict: Verdict) -> tuple[Fault, Events]:
        state = self.state
        strike = self._strikes[state.seat] = self._strikes[state.seat] + 1
        last = strike >= self.match.limits.strikes
        events = decide_forfeit(state) if last else decide(state, substitute(state))
        return Fault(verdict.kind, verdict.reason, strike), events

    def _write(self, event: Event, fault: Fault | None, micros: int) -> None:
        if isinstance(event, Played):  # nearly all are
            seat, discard, take, card, _ = event
            self._turns.append(TurnRecord(seat, Play(discard, take), card, fault, micros))
            return
        match event:
            case Declared(seat):
                self._turns.append(TurnRecord(seat, Declare(), None, fault, micros))
            case Forfeited(seat):
                self._turns.append(TurnRecord(seat, None, None, fault, micros))
            case DealEnded(end, totals, points):
                dealt = self._deal
                turns, self._turns = tuple(self._turns), []
                self._deals.append(DealRecord(dealt.starter, dealt.hands, dealt.upcard, turns, end, totals, points))
            case Dealt():
                self._deal = event
                self._encoder.begin_deal(public_view(self.state), self._names)
            case MatchEnded():
                self.outcome = event
