"""A live match whose bots are functions in this process, so that a whole match of a person takes a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from arena.fleet import live_match
from arena.fleet.live_match import LiveMatch
from arena.game.actions import Action, Declare, Play
from arena.game.cards import total
from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.match.player import Answer, CallFailure, CallResult
from arena.match.record import PERSON
from arena.sdk import Observation
from arena.wire.v1 import bot_pb2 as pb

Choose = Callable[[Any], Action]

SHORT = Variant(threshold=15)


def careful(seen: Observation) -> Action:
    """Throws the most and declares at eight."""
    if seen.may_declare and seen.total <= 8:
        return Declare()
    return Play(max(seen.legal_discards(), key=total), None if seen.may_take_closed else seen.open[0])


class Seated:
    """A player that answers what it is sent by a function of the observation, or fails."""

    max_batch = 1
    remote = False

    def __init__(self, choose: Choose, failure: CallFailure | None) -> None:
        self.choose = choose
        self.failure = failure
        self.closed = False

    def call(
        self, requests: Sequence[bytes], deadline_s: float, done: Callable[[CallResult], None], *, most_s: float = 0.0
    ) -> None:
        if self.failure is not None:
            done(CallResult((), self.failure, 0.0))
            return
        (request,) = map(pb.TakeTurnRequest.FromString, requests)
        done(CallResult((Answer(request.table, request.turn, self.choose(Observation(request)), ""),), None, 0.001))

    def prepare(self) -> None:
        """It is there already."""

    def begin_close(self) -> None:
        self.closed = True

    def close(self) -> None:
        self.closed = True


class Room:
    """Makes the players of live matches."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.players: list[Seated] = []
        self.choose: Choose = careful
        self.failure: CallFailure | None = None
        monkeypatch.setattr(live_match, "new_player", self._make)

    def _make(self, *_: object) -> Seated:
        self.players.append(Seated(self.choose, self.failure))
        return self.players[-1]

    def match(self, seats: int = 3, person: int = 0, variant: Variant = SHORT, **limits: int) -> LiveMatch:
        digests = [bytes([seat + 1]) * 32 for seat in range(seats)]
        digests[person] = PERSON
        bots: Any = dict.fromkeys(digests)
        return LiveMatch(digests, bots, None, variant, Limits(**limits), bytes(range(32)))  # type: ignore[arg-type]
