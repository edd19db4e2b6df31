"""The port to a player: how the referee asks, without knowing how the other side is reached.

A player is the one process of one chair. It has at most one call in flight; `call` never blocks and reports through a
callback, from any thread. The player starts its process when that is needed, on its own time, and replaces it after a
missed deadline or a crash.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from arena.game.actions import Action
from arena.game.history import PublicEvent
from arena.game.view import Observation, OwnView, PublicView
from arena.match.faults import FaultKind


class Question(NamedTuple):
    """A turn as it is put to a seat: the whole of what the seat may know.

    `table` is a random 64-bit number that stands for this seat of this match, `turn` counts the turns of the match
    from 0; an answer echoes both. `bots` names the bots by seat, empty unless the tournament shows names.
    """

    table: int
    turn: int
    turn_limit_ms: int
    bank_ms: int
    last_latency_us: int
    choice_seed: bytes
    observation: Observation
    bots: tuple[str, ...]


class Encoder(Protocol):
    """Turns what happens at one table into what its players understand, event by event, since most of it repeats."""

    def begin_deal(self, public: PublicView, bots: tuple[str, ...]) -> None:
        """All that is public, with the events of the deal so far; `bots` as in `Question`."""
        ...

    def add(self, event: PublicEvent) -> None:
        """The next public event of the deal."""
        ...

    def ask(
        self,
        table: int,
        turn: int,
        turn_limit_ms: int,
        bank_ms: int,
        last_latency_us: int,
        choice_seed: bytes,
        view: OwnView,
    ) -> bytes:
        """The turn after these events as the seat to act is asked, with the parts of a `Question`."""
        ...


class Answer(NamedTuple):
    """One answer of a call. `action` is None when there was none that could be read; `problem` then says why."""

    table: int
    turn: int
    action: Action | None
    problem: str


class CallFailure(NamedTuple):
    """Why a call failed as a whole: CRASHED, TIMEOUT, BAD_REPLY, REFUSED or NOT_STARTED, and more about it.

    `reason` is in the arena's words and may be seen by all. `detail` and `output` are for the bot's author only: what
    the bot said itself, and what it had printed last.
    """

    kind: FaultKind
    reason: str
    detail: str = ""
    output: str = ""


class CallResult(NamedTuple):
    """What came back from a call.

    `elapsed_s` wraps the call itself, and `waited_s` of it were not the bot's: it waited for a core, or the arena stood
    still. They are looked for only in calls that took long.
    """

    answers: tuple[Answer, ...]
    failure: CallFailure | None
    elapsed_s: float
    waited_s: float = 0.0

    @property
    def charged_s(self) -> float:
        """What the call costs the bot."""
        return self.elapsed_s - self.waited_s


class Player(Protocol):
    """One process in one chair."""

    @property
    def max_batch(self) -> int:
        """The most turns that the bot takes in one call; known after its first start, 1 until then."""
        ...

    @property
    def remote(self) -> bool:
        """Whether the bot runs on a machine of its own, so that its calls take no core of this one."""
        ...

    def call(
        self, requests: Sequence[bytes], deadline_s: float, done: Callable[[CallResult], None], *, most_s: float = 0.0
    ) -> None:
        """Ask all `requests` in one call; `done` is called once, whatever happens.

        The call may take `deadline_s`, and at most `most_s` more for what of it was not the bot's.
        """
        ...

    def conclude(self, request: bytes) -> None:
        """Tell the bot how a match ended, if it wants to know and runs: best effort, never starts a process."""
        ...

    def close(self) -> None:
        """End the process and free what belongs to it."""
        ...
