"""The referee: many tables in flight, one call a process, and every reply judged the moment it is here.

Read `Referee.play` from top to bottom for one turn from question to judgement. A process has at most one call in
flight; when it returns, its replies are applied and each table's next turn joins the queue of the process in that
chair; a process with a queue and no call is asked for all that waits. There is no barrier, so a slow bot delays only
its own tables.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from queue import Empty, SimpleQueue
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

from arena.match.adjudicate import adjudicate
from arena.match.faults import FaultKind, Verdict
from arena.match.limits import Limits, Pace, deadline_s, most_waiting_s, overrun_ms
from arena.match.player import Answer, CallFailure, CallResult, Encoder, Player
from arena.match.record import MatchRecord
from arena.match.table import Chair, Match, Table

PATIENCE_S = 0.1
"""So long a process with few turns waits for more while those with many are asked: each call has its price."""

SLOW_CALL_S = 0.020
"""A call older than this no longer counts against the number of calls in flight: its bot thinks, the core is free."""

MISSES_WITHOUT_BANK = 2
"""After so many missed deadlines in a row a bot's calls get no bank until one is answered in time."""

STARTS_BEFORE_WITHDRAWAL = 2
"""A bot that failed to start so often in a row is withdrawn."""


_NUMBER = attrgetter("number")


class Seating(Protocol):
    """Where the referee finds the process of a chair."""

    def player(self, chair: Chair) -> Player:
        """The player in this chair, made on the first call; its process starts by itself."""
        ...

    def leave(self, chair: Chair) -> None:
        """The chair of a single match is no longer needed."""
        ...


class Finished(NamedTuple):
    """A match that was played; `numbers` are those under which its seats were asked."""

    match: Match
    record: MatchRecord
    numbers: tuple[int, ...]


class Abandoned(NamedTuple):
    """A match that could not be played, because this bot could not be started."""

    match: Match
    bot: bytes
    reason: str


@dataclass(eq=False, slots=True)
class _Desk:
    """What the referee remembers of one player: the turns that wait for it and the call that it has."""

    bot: bytes
    player: Player
    pace: Pace
    waiting: deque[Table] = field(default_factory=deque)
    alone: deque[Table] = field(default_factory=deque)  # turns of a call that failed as a whole
    call: list[Table] = field(default_factory=list)
    since: float = 0.0  # when the call began
    ready: float = 0.0  # since when it could be asked
    failed_starts: int = 0


class Referee:
    """Plays matches with the players of a seating.

    `encoder` makes the encoder of one table for the players at it; `tables` is how many matches are in progress at
    once, `calls` how many calls may be in flight (not counting slow ones and those to remote bots), `draw` gives
    random 64-bit numbers, and `tick` is called whenever a call came back. `noted` is told, before anything follows from
    it, of every fault with its table, and of a call that failed as a whole with all of its tables.
    """

    def __init__(
        self,
        seating: Seating,
        encoder: Callable[[Match], Encoder],
        limits: Limits,
        *,
        tables: int,
        calls: int,
        draw: Callable[[], int],
        tick: Callable[[], None] = lambda: None,
        noted: Callable[[Sequence[Table], Verdict | CallFailure], None] = lambda *_: None,
    ) -> None:
        self._seating = seating
        self._encoder = encoder
        self._limits = limits
        self._tables = tables
        self._calls = calls
        self._draw = draw
        self._tick = tick
        self._noted = noted
        self._desks: WeakKeyDictionary[Player, _Desk] = WeakKeyDictionary()
        self._ready: dict[_Desk, None] = {}  # those with turns and no call, who has waited longest first
        self._ready_remote: dict[_Desk, None] = {}
        self._flying: dict[_Desk, None] = {}
        self._returned: SimpleQueue[tuple[_Desk, CallResult] | Exception] = SimpleQueue()
        self._misses: dict[bytes, int] = {}
        self._unstartable: dict[bytes, str] = {}
        self._playing: dict[Table, tuple[_Desk, ...]] = {}

    def play(self, matches: Iterable[Match | None]) -> Iterator[Finished | Abandoned]:
        """Play `matches`, opened in their order; yields each as it ends.

        A None among them means that there is no further one at the moment: they are asked again as long as something
        is in play.
        """
        waiting = iter(matches)
        while True:
            yield from self._open_tables(waiting)
            self._ask()
            if not self._flying:
                return
            returned = self._next_return()
            if returned is None:
                continue
            self._tick()
            desk, result = returned
            for table in self._judge(desk, result):
                if table.outcome is None:
                    self._queue(table)
                else:
                    self._close(table)
                    yield Finished(table.match, table.record(), table.numbers)
            yield from self._give_up(desk)

    @property
    def tables(self) -> Collection[Table]:
        """The tables in play."""
        return self._playing.keys()

    def fail(self, error: Exception) -> None:
        """Report, from any thread, that the arena itself failed: `play` raises `error`, and nobody is at fault."""
        self._returned.put(error)

    def _open_tables(self, waiting: Iterator[Match | None]) -> Iterator[Abandoned]:
        """Start matches until enough are in progress."""
        while len(self._playing) < self._tables:
            match = next(waiting, None)
            if match is None:
                return
            gone = next((chair.bot for chair in match.chairs if chair.bot in self._unstartable), None)
            if gone is not None:
                yield Abandoned(match, gone, self._unstartable[gone])
                continue
            table = Table(match, self._encoder(match), self._draw)
            self._playing[table] = tuple(self._desk(chair) for chair in match.chairs)
            self._queue(table)

    def _desk(self, chair: Chair) -> _Desk:
        player = self._seating.player(chair)
        desk = self._desks.get(player)
        if desk is None:
            desk = self._desks[player] = _Desk(chair.bot, player, Pace(self._limits))
        return desk

    def _queue(self, table: Table) -> None:
        """The table's next turn waits for the process that sits there."""
        desk = self._playing[table][table.state.seat]
        desk.waiting.append(table)
        if len(desk.waiting) == 1:  # else it is ready already, or will be when its call comes back
            self._make_ready(desk)

    def _make_ready(self, desk: _Desk) -> None:
        """The desk may be asked now, if it has turns and no call."""
        ready = self._ready_remote if desk.player.remote else self._ready
        if desk not in ready and not desk.call and (desk.alone or desk.waiting):
            desk.ready = time.monotonic()
            ready[desk] = None

    def _ask(self) -> None:
        """Ask every process that has turns waiting and no call, as far as calls may be in flight."""
        while self._ready_remote:
            self._call(self._ready_remote.popitem()[0])
        busy = self._young_calls()
        while self._ready and busy < self._calls:
            desk = self._next_desk()
            del self._ready[desk]
            self._call(desk)
            busy += 1

    def _next_desk(self) -> _Desk:
        """The desk with the most turns, unless one has waited too long."""
        oldest = next(iter(self._ready))
        if oldest.ready < time.monotonic() - PATIENCE_S:
            return oldest
        return max(self._ready, key=lambda desk: len(desk.waiting))

    def _take_batch(self, desk: _Desk) -> list[Table]:
        """The turns of the desk's next call: a turn that is asked alone first, else as many as its pace allows."""
        if desk.alone:
            return [desk.alone.popleft()]
        most = min(desk.pace.most, max(1, desk.player.max_batch))
        batch = [desk.waiting.popleft() for _ in range(min(most, len(desk.waiting)))]
        batch.sort(key=_NUMBER)  # the numbers are random, so the order in a batch tells nothing
        return batch

    def _call(self, desk: _Desk) -> None:
        batch = desk.call = self._take_batch(desk)
        banked = self._misses.get(desk.bot, 0) < MISSES_WITHOUT_BANK
        banks = [table.bank_ms if banked else 0.0 for table in batch]
        requests = [table.request(bank) for table, bank in zip(batch, banks, strict=True)]
        returned = self._returned
        desk.since = time.monotonic()
        self._flying[desk] = None
        desk.player.call(
            requests,
            deadline_s(len(batch), self._limits, banks),
            lambda result: returned.put((desk, result)),
            most_s=most_waiting_s(len(batch), self._limits),
        )

    def _young_calls(self) -> int:
        slow = time.monotonic() - SLOW_CALL_S
        return sum(desk.since > slow and not desk.player.remote for desk in self._flying)

    def _next_return(self) -> tuple[_Desk, CallResult] | None:
        """The next call that came back; None when a call grew slow meanwhile, so that another may start."""
        timeout = None
        if self._ready:
            now = time.monotonic()
            ages = (now - desk.since for desk in self._flying if not desk.player.remote)
            oldest_young = max((age for age in ages if age < SLOW_CALL_S), default=0)
            timeout = max(0.001, SLOW_CALL_S - oldest_young)
        try:
            returned = self._returned.get(timeout=timeout)
        except Empty:
            return None
        if isinstance(returned, Exception):
            raise returned
        return returned

    def _judge(self, desk: _Desk, result: CallResult) -> list[Table]:
        """Let the turns of a returned call happen; gives their tables."""
        batch, desk.call = desk.call, []
        del self._flying[desk]
        self._make_ready(desk)
        self._learn(desk, len(batch), result)
        if result.failure is not None and len(batch) > 1:
            # Nobody is struck: the turns are asked again one at a time, and only what fails alone is a fault.
            self._noted(batch, result.failure)
            desk.alone.extend(table for table in batch if table in self._playing)
            self._make_ready(desk)
            return []
        replies = _by_table(result.answers)
        settled = [table for table in batch if table in self._playing]
        micros = round(result.charged_s / len(batch) * 1e6)
        overrun = overrun_ms(result.charged_s, len(batch), self._limits)
        for table in settled:
            verdict = adjudicate(table.state, result.failure, replies.get(table.number, ()))
            if isinstance(verdict, Verdict):
                self._noted((table,), result.failure or verdict)
            table.settle(verdict, micros, overrun)
        return settled

    def _learn(self, desk: _Desk, turns: int, result: CallResult) -> None:
        """What a call says about the player: its pace, its missed deadlines, its failed starts."""
        kind = result.failure.kind if result.failure else None
        if kind is None:
            desk.pace.answered(turns, result.charged_s, desk.player.max_batch)
            self._misses[desk.bot] = 0
        else:
            desk.pace.failed()
        if kind is FaultKind.TIMEOUT:
            self._misses[desk.bot] = self._misses.get(desk.bot, 0) + 1
        desk.failed_starts = desk.failed_starts + 1 if kind is FaultKind.NOT_STARTED else 0
        if desk.failed_starts >= STARTS_BEFORE_WITHDRAWAL and result.failure is not None:
            self._unstartable[desk.bot] = result.failure.reason

    def _give_up(self, desk: _Desk) -> Iterator[Abandoned]:
        """When the desk's bot could not be started: every match with it, wherever its turn waits."""
        reason = self._unstartable.get(desk.bot)
        if reason is None:
            return
        lost = [table for table in self._playing if any(chair.bot == desk.bot for chair in table.match.chairs)]
        for other in {other for table in lost for other in self._playing[table]}:
            other.waiting = deque(table for table in other.waiting if table not in lost)
            other.alone = deque(table for table in other.alone if table not in lost)
            if not other.alone and not other.waiting:
                self._ready.pop(other, None)
                self._ready_remote.pop(other, None)
        for table in lost:
            self._close(table)
            yield Abandoned(table.match, desk.bot, reason)

    def _close(self, table: Table) -> None:
        del self._playing[table]
        for chair in table.match.chairs:
            if chair.match:
                self._seating.leave(chair)


def _by_table(answers: Sequence[Answer]) -> Mapping[int, tuple[Answer, ...]]:
    """All answers to a table under its number: one, if the bot is as it should be."""
    replies = {answer.table: (answer,) for answer in answers}
    if len(replies) == len(answers):
        return replies
    return {number: tuple(answer for answer in answers if answer.table == number) for number in replies}
