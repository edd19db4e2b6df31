"""`ProcessPlayer`: the match's port to a player, filled by a bot's process and the connection to it.

One thread a player does all that may block: starting, calling, ending. What a call brings is told apart here, in the
order of `arena.match.faults`: no process, a dead one, a missed deadline, an unreadable reply, a refusal.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from queue import SimpleQueue
from time import monotonic

from arena.bots.errors import StartError
from arena.bots.idle import ALLOWED_SHARE, Idleness
from arena.bots.launcher import BotProcess, Launcher, PreparedBot
from arena.bots.ring import Line, OutputRing, printable
from arena.bots.watchdog import Exceeded
from arena.match.faults import FaultKind
from arena.match.player import Answer, CallFailure, CallResult
from arena.wire.client import PROTOCOL_VERSION, BotClient, CallError, CallErrorKind, Description
from arena.wire.codec import add_legal_discards, encode_turns

DEATH_WAIT_S = 0.2
"""A broken connection is seen a moment before the death that broke it."""

LOOK_EVERY_S = 0.02
"""How often a handshake looks whether the process still lives."""

KEPT_RINGS = 4
"""Outputs of the latest processes that a player keeps."""


class ProcessPlayer:
    """One process in one chair, replaced after a missed deadline or a crash.

    `failed` is called, in place of a call's `done`, with an error of the arena's own (no memory, no descriptors, a full
    disk): that is nobody's fault and voids what was being played. `noted` is told of every start: what was wrong with
    it ("" for nothing) and what the process printed.
    """

    def __init__(
        self,
        bot: PreparedBot,
        launcher: Launcher,
        failed: Callable[[Exception], None],
        noted: Callable[[str, str], None] = lambda *_: None,
    ) -> None:
        self._bot = bot
        self._launcher = launcher
        self._failed = failed
        self._noted = noted
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._closing = threading.Event()
        self._process: BotProcess | None = None
        self._client: BotClient | None = None
        self._idleness: Idleness | None = None
        self._stopped_for = ""
        self._description: Description | None = None
        self._batches = True
        self.exceeded: Exceeded | None = None
        """The limit that a process of it exceeded last, with the figures, which are its author's alone."""
        self._not_started = ""
        self._calls = 0
        self._rings: deque[OutputRing] = deque(maxlen=KEPT_RINGS)
        self._thread = threading.Thread(target=self._run, name=f"player {bot.manifest.name}", daemon=True)
        self._thread.start()

    @property
    def max_batch(self) -> int:
        """The most turns that the bot takes in one call; known after its first start, 1 until then."""
        return self._description.max_batch if self._description and self._batches else 1

    @property
    def remote(self) -> bool:
        """A process of this machine never is."""
        return False

    @property
    def stopped_for(self) -> str:
        """Why it is stopped between calls, as "used 63 % of a core between calls"; "" while it is not."""
        return self._stopped_for

    @property
    def description(self) -> Description | None:
        """What the bot said of itself at its latest start; None before the first."""
        return self._description

    @property
    def output(self) -> list[Line]:
        """What the latest processes printed, oldest first."""
        return [line for ring in list(self._rings) for line in ring.lines()]

    def last_output(self) -> str:
        """What the latest process printed last, a line each, of bounded size."""
        return self._rings[-1].last() if self._rings else ""

    def prepare(self, done: Callable[[], None] = lambda: None) -> None:
        """Start the process ahead of the first call, then call `done`; a failure is reported by that first call."""
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
        """End the process: asked by SIGTERM when it is idle, killed when it is in a call; returns when all is freed."""
        self.begin_close()
        self._thread.join()

    def begin_close(self) -> None:
        """Ask for the end without waiting for it."""
        self._closing.set()
        self._jobs.put(None)
        process = self._process
        if process is not None and process.output.during:  # in a call, which may take long
            process.kill()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception as error:  # a job must not take the thread, and with it the table, along
                self._end()
                self._failed(error)
        self._end(self._launcher.limits.shutdown_ms / 1000)

    def _prepare(self, done: Callable[[], None]) -> None:
        self._not_started = self._start()
        done()

    def _call(
        self, requests: tuple[bytes, ...], deadline_s: float, most_s: float, done: Callable[[CallResult], None]
    ) -> None:
        problem, self._not_started = self._not_started, ""
        problem = problem or self._start()
        process, client = self._process, self._client
        if problem or process is None or client is None:
            done(CallResult((), CallFailure(FaultKind.NOT_STARTED, problem, output=self.last_output()), 0.0))
            return
        self._calls += 1
        process.output.during = f"call {self._calls}, turns: {len(requests)}"
        if self._closing.is_set():  # looked at after `during` is set, so that either side sees the other
            process.kill()
        if self._description is not None and self._description.wants_legal_discards:
            requests = tuple(map(add_legal_discards, requests))
        self._wake()
        result = self._ask(process, client, requests, deadline_s, most_s)
        self._rest()
        if result.failure is not None:
            result = result._replace(failure=result.failure._replace(output=process.output.last()))
        process.output.during = ""
        done(result)
        if self._process is None and not self._closing.is_set():
            self._not_started = self._start()  # replaced at once, on the arena's time

    def _ask(
        self, process: BotProcess, client: BotClient, requests: tuple[bytes, ...], deadline_s: float, most_s: float
    ) -> CallResult:
        """Make the call and see what came of it; afterwards the process is gone, unless it can go on."""
        deadlines = self._launcher.deadlines
        watch = deadlines.begin(process.pid, deadline_s, most_s, client.expire)
        try:
            answers, elapsed_s = self._take_turns(client, requests)
        except CallError as error:
            elapsed_s = client.elapsed_s
            waited_s = min(deadlines.end(watch), elapsed_s)
            failure = self._failure(process, error)
            if len(requests) > 1:  # its turns are asked again one at a time, and of a new process
                self._end()
            return CallResult((), failure, elapsed_s, waited_s)
        waited_s = min(deadlines.end(watch), elapsed_s)
        if watch.missed:  # it answered in the very moment in which its connection was cut
            self._end()
        return CallResult(answers, None, elapsed_s, waited_s)

    def _take_turns(self, client: BotClient, requests: tuple[bytes, ...]) -> tuple[tuple[Answer, ...], float]:
        """The answers to all requests and the seconds that they took; one by one of a bot that takes no batches."""
        if len(requests) > 1 and self._batches:
            try:
                return client.take_turns(encode_turns(requests), None), client.elapsed_s
            except CallError as error:
                if error.kind is not CallErrorKind.UNIMPLEMENTED:
                    raise
                self._batches = False
        answers: tuple[Answer, ...] = ()
        elapsed_s = 0.0
        for request in requests:
            answers += client.take_turn(request, None)
            elapsed_s += client.elapsed_s
        return answers, elapsed_s

    def _wake(self) -> None:
        """Before a call: let a stopped bot go on, and see what it did since the last one."""
        if self._idleness is None:
            return
        share = self._idleness.call_begins()
        if share is not None and share > ALLOWED_SHARE and not self._stopped_for:
            self._stopped_for = f"used {share:.0%} of a core between calls".replace("%", " %")
            self._idleness.stopping = True

    def _rest(self) -> None:
        """After a call, unless it ended the process."""
        if self._idleness is not None:
            self._idleness.call_ended()

    def _failure(self, process: BotProcess, error: CallError) -> CallFailure:
        """The verdict on a call without a reply; a process that cannot go on is ended here."""
        exceeded = None
        if (died := _died(process, error)) or error.kind is CallErrorKind.DEADLINE:
            exceeded = process.exceeded()
        if died or exceeded:
            reason = exceeded.limit if exceeded else process.how_it_ended()
            self.exceeded = exceeded or self.exceeded
            self._end()
            return CallFailure(FaultKind.CRASHED, reason)
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
        if self._client is None or self._description is None or not self._description.wants_conclude:
            return
        self._wake()
        try:
            self._client.conclude(request, self._launcher.limits.conclude_ms / 1000)
        except CallError as error:
            if error.kind is CallErrorKind.DEADLINE:  # what it still does would be charged to its next turn
                self._end()
        self._rest()

    def _start(self) -> str:
        """Have a process that answers; "" or why there is none."""
        if self._process is not None and self._process.gone():
            self._end()
        if self._process is not None:
            return ""
        until = monotonic() + self._launcher.limits.start_ms / 1000
        ring = OutputRing()
        self._rings.append(ring)
        try:
            self._process = self._launcher.start(self._bot, ring, self._closing)
            self._client = BotClient(self._process.address.target)
            self._description = _handshake(self._process, self._client, until, self._closing)
        except StartError as error:
            self._end()
            if not self._closing.is_set():
                self._noted(printable(str(error)), ring.last())
            return printable(error.reason)
        self._noted("", ring.last())
        self._idleness = Idleness(self._process.pid, stopping=bool(self._stopped_for))
        return ""

    def _end(self, grace_s: float = 0.0) -> None:
        client, self._client = self._client, None
        process, self._process = self._process, None
        idleness, self._idleness = self._idleness, None
        if idleness is not None and grace_s > 0:
            idleness.resume()  # one that is stopped could not end by itself
        if client is not None:
            client.close()
        if process is not None:
            process.end(grace_s)


def close_players(players: Iterable[ProcessPlayer]) -> None:
    """Close many players at once, so that their bots' shutdowns pass side by side."""
    closing = list(players)
    for player in closing:
        player.begin_close()
    for player in closing:
        player.close()


def _died(process: BotProcess, error: CallError) -> bool:
    """Whether the process is gone; after a broken connection it is given a moment to be."""
    return process.gone(DEATH_WAIT_S if error.kind is CallErrorKind.UNAVAILABLE else 0.0)


def _handshake(process: BotProcess, client: BotClient, until: float, cancelled: threading.Event) -> Description:
    """Ask for the description until the monotonic time `until`.

    Raises `StartError`, at once when the process dies or `cancelled` is set meanwhile.
    """
    over = threading.Event()

    def watch() -> None:
        while not over.wait(LOOK_EVERY_S):
            if cancelled.is_set() or process.gone():
                client.close()
                return

    watcher = threading.Thread(target=watch, name="handshake", daemon=True)
    watcher.start()
    try:
        description = client.describe(max(0.001, until - monotonic()))
    except CallError as error:
        if _died(process, error):
            words = process.output.last_words()
            raise StartError(f"{process.how_it_ended()} before it answered Describe", words) from None
        words = f" {error.detail}{process.output.last_words()}"
        raise StartError(f"did not answer Describe: {error.kind.value}", words) from None
    finally:
        over.set()
        watcher.join()
    if PROTOCOL_VERSION not in description.protocol_versions:
        spoken = ", ".join(map(str, description.protocol_versions))
        raise StartError(f"speaks protocol {spoken}, but this arena speaks {PROTOCOL_VERSION}")
    return description
