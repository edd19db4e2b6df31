"""One table with a person at it: it plays in a thread of its own, and whoever asks is told how it stands."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice
from threading import Lock, Thread
from time import monotonic
from typing import NamedTuple

from arena.bots.errors import BotError, RunError
from arena.fleet.live_match import LiveMatch, Over, TableLeft, Watched, YourTurn
from arena.game.actions import Action
from arena.game.variant import Variant
from arena.game.view import Observation
from arena.match.record import MatchRecord
from arena.store.errors import StoreError
from arena.store.games import PlayedGame
from arena.web.play.bell import Bell
from arena.web.play.course import Course
from arena.web.replay.frames import Frame

LOG = logging.getLogger(__name__)

MOST_FRAMES = 600
"""So many steps can be told; of more, the first are forgotten."""


class Phase(StrEnum):
    """How a game stands: its bots are got ready, another seat acts, it is the person's turn, or why it has ended."""

    READYING = "readying"
    OTHERS = "others"
    YOURS = "yours"
    OVER = "over"
    FAILED = "failed"
    LEFT = "left"

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will happen."""
        return self in (Phase.OVER, Phase.FAILED, Phase.LEFT)


@dataclass(frozen=True)
class Setup:
    """What is fixed when a person sits down: by seat the bots and what they are called, "" for the person."""

    seats: tuple[bytes, ...]
    names: tuple[str, ...]
    seat: int
    variant: Variant
    seed: bytes


class Now(NamedTuple):
    """How a game stands. `serial` grows with every change, `steps` is how many frames there were.

    `turn` is the number of the person's turn, None while it is not; `reason` says why a game failed, and `is_kept`
    whether it can be looked at again.
    """

    serial: int
    phase: Phase
    steps: int
    seen: Observation | None
    turn: int | None
    reason: str
    is_kept: bool


class Game:
    """A game of `player`; `sit` gets the bots ready and makes the match, `keep` stores it when it is over."""

    def __init__(
        self, name: str, player: bytes, setup: Setup, sit: Callable[[], LiveMatch], keep: Callable[[PlayedGame], None]
    ) -> None:
        self.id = name
        self.player = player
        self.setup = setup
        self.watchers = 0
        self._bell = Bell()
        self._sit = sit
        self._keep = keep
        self._lock = Lock()
        self._now = Now(0, Phase.READYING, 0, None, None, "", is_kept=False)
        self._course = Course()
        self._frames: deque[Frame] = deque(maxlen=MOST_FRAMES)
        self._live: LiveMatch | None = None
        self._is_left = False
        self._deed_s = monotonic()
        self._thread = Thread(target=self._run, name="game", daemon=True)
        self._thread.start()

    @property
    def now(self) -> Now:
        """How it stands at this moment."""
        return self._now

    @property
    def idle_s(self) -> float:
        """How long its person has done nothing."""
        return monotonic() - self._deed_s

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Count whoever follows it, in one event loop, for as long as the `with`."""
        self.watchers += 1
        try:
            yield
        finally:
            self.watchers -= 1

    def touch(self) -> None:
        """Its person is there."""
        self._deed_s = monotonic()

    def frames(self, since: int = 0) -> tuple[Now, tuple[Frame, ...]]:
        """How it stands, and its frames from this number on, as far as they are remembered."""
        with self._lock:
            gone = self._now.steps - len(self._frames)
            return self._now, tuple(islice(self._frames, max(0, since - gone), None))

    async def changed(self, serial: int) -> None:
        """Wait until it stands otherwise than under this number."""
        await self._bell.wait(lambda: self._now.serial != serial)

    async def settled(self, most_s: float) -> None:
        """Wait until it is the person's turn or the game has ended, but no longer than this."""
        await self._bell.wait(lambda: self._now.phase not in (Phase.READYING, Phase.OTHERS), most_s)

    def act(self, turn: int, action: Action) -> bool:
        """Do this on the person's turn with this number; False when that is over. Raises IllegalAction."""
        with self._lock:
            if self._live is None or self._now.turn != turn:
                return False
            self._live.act(action)
            self._change(phase=Phase.OTHERS, turn=None)
        self._bell.ring()
        return True

    def leave(self) -> None:
        """End it, if it goes on, with all its processes; bots that are still being built end with their launcher."""
        with self._lock:
            self._is_left = True
            live = self._live
        if live is not None:
            live.close()
        self._tell(phase=Phase.LEFT, turn=None)

    def join(self, most_s: float) -> None:
        """Wait until its thread has ended."""
        self._thread.join(most_s)

    def _run(self) -> None:
        try:
            with self._sit() as live:
                self._begin(live)
                while not isinstance(moment := live.next(), Over):
                    self._hear(moment)
                self._end(moment.record)
        except TableLeft:
            self._tell(phase=Phase.LEFT, turn=None)
        except RunError as error:
            self._tell(phase=Phase.FAILED, turn=None, reason=error.reason)
        except Exception as error:
            if not self._is_left:
                expected = isinstance(error, BotError | OSError)
                LOG.error("a game with a person failed: %s", error, exc_info=None if expected else error)
            self._tell(phase=Phase.FAILED, turn=None)

    def _begin(self, live: LiveMatch) -> None:
        with self._lock:
            if self._is_left:
                raise TableLeft
            self._live = live

    def _hear(self, moment: Watched | YourTurn) -> None:
        if isinstance(moment, YourTurn):
            phase, turn, acting = Phase.YOURS, moment.turn, self.setup.seat
        else:
            phase, turn, acting = Phase.OTHERS, None, moment.acting
        with self._lock:
            self._frames.extend(frames := self._course.look(moment.seen, acting))
            self._change(phase=phase, steps=self._now.steps + len(frames), seen=moment.seen, turn=turn)
        self._bell.ring()

    def _end(self, record: MatchRecord) -> None:
        """The match is over: it can be looked at again from the moment on at which that is told."""
        setup = self.setup
        try:
            self._keep(PlayedGame(self.id, self.player, datetime.now(UTC), setup.seat, setup.names, record))
            is_kept = True
        except StoreError as error:
            LOG.warning("a game with a person could not be kept: %s", error)
            is_kept = False
        with self._lock:
            self._frames.extend(frames := tuple(self._course.finish(record, setup.seat)))
            self._change(phase=Phase.OVER, steps=self._now.steps + len(frames), turn=None, is_kept=is_kept)
        self._bell.ring()

    def _tell(self, **changes: object) -> None:
        with self._lock:
            if not self._now.phase.has_ended:
                self._change(**changes)
        self._bell.ring()

    def _change(self, **changes: object) -> None:
        self._now = self._now._replace(serial=self._now.serial + 1, **changes)  # type: ignore[arg-type]
