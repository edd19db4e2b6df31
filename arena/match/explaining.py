"""The turns of a recorded match as their seats saw them, each with what the reference thinks of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.analysis.explain import Judgement, judge
from arena.game.actions import Action, Play
from arena.game.cards import NAMES, fold
from arena.game.chance import choice_seed
from arena.game.view import Observation, observe
from arena.match.faults import FaultKind
from arena.match.playback import play_back
from arena.match.record import MatchRecord, TurnRecord


class SeenTurn(NamedTuple):
    """A turn, counted over the match and with its deal, what its seat could know, and what it did.

    `action` is None where the arena acted for the seat, after a `fault`.
    """

    turn: int
    deal: int
    seen: Observation
    action: Action | None
    fault: FaultKind | None

    @property
    def seat(self) -> int:
        """Whose turn it was."""
        return self.seen.seat


class ExplainedTurn(NamedTuple):
    """A turn and what the reference thinks of it; nothing of one that the arena played."""

    at: SeenTurn
    judgement: Judgement | None


def seen_turns(record: MatchRecord) -> Iterator[SeenTurn]:
    """The turns of a match in order."""
    number = 0
    seen: Observation | None = None
    for step in play_back(record):
        if step.turn is not None and seen is not None:
            fault = step.turn.fault
            yield SeenTurn(number, seen.public.deal, seen, _named(step.turn), fault and fault.kind)
            number += 1
        seen = observe(step.state, step.state.seat)


def explained(record: MatchRecord, at: SeenTurn, worlds: int) -> ExplainedTurn:
    """What the reference thinks of a turn: the same each time, since its chance follows from the match's."""
    if at.action is None:
        return ExplainedTurn(at, None)
    seed = choice_seed(record.seed, at.deal, at.seat, at.turn)
    return ExplainedTurn(at, judge(at.seen, at.action, seed, worlds))


def hint(seen: Observation, match_seed: bytes) -> Judgement:
    """What the reference thinks of all that a seat may do on its turn, the same whenever it is asked."""
    public = seen.public
    return judge(seen, None, choice_seed(match_seed, public.deal, seen.seat, len(public.events)))


def _named(turn: TurnRecord) -> Action | None:
    """What the bot did; a record holds cards, actions name them."""
    if turn.fault is not None or not isinstance(turn.action, Play):
        return None if turn.fault is not None else turn.action
    discard, take = turn.action
    return Play(fold(discard), None if take is None else take % NAMES)
