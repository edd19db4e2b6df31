"""Whole tournaments played in memory by seats that draw their moves, for tests that need real exports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import Any, cast

from arena.game.actions import Declare, Play
from arena.game.cards import total
from arena.game.chance import SeededChance
from arena.game.events import DealEnded, Dealt, Ending, Events, MatchEnded, Played
from arena.game.rules import decide, decide_forfeit, evolve, legal_actions, new_match, substitute
from arena.game.state import State
from arena.game.variant import Crossing, Finish, Variant
from arena.match.faults import Fault, FaultKind
from arena.match.limits import Limits
from arena.match.record import DealRecord, MatchRecord, TurnRecord
from arena.tournament.draw import draw_block
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.export import export_line, match_json
from arena.tournament.formats import plan
from arena.tournament.ports import PlannedBlock, Tournament

SECRET = bytes(range(32))


CONTRARY = Variant(
    decks=2,
    hand_size=6,
    upcard=False,
    mixed_pairs=True,
    tie_holds=False,
    threshold=20,
    crossing=Crossing.REACH,
    finish=Finish.FIRST_OUT,
)
"""Nearly all that may be chosen otherwise than in the standard game."""


@dataclass(frozen=True)
class Manners:
    """How the seats play: the total at which they declare, and how often they are at fault."""

    declare_at: int = 12
    fault_rate: float = 0.0


CAREFUL = Manners()


def bots(count: int) -> tuple[Entry, ...]:
    """Entries with names in one order and digests in another."""
    return sort_entries(Entry(f"bot{n}", "1.0", bytes([11 * (count - n)]) * 32) for n in range(count))


def tournament(entries: tuple[Entry, ...], seats: int, variant: Variant, **changes: Any) -> Tournament:
    opened = Tournament(
        id="cup",
        name="Cup",
        format="round-robin",
        seats=seats,
        deals=1,
        variant=variant,
        limits=Limits(),
        secret=SECRET,
        beacon="",
        beacon_text="",
        entries=sort_entries(entries),
        sandbox="none",
        opened=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return replace(opened, **changes)


def export(cup: Tournament, manners: Manners = CAREFUL, *, running: bool = False, attempt: int = 1) -> list[str]:
    """All matches of a tournament, played and exported."""
    lines = []
    for block in plan(cup.format, cup.entries, cup.seats, cup.deals, cup.variant, cup.limits, cup.options):
        for record in play_block(cup, block, manners, attempt):
            lines.append(export_line(match_json(record, cup, block.number, attempt, reveal_secret=not running)))
    return lines


def play_block(cup: Tournament, block: PlannedBlock, manners: Manners, attempt: int = 1) -> Iterator[MatchRecord]:
    for rotation, (seats, seed) in enumerate(draw_block(cup, block, attempt)):
        yield play(
            MatchRecord(block.block_id, rotation, cup.variant, cup.limits, seats, seed, (), (), (), Ending.DEAL_CAP),
            manners,
        )


def play(match: MatchRecord, manners: Manners) -> MatchRecord:
    """Play a match that has no deals yet."""
    state = new_match(match.variant, len(match.seats), SeededChance(match.seed, match.variant.decks))
    rng = Random(match.seed + bytes([match.rotation]))
    strikes = [0] * len(match.seats)
    deals, turns = [], []
    dealt = cast(Dealt, state.dealt)
    while state.outcome is None:
        fault = rng.random() < manners.fault_rate
        strikes[state.seat] += fault
        turn, events = _turn(state, manners, rng, strikes[state.seat] if fault else 0, match.limits.strikes)
        turns.append(turn)
        evolve(state, events)
        for event in events:
            if isinstance(event, DealEnded):
                hands = (dealt.starter, dealt.hands, dealt.upcard)
                deals.append(DealRecord(*hands, tuple(turns), event.end, event.totals, event.points))
                turns = []
            elif isinstance(event, Dealt):
                dealt = event
    ended: MatchEnded = state.outcome
    return replace(match, deals=tuple(deals), places=ended.places, points=ended.points, ending=ended.ending)


def _turn(state: State, manners: Manners, rng: Random, strike: int, most: int) -> tuple[TurnRecord, Events]:
    seat, micros = state.seat, rng.randrange(1000)
    fault = Fault(rng.choice(list(FaultKind)), "", strike) if strike else None
    if strike == most:
        return TurnRecord(seat, None, None, fault, micros), decide_forfeit(state)
    action = substitute(state) if fault else _choose(state, manners, rng)
    events = decide(state, action)
    played = events[0]
    if not isinstance(played, Played):
        return TurnRecord(seat, Declare(), None, fault, micros), events
    return TurnRecord(seat, Play(played.discard, played.take), played.card, fault, micros), events


def _choose(state: State, manners: Manners, rng: Random) -> Play | Declare:
    """Declare when low; else mostly the heaviest discard, and any card."""
    if state.may_declare and total(state.hands[state.seat] or b"") <= manners.declare_at:
        return Declare()
    plays = [action for action in legal_actions(state) if isinstance(action, Play)]
    heaviest = max(total(action.discard) for action in plays)
    return rng.choice([action for action in plays if total(action.discard) == heaviest or rng.random() < 0.1])
