"""A player without a process: it answers by a function of the question, and can fail in every way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, cast

from arena.analysis.policies import Greedy
from arena.bots.calling import CallingPlayer, Noted
from arena.bots.conformance.interview import MakePlayer
from arena.bots.conformance.reading import read_question
from arena.game.actions import Action
from arena.match.faults import FaultKind
from arena.match.player import Answer, CallFailure, CallResult, Question
from arena.tournament.ports import BotEventKind
from arena.wire.client import Description

_read = cache(read_question)  # the same fifty, again and again

Reply = Callable[[Sequence[Question]], CallResult]


def described(max_batch: int = 64, name: str = "fox", version: str = "1") -> Description:
    return Description(name, version, (), (1,), max_batch, False, False)


def answered(questions: Sequence[Question], act: Callable[[Question], Action], elapsed_s: float = 0.001) -> CallResult:
    return CallResult(tuple(Answer(one.table, one.turn, act(one), "") for one in questions), None, elapsed_s)


def greedy(question: Question) -> Action:
    return Greedy()(question.observation)


def well(questions: Sequence[Question]) -> CallResult:
    return answered(questions, greedy)


def failing(kind: FaultKind, reason: str = "", detail: str = "") -> CallResult:
    return CallResult((), CallFailure(kind, reason, detail), 0.5)


class Answering:
    """What an interview and a referee need of a player."""

    def __init__(self, reply: Reply, noted: Noted, description: Description, not_started: str) -> None:
        self.description = description
        self.max_batch = description.max_batch
        self.remote = self.closed = False
        self.calls: list[int] = []
        self._reply, self._noted, self._not_started = reply, noted, not_started

    def prepare(self, done: Callable[[], None] = lambda: None) -> None:
        if self._not_started:
            self._noted(BotEventKind.NOT_STARTED, self._not_started, "")
        done()

    def call(
        self, requests: Sequence[bytes], deadline_s: float, done: Callable[[CallResult], None], *, most_s: float = 0.0
    ) -> None:
        self.calls.append(len(requests))
        done(self._reply(list(map(_read, requests))))

    def last_output(self) -> str:
        return "its last words"

    def peak_memory(self) -> int:
        return 50 << 20

    def printed(self) -> tuple[int, int]:
        return 100, 0

    def begin_close(self) -> None:
        self.closed = True

    def close(self) -> None:
        self.closed = True


def players(
    *replies: Reply, description: Description | None = None, not_started: str = "", made: list[Answering] | None = None
) -> MakePlayer:
    """Makes players that answer by the replies, one after the other, and by the last of them for ever."""
    left = list(replies)

    def make(_: Callable[[Exception], None], noted: Noted) -> CallingPlayer:
        reply = left.pop(0) if len(left) > 1 else left[0]
        player = Answering(reply, noted, description or described(), not_started)
        if made is not None:
            made.append(player)
        return cast(CallingPlayer, cast(Any, player))

    return make
