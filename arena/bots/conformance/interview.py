"""An interview: one new process of a bot, asked one call after the other, on the clock of a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import SimpleQueue
from time import monotonic
from typing import Self, TypeAlias

from arena.bots.calling import CallingPlayer, Noted
from arena.bots.conformance.turns import LIMITS
from arena.bots.errors import StartError
from arena.match.faults import FaultKind
from arena.match.limits import Limits, deadline_s, most_waiting_s
from arena.match.player import CallResult
from arena.match.referee import MISSES_WITHOUT_BANK
from arena.tournament.ports import BotEventKind
from arena.wire.client import Description

MakePlayer: TypeAlias = Callable[[Callable[[Exception], None], Noted], CallingPlayer]
"""Makes a player that tells of the arena's own failures and of what happens to the bot; see `CallingPlayer`."""


PATIENT_TURNS = 4
"""A call has the time of so many turns at most, however many it carries."""


class Tally:
    """What the processes of a bot took in a check: the most memory of one, and what all printed, in bytes.

    `paused` says why they were stopped between calls, "" when they were not.
    """

    def __init__(self) -> None:
        self.peak_memory = 0
        self.written = 0
        self.dropped = 0
        self.paused = ""

    def look(self, player: CallingPlayer) -> None:
        """Look at a player between two of its calls."""
        self.peak_memory = max(self.peak_memory, player.peak_memory())

    def close(self, player: CallingPlayer) -> None:
        """Look at a player for the last time, and close it."""
        self.look(player)
        player.close()
        written, dropped = player.printed()
        self.written += written
        self.dropped += dropped

    def note(self, kind: BotEventKind, reason: str, _: str) -> None:
        """Hear what happened to a player's process."""
        if kind is BotEventKind.PAUSED:
            self.paused = reason


class Interview:
    """A player that is asked from the calling thread, and closed at the end, looked at by `tally`."""

    def __init__(self, make: MakePlayer, tally: Tally | None = None, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._tally = tally or Tally()
        self._heard: SimpleQueue[CallResult | Exception | None] = SimpleQueue()
        self._not_started: StartError | None = None
        self._misses = 0
        self.player = make(self._heard.put, self._note)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._tally.close(self.player)

    def start(self) -> float:
        """The seconds until the bot had said who it is; raises StartError, with its own last words, when it did not."""
        began = monotonic()
        self.player.prepare(lambda: self._heard.put(None))
        self._next()
        if self._not_started is not None:
            raise self._not_started
        return monotonic() - began

    @property
    def description(self) -> Description:
        """What the bot said of itself when it started."""
        assert self.player.description is not None
        return self.player.description

    def ask(self, requests: Sequence[bytes]) -> CallResult:
        """Ask all of the serialised `TakeTurnRequest`s, which should fit into the time of one, in one call."""
        bank_ms = self._limits.bank_ms if self._misses < MISSES_WITHOUT_BANK else 0
        turns = min(len(requests), PATIENT_TURNS)
        limit_s, most_s = deadline_s(turns, self._limits, [bank_ms]), most_waiting_s(turns, self._limits)
        self.player.call(requests, limit_s, self._heard.put, most_s=most_s)
        result = self._next()
        assert result is not None
        missed = result.failure is not None and result.failure.kind is FaultKind.TIMEOUT
        self._misses = self._misses + 1 if missed else 0
        self._tally.look(self.player)
        return result

    def _next(self) -> CallResult | None:
        heard = self._heard.get()
        if isinstance(heard, Exception):  # the arena's own failure
            raise heard
        return heard

    def _note(self, kind: BotEventKind, reason: str, output: str) -> None:
        self._tally.note(kind, reason, output)
        if kind is BotEventKind.NOT_STARTED:
            self._not_started = StartError(reason, output=output)
