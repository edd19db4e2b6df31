"""From what came back of a call to what happens at one table: the order of verdicts, written once."""

from __future__ import annotations

from collections.abc import Sequence

from arena.game.actions import Action
from arena.game.errors import IllegalAction
from arena.game.events import Events
from arena.game.rules import decide
from arena.game.state import State
from arena.match.faults import FaultKind, Verdict
from arena.match.player import Answer, CallFailure


def adjudicate(state: State, failure: CallFailure | None, answers: Sequence[Answer]) -> Events | Verdict:
    """The events of the bot's own action, or the fault that takes their place.

    `answers` are those of the call that named this table. Whether the rules allow an action is judged last.
    """
    action = read_answer(state.turn, failure, answers)
    if isinstance(action, Verdict):
        return action
    try:
        return decide(state, action)
    except IllegalAction as error:
        return Verdict(FaultKind.ILLEGAL_ACTION, error.reason.value)


def read_answer(turn: int, failure: CallFailure | None, answers: Sequence[Answer]) -> Action | Verdict:
    """What the bot wants to do on this turn, or the fault that takes its place, before anybody looks at the rules.

    First what happened to the call, then whether there is exactly one answer that can be read, then whether it is to
    this turn.
    """
    if failure is not None:
        return Verdict(failure.kind, failure.reason)
    if len(answers) != 1:
        return Verdict(FaultKind.BAD_REPLY, "NO_ANSWER" if not answers else "TWO_ANSWERS")
    answer = answers[0]
    if answer.action is None:
        return Verdict(FaultKind.BAD_REPLY, answer.problem)
    if answer.turn != turn:
        return Verdict(FaultKind.STALE_TURN, f"answered turn {answer.turn}")
    return answer.action
