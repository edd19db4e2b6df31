"""`ProcessPlayer`: the match's port to a player, filled by a bot's process and the connection to it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from time import monotonic

from arena.bots.calling import CallingPlayer, Noted, check_protocol
from arena.bots.errors import StartError
from arena.bots.idle import ALLOWED_SHARE, Idleness
from arena.bots.launcher import BotProcess, Launcher, PreparedBot
from arena.bots.ring import Line, OutputRing, printable
from arena.bots.usage import Exceeded
from arena.match.faults import FaultKind
from arena.match.player import CallFailure
from arena.tournament.ports import BotEventKind
from arena.wire.client import BotClient, CallError, CallErrorKind, Description

DEATH_WAIT_S = 0.2
"""A broken connection is seen a moment before the death that broke it."""

LOOK_EVERY_S = 0.02
"""How often a handshake looks whether the process still lives."""

HANDSHAKE_S = 2.0
"""A bot that listened in time has at least so long to say who it is."""

KEPT_RINGS = 4
"""Outputs of the latest processes that a player keeps."""


class ProcessPlayer(CallingPlayer):
    """One process in one chair, replaced after a missed deadline or a crash.

    Closed when it is idle, the process is asked to end by SIGTERM; in a call it is killed.
    """

    def __init__(
        self,
        bot: PreparedBot,
        launcher: Launcher,
        failed: Callable[[Exception], None],
        noted: Noted = lambda *_: None,
    ) -> None:
        self._bot = bot
        self._launcher = launcher
        self._process: BotProcess | None = None
        self._idleness: Idleness | None = None
        self._stopped_for = ""
        self._fell_for: Exceeded | None = None
        self._calls = 0
        self._rings: deque[OutputRing] = deque(maxlen=KEPT_RINGS)
        super().__init__(bot.manifest.name, launcher.limits, launcher.deadlines, failed, noted)

    @property
    def remote(self) -> bool:
        """A process of this machine never is."""
        return False

    @property
    def stopped_for(self) -> str:
        """Why it is stopped between calls, as "used 63 % of a core between calls"; "" while it is not."""
        return self._stopped_for

    @property
    def output(self) -> list[Line]:
        """What the latest processes printed, oldest first."""
        return [line for ring in list(self._rings) for line in ring.lines()]

    def last_output(self) -> str:
        """What the latest process printed last, a line each, of bounded size."""
        return self._rings[-1].last() if self._rings else ""

    def peak_memory(self) -> int:
        """The most bytes that its present process has had in memory; 0 when there is none."""
        process = self._process
        return process.peak_memory() if process is not None else 0

    def printed(self) -> tuple[int, int]:
        """How many bytes the latest processes have printed, and how many of them were not kept."""
        rings = list(self._rings)
        return sum(ring.written for ring in rings), sum(ring.dropped for ring in rings)

    def _interrupt(self) -> None:
        process = self._process
        if process is not None and process.output.during:  # in a call, which may take long
            process.kill()

    def _pid(self) -> int:
        return self._process.pid if self._process is not None else 0

    def _begin_call(self, turns: int) -> None:
        self._calls += 1
        self._rings[-1].during = f"call {self._calls}, turns: {turns}"
        self._wake()

    def _end_call(self) -> None:
        self._rest()
        self._rings[-1].during = ""

    def _wake(self) -> None:
        """Before a call: let a stopped bot go on, and see what it did since the last one."""
        if self._process is not None:
            self._process.traffic.begin()
        if self._idleness is None:
            return
        share = self._idleness.call_begins()
        if share is not None and share > ALLOWED_SHARE and not self._stopped_for:
            self._stopped_for = f"used {share:.0%} of a core between calls".replace("%", " %")
            self._idleness.stopping = True
            allowed = f"{ALLOWED_SHARE:.0%}".replace("%", " %")
            reason = f"{self._stopped_for}, of which {allowed} are allowed, and is stopped there from now on"
            self._noted(BotEventKind.PAUSED, reason, "")

    def _rest(self) -> None:
        """After a call, unless it ended the process."""
        if self._process is not None:
            self._process.traffic.end()
        if self._idleness is not None:
            self._idleness.call_ended()

    def _gone(self, error: CallError) -> CallFailure | None:
        process = self._process
        if process is None:
            return None
        exceeded = None
        if (died := _died(process, error)) or error.kind is CallErrorKind.DEADLINE:
            exceeded = process.exceeded()
        if exceeded is not None:
            return CallFailure(FaultKind.CRASHED, exceeded.limit, str(exceeded))
        return CallFailure(FaultKind.CRASHED, process.how_it_ended()) if died else None

    def _fallen(self) -> CallFailure | None:
        self._see_end()
        exceeded, self._fell_for = self._fell_for, None
        if exceeded is None:
            return None
        return CallFailure(FaultKind.CRASHED, exceeded.limit, f"{exceeded}, between two calls")

    def _see_end(self) -> None:
        """Clear away a process that is gone since the last call, and take note of why."""
        process = self._process
        if process is None or not process.gone():
            return
        self._fell_for = process.exceeded()
        self._end()
        if self._fell_for is None:
            self._noted(BotEventKind.ENDED, f"{process.how_it_ended()} between two calls", process.output.last())

    def _conclude(self, client: BotClient, request: bytes) -> None:
        process = self._process
        self._wake()
        super()._conclude(client, request)
        self._rest()
        if process is not self._process and process is not None:
            self._fell_for = process.exceeded()

    def _start(self) -> str:
        """Have a process that answers; "" or why there is none."""
        self._see_end()
        if self._process is not None:
            return ""
        ring = OutputRing()
        self._rings.append(ring)
        try:
            with self._launcher.starts.passage(self._closing):
                limit_s = self._launcher.limits.start_ms / 1000
                until = monotonic() + limit_s
                self._process = self._launcher.start(self._bot, ring, self._closing)
                self._client = BotClient(self._process.address.target)
                until = max(until, monotonic() + min(HANDSHAKE_S, limit_s))
                self._description = _handshake(self._process, self._client, until, self._closing)
        except StartError as error:
            self._end()
            if not self._closing.is_set():
                self._noted(BotEventKind.NOT_STARTED, printable(str(error)), ring.last())
            return printable(error.reason)
        self._noted(BotEventKind.STARTED, "", ring.last())
        self._process.traffic.end()
        self._idleness = Idleness(self._process.pid, stopping=bool(self._stopped_for))
        return ""

    def _end(self, grace_s: float = 0.0) -> None:
        process, self._process = self._process, None
        idleness, self._idleness = self._idleness, None
        if idleness is not None and grace_s > 0:
            idleness.resume()  # one that is stopped could not end by itself
        super()._end()
        if process is not None:
            process.end(grace_s)


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
    check_protocol(description)
    return description
