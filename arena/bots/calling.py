"""What players of all kinds have in common: a thread that does all that may block, and the verdict on a call.

What a call brings is told apart here, in the order of `arena.match.faults`: nobody there, the other side gone, a missed
deadline, an unreadable reply, a refusal.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from queue import SimpleQueue
from typing import TypeAlias

from arena.bots.deadlines import Deadlines
from arena.bots.errors import StartError
from arena.bots.ring import printable
from arena.match.faults import FaultKind
from arena.match.limits import ProcessLimits
from arena.match.player import Answer, CallFailure, CallResult
from arena.tournament.ports import BotEventKind
from arena.wire.client import PROTOCOL_VERSION, BotClient, CallError, CallErrorKind, Description
from arena.wire.codec import add_legal_discards, encode_turns

BACKSTOP_S = 1.0
"""gRPC itself ends a call so long after its deadline can have moved: nothing waits for ever."""


Noted: TypeAlias = Callable[[BotEventKind, str, str], None]
"""Is told what happened to a bot beside its calls: the kind, the reason in one line, and what was printed."""


class CallingPlayer(ABC):
    """The match's port to a player, over a connection that is made anew after a missed deadline or a crash.

    `failed` is called, in place of a call's `done`, with an error of the arena's own (no memory, no descriptors, a full
    disk): that is nobody's fault and voids what was being played. `noted` is told of every start, with what was wrong
    with it in the bot's words too, and of pauses.
    """

    def __init__(
        self,
        name: str,
        limits: ProcessLimits,
        deadlines: Deadlines,
        failed: Callable[[Exception], None],
        noted: Noted,
    ) -> None:
        self._limits = limits
        self._deadlines = deadlines
        self._failed = failed
        self._noted = noted
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._closing = threading.Event()
        self._client: BotClient | None = None
        self._description: Description | None = None
        self._batches = True
        self._not_started = ""
        self._thread = threading.Thread(target=self._run, name=f"player {name}", daemon=True)
        self._thread.start()

    @property
    def max_batch(self) -> int:
        """The most turns that the bot takes in one call; known after its first start, 1 until then."""
        return self._description.max_batch if self._description and self._batches else 1

    @property
    @abstractmethod
    def remote(self) -> bool:
        """Whether the bot runs on a machine of its own."""

    @property
    def description(self) -> Description | None:
        """What the bot said of itself at its latest start; None before the first."""
        return self._description

    @property
    def wants_conclude(self) -> bool:
        """Whether the bot wants to be told how matches ended."""
        return self._description is not None and self._description.wants_conclude

    @abstractmethod
    def last_output(self) -> str:
        """What the bot printed last, a line each, of bounded size; "" when that is not seen here."""

    def peak_memory(self) -> int:
        """The most bytes that its present process has had in memory; 0 when there is none, or none that is seen here.

        Ask it between calls.
        """
        return 0

    def printed(self) -> tuple[int, int]:
        """How many bytes the latest processes have printed, and how many of them were not kept."""
        return 0, 0

    def prepare(self, done: Callable[[], None] = lambda: None) -> None:
        """Start the bot ahead of the first call, then call `done`; a failure is reported by that first call."""
        self._jobs.put(partial(self._prepare, done))

    def call(
        self, requests: Sequence[bytes], deadline_s: float, done: Callable[[CallResult], None], *, most_s: float = 0.0
    ) -> None:
        """Ask all `requests` (serialised `TakeTurnRequest`s) in one call; `done` is called from the player's thread.

        The deadline is `deadline_s`, moved by what of the call was not the bot's, at most by `most_s`.
        """
        self._jobs.put(partial(self._call, tuple(requests), deadline_s, most_s, done))

    def conclude(self, request: bytes) -> None:
        """Tell the bot how a match ended (a serialised `ConcludeRequest`), if it wants to know and runs."""
        self._jobs.put(partial(self._tell, request))

    def close(self) -> None:
        """End at once what is under way, and return when all is freed."""
        self.begin_close()
        self._thread.join()

    def begin_close(self) -> None:
        """Ask for the end without waiting for it."""
        self._closing.set()
        self._jobs.put(None)
        self._interrupt()

    @abstractmethod
    def _start(self) -> str:
        """Have a client of a bot that answers; "" or why there is none."""

    @abstractmethod
    def _interrupt(self) -> None:
        """From any thread, when `_closing` is set: let a call end that is in flight."""

    @abstractmethod
    def _gone(self, error: CallError) -> CallFailure | None:
        """The verdict CRASHED if a call failed because the other side is gone."""

    @abstractmethod
    def _fallen(self) -> CallFailure | None:
        """The verdict CRASHED if it was stopped for what it did unasked; told once, at the next call.

        What is left of it is ended then.
        """

    @abstractmethod
    def _pid(self) -> int:
        """The process whose waiting for a core moves a deadline; 0 when it is on no core of this machine."""

    @abstractmethod
    def _begin_call(self, turns: int) -> None:
        """Before a call; from now on `_interrupt` ends it."""

    @abstractmethod
    def _end_call(self) -> None:
        """After a call, also one that the connection did not survive."""

    def _end(self, grace_s: float = 0.0) -> None:  # noqa: ARG002  for players that have a process
        """Drop the connection and what belongs to it."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception as error:  # a job must not take the thread, and with it the table, along
                self._end()
                self._failed(error)
        self._end(self._limits.shutdown_ms / 1000)

    def _prepare(self, done: Callable[[], None]) -> None:
        self._not_started = self._start()
        done()

    def _call(
        self, requests: tuple[bytes, ...], deadline_s: float, most_s: float, done: Callable[[CallResult], None]
    ) -> None:
        if (fall := self._fallen()) is not None:
            done(CallResult((), fall._replace(output=self.last_output()), 0.0))
            self._replace()
            return
        problem, self._not_started = self._not_started, ""
        problem = problem or self._start()
        client = self._client
        if problem or client is None:
            done(CallResult((), CallFailure(FaultKind.NOT_STARTED, problem, output=self.last_output()), 0.0))
            return
        if self._description is not None and self._description.wants_legal_discards:
            requests = tuple(map(add_legal_discards, requests))
        self._begin_call(len(requests))
        if self._closing.is_set():  # looked at after the beginning, so that either side sees the other
            self._interrupt()
        result = self._ask(client, requests, deadline_s, most_s)
        if result.failure is not None:
            result = result._replace(failure=result.failure._replace(output=self.last_output()))
        self._end_call()
        done(result)
        self._replace()

    def _replace(self) -> None:
        """Have a new connection at once if there is none, on the arena's time."""
        if self._client is None and not self._closing.is_set():
            self._not_started = self._start()

    def _ask(self, client: BotClient, requests: tuple[bytes, ...], deadline_s: float, most_s: float) -> CallResult:
        """Make the call and see what came of it; afterwards the connection is gone, unless it can go on."""
        watch = self._deadlines.begin(self._pid(), deadline_s, most_s, client.expire)
        try:
            answers, elapsed_s = self._take_turns(client, requests, deadline_s + most_s + BACKSTOP_S)
        except CallError as error:
            elapsed_s = client.elapsed_s
            waited_s = min(self._deadlines.end(watch), elapsed_s)
            failure = self._failure(error)
            if len(requests) > 1:  # its turns are asked again one at a time, and of a new process
                self._end()
            return CallResult((), failure, elapsed_s, waited_s)
        waited_s = min(self._deadlines.end(watch), elapsed_s)
        if watch.missed:  # it answered in the very moment in which its connection was cut
            self._end()
        return CallResult(answers, None, elapsed_s, waited_s)

    def _take_turns(
        self, client: BotClient, requests: tuple[bytes, ...], limit_s: float
    ) -> tuple[tuple[Answer, ...], float]:
        """The answers to all requests and the seconds that they took; one by one of a bot that takes no batches."""
        if len(requests) > 1 and self._batches:
            try:
                return client.take_turns(encode_turns(requests), limit_s), client.elapsed_s
            except CallError as error:
                if error.kind is not CallErrorKind.UNIMPLEMENTED:
                    raise
                self._batches = False
        answers: tuple[Answer, ...] = ()
        elapsed_s = 0.0
        for request in requests:
            answers += client.take_turn(request, limit_s)
            elapsed_s += client.elapsed_s
        return answers, elapsed_s

    def _failure(self, error: CallError) -> CallFailure:
        """The verdict on a call without a reply; a connection that cannot go on is ended here."""
        crash = self._gone(error)
        if crash is not None:
            self._end()
            return crash
        if error.kind is CallErrorKind.DEADLINE:
            self._end()
            return CallFailure(FaultKind.TIMEOUT, "")
        if error.kind is CallErrorKind.UNREADABLE:
            return CallFailure(FaultKind.BAD_REPLY, error.kind.value, printable(error.detail))
        if error.kind is CallErrorKind.UNAVAILABLE:  # it lives, but its connection is of no use any more
            self._end()
        words = error.detail if error.kind is CallErrorKind.STATUS else f"{error.kind.value} {error.detail}"
        return CallFailure(FaultKind.REFUSED, words.partition(" ")[0], printable(words))

    def _tell(self, request: bytes) -> None:
        client = self._client
        if client is not None and self.wants_conclude:
            self._conclude(client, request)

    def _conclude(self, client: BotClient, request: bytes) -> None:
        try:
            client.conclude(request, self._limits.conclude_ms / 1000)
        except CallError as error:
            # What it still does would be charged to its next turn, and so would a connection that is broken.
            if error.kind in (CallErrorKind.DEADLINE, CallErrorKind.UNAVAILABLE):
                self._end()


def close_players(players: Iterable[CallingPlayer]) -> None:
    """Close many players at once, so that their bots' shutdowns pass side by side."""
    closing = list(players)
    for player in closing:
        player.begin_close()
    for player in closing:
        player.close()


def check_protocol(description: Description) -> None:
    """Raise `StartError` when the bot does not speak our protocol."""
    if PROTOCOL_VERSION not in description.protocol_versions:
        spoken = ", ".join(map(str, description.protocol_versions[:10]))
        raise StartError(f"speaks protocol {spoken}, but this arena speaks {PROTOCOL_VERSION}")
