"""Scripted players for the referee's tests: they answer at once, from a function, and can fail in every way."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from arena.game.actions import Action, Declare, Play
from arena.game.cards import VALUE, total
from arena.game.discards import legal_discards
from arena.game.history import PublicEvent
from arena.game.variant import Variant
from arena.game.view import Observation, PublicView
from arena.match.faults import FaultKind
from arena.match.limits import Limits
from arena.match.player import Answer, CallFailure, CallResult, Question
from arena.match.record import DealRecord, MatchRecord
from arena.match.referee import Abandoned, Finished, Referee
from arena.match.table import Chair, Match

Choose = Callable[[Question], Action]
Reply = Callable[[Sequence[Question]], CallResult]

SHORT = Variant(threshold=0, deal_cap=3)

BOTS = tuple(bytes([letter]) * 32 for letter in b"ABCDEFGHIJ")


def greedy(question: Question) -> Action:
    """Throws the most, takes a cheap open card, declares at five."""
    seen, hand = question.observation.public, question.observation.hand
    if seen.may_declare and total(hand) <= 5:
        return Declare()
    discard = max(legal_discards(hand, seen.variant), key=total)
    cheapest = min(seen.open, key=lambda card: VALUE[card], default=None)
    take = cheapest if cheapest is not None and VALUE[cheapest] <= 4 else None
    return Play(discard, take)


def answer(question: Question, action: Action) -> Answer:
    return Answer(question.table, question.turn, action, "")


def answered(questions: Sequence[Question], choose: Choose = greedy, elapsed_s: float = 0.001) -> CallResult:
    return CallResult(tuple(answer(question, choose(question)) for question in questions), None, elapsed_s)


def failed(kind: FaultKind, reason: str = "", elapsed_s: float = 0.001) -> CallResult:
    return CallResult((), CallFailure(kind, reason), elapsed_s)


@dataclass(eq=False)
class Scripted:
    """A player whose calls are answered by `reply`; it keeps what it was asked."""

    reply: Reply = answered
    max_batch: int = 64
    remote: bool = False
    calls: list[list[Question]] = field(default_factory=list)
    deadlines: list[float] = field(default_factory=list)
    bounds: list[float] = field(default_factory=list)
    later: list[Callable[[], None]] | None = None
    closed: bool = False

    def call(
        self, requests: Sequence[Any], deadline_s: float, done: Callable[[CallResult], None], *, most_s: float = 0.0
    ) -> None:
        self.calls.append(list(requests))
        self.deadlines.append(deadline_s)
        self.bounds.append(most_s)
        if self.later is None:
            done(self.reply(requests))
        else:
            self.later.append(lambda: done(self.reply(requests)))

    def conclude(self, request: bytes) -> None:
        raise AssertionError("the referee concludes nothing")

    def close(self) -> None:
        self.closed = True


class Asking:
    """In place of an encoder: scripted players understand questions."""

    def begin_deal(self, public: PublicView, bots: tuple[str, ...]) -> None:
        self.public, self.bots = public, bots

    def add(self, event: PublicEvent) -> None:
        self.public = self.public._replace(events=(*self.public.events, event))

    def ask(self, *parts: Any) -> Question:
        seat, hand, *seen = parts[-1]
        fields = zip(("open", "closed_count", "may_take_closed", "may_declare"), seen, strict=True)
        return Question._make((*parts[:-1], Observation(self.public._replace(**dict(fields)), seat, hand), self.bots))


class Room:
    """A seating of scripted players, one a chair."""

    def __init__(self, make: Callable[[Chair], Scripted] = lambda _: Scripted()) -> None:
        self.make = make
        self.players: dict[Chair, Scripted] = {}

    def player(self, chair: Chair) -> Scripted:
        if chair not in self.players:
            self.players[chair] = self.make(chair)
        return self.players[chair]

    def leave(self, chair: Chair) -> None:
        self.players[chair].close()

    def of(self, bot: bytes) -> list[Scripted]:
        return [player for chair, player in self.players.items() if chair.bot == bot]


def referee(room: Room, limits: Limits | None = None, tables: int = 64, calls: int = 8, start: int = 1) -> Referee:
    numbers = itertools.count(start)
    make: Any = lambda _: Asking()  # noqa: E731
    return Referee(room, make, limits or Limits(), tables=tables, calls=calls, draw=lambda: next(numbers))


def play(room: Room, matches: Sequence[Match], **options: Any) -> list[Finished | Abandoned]:
    return list(referee(room, **options).play(matches))


def match(block: int, rotation: int = 0, seats: int = 3, variant: Variant = SHORT, **limits: int) -> Match:
    bots = [BOTS[(seat + rotation) % seats] for seat in range(seats)]
    chairs = tuple(Chair(bot, 0, rotation) for bot in bots)
    return Match(bytes([block]) * 32, rotation, variant, Limits(**limits), chairs, bytes([block + 100]) * 32)  # type: ignore[arg-type]


def room_with(bot: bytes, reply: Callable[[Sequence[Question]], CallResult], **options: int) -> Room:
    """A room in which one bot answers by `reply` and the others play well."""
    return Room(lambda chair: Scripted(reply, **options) if chair.bot == bot else Scripted())  # type: ignore[arg-type]


def only(ends: Sequence[Finished | Abandoned]) -> MatchRecord:
    (end,) = ends
    assert isinstance(end, Finished)
    return end.record


def faults_of(record: MatchRecord, bot: bytes) -> list[tuple[FaultKind, str, int]]:
    seat = record.seats.index(bot)
    return [tuple(turn.fault) for turn in record.turns() if turn.fault and turn.seat == seat]  # type: ignore[misc]


def records(ends: Sequence[Finished | Abandoned]) -> set[MatchRecord]:
    return {end.record for end in ends if isinstance(end, Finished)}


def untimed(found: set[MatchRecord]) -> set[MatchRecord]:
    """The records without what was measured."""

    def without(deal: DealRecord) -> DealRecord:
        return replace(deal, turns=tuple(turn._replace(micros=0) for turn in deal.turns))

    return {replace(record, deals=tuple(map(without, record.deals))) for record in found}
