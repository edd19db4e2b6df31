"""What the reference thinks of turns, worked out when somebody asks: one at a time, with few waiting, and kept."""

from __future__ import annotations

from collections.abc import Callable
from threading import BoundedSemaphore, Lock
from typing import NamedTuple, TypeVar

from arena.analysis.evaluation import Estimate
from arena.analysis.explain import WORLDS, Z_95, Judgement, foremost, is_level
from arena.game.actions import Play
from arena.game.cards import Card, by_rank
from arena.match.explaining import ExplainedTurn, explained, seen_turns
from arena.match.record import MatchRecord
from arena.web.latest import Latest
from arena.web.refusal import Refusal

MOST_KEPT = 2_000
MOST_WAITING = 8
"""So many readers may wait for an explanation, each in a thread of the server; others are asked to come again."""

OPTIONS = 10
"""So many actions of a turn are shown."""


HINTS = 3
"""So many are told in a hint."""

Key = TypeVar("Key")
Value = TypeVar("Value")


class Option(NamedTuple):
    """An action of a turn as a page shows it: `thrown` as a player holds it, None for a declaration.

    Half widths are those of 95 % intervals.
    """

    thrown: bytes | None
    take: Card | None
    points: float
    points_half_width: float
    loss: float
    loss_half_width: float
    is_best: bool
    is_chosen: bool


class Explanations:
    """Explanations of recorded turns, and hints for turns to come; safe for threads."""

    def __init__(self, most_waiting: int = MOST_WAITING) -> None:
        self._turns: Latest[tuple[bytes, int], ExplainedTurn] = Latest(MOST_KEPT)
        self._hints: Latest[tuple[str, int], Judgement] = Latest(MOST_KEPT)
        self._at_work = Lock()
        self._waiting = BoundedSemaphore(most_waiting)

    def of(self, record: MatchRecord, digest: bytes, turn: int) -> ExplainedTurn:
        """What is thought of a turn of the match with this digest; 404 where there is none, 503 when too many ask."""
        return self._once(self._turns, (digest, turn), lambda: _explain(record, turn))

    def hint(self, game: str, turn: int, make: Callable[[], Judgement]) -> Judgement:
        """What is thought of a turn that is to come in a game, made by `make`; 503 when too many ask."""
        return self._once(self._hints, (game, turn), make)

    def _once(self, kept: Latest[Key, Value], key: Key, make: Callable[[], Value]) -> Value:
        if (known := kept.get(key)) is not None:
            return known
        if not self._waiting.acquire(blocking=False):
            raise Refusal(503, "too many explanations are being worked out: try again in a moment")
        try:
            with self._at_work:
                made = kept.get(key)
                if made is None:
                    made = make()
                    kept.put(key, made)
                return made
        finally:
            self._waiting.release()


def _explain(record: MatchRecord, turn: int) -> ExplainedTurn:
    at = next((at for at in seen_turns(record) if at.turn == turn), None)
    if at is None:
        raise Refusal(404, "there is no turn %(turn)s in this match", turn=turn)
    return explained(record, at, WORLDS)


def options(judgement: Judgement) -> list[Option]:
    """The best actions of a turn and the one that was chosen."""
    return [_option(one, judgement) for one in foremost(judgement, OPTIONS)]


def _option(one: Estimate, judgement: Judgement) -> Option:
    play = one.action if isinstance(one.action, Play) else None
    return Option(
        thrown=by_rank(play.discard) if play else None,
        take=play.take if play else None,
        points=one.points,
        points_half_width=Z_95 * one.points_error,
        loss=one.loss,
        loss_half_width=Z_95 * one.loss_error,
        is_best=is_level(one),
        is_chosen=one is judgement.chosen,
    )
