"""What an answer is worth: the referee's own verdict on it, what was wrong in words, and what was expected."""

from __future__ import annotations

from typing import NamedTuple

from arena.analysis.policies import Greedy
from arena.game.actions import Action, Declare
from arena.game.cards import card_name, card_names
from arena.game.errors import IllegalAction, IllegalReason
from arena.game.legality import check_action
from arena.match.adjudicate import read_answer
from arena.match.faults import FaultKind, Verdict
from arena.match.player import CallResult, Question

EXPECTED = {
    FaultKind.NOT_STARTED: "a process that starts again whenever the last one is gone",
    FaultKind.CRASHED: "an answer of a process that goes on",
    FaultKind.TIMEOUT: "an answer within the time of the turn",
    FaultKind.REFUSED: "an answer, not an error status",
    FaultKind.STALE_TURN: "the `turn` of the question in the answer",
    FaultKind.BAD_REPLY: "a TakeTurnResponse of at most 128 KiB",
}
"""What was expected in place of a fault, unless its reason tells more."""

EXPECTED_BY_REASON = {
    "NO_ANSWER": "one answer to each question, with its `table`",
    "TWO_ANSWERS": "one answer to each question, with its `table`",
    "NO_ACTION": "an answer with `play` or `declare` set",
    "NO_TAKE": "a play with `closed` or `open` set",
    "UNKNOWN_CARD": "cards with numbers from 1 to 52",
}


class Judgement(NamedTuple):
    """One answer judged: what the bot wants to do, if that can be read, and its fault, if it is one.

    `detail` is more about the fault, partly in the bot's own words.
    """

    action: Action | None
    fault: Verdict | None
    detail: str = ""


def judge(question: Question, result: CallResult) -> Judgement:
    """Judge what a call brought for one of its questions, as the referee would."""
    answers = [answer for answer in result.answers if answer.table == question.table]
    action = read_answer(question.turn, result.failure, answers)
    if isinstance(action, Verdict):
        readable = answers[0].action if len(answers) == 1 else None
        return Judgement(readable, action, result.failure.detail if result.failure else "")
    try:
        check_action(question.observation, action)
    except IllegalAction as error:
        return Judgement(action, Verdict(FaultKind.ILLEGAL_ACTION, error.reason.value))
    return Judgement(action, None)


def done(action: Action) -> str:
    """An action in words: `throws 7s 7h and takes 9c`."""
    if isinstance(action, Declare):
        return "declares"
    discard = card_names(action.discard) or "nothing"
    return f"throws {discard} and takes {'an unseen card' if action.take is None else card_name(action.take)}"


def fault_words(fault: Verdict) -> str:
    """A fault as it is called everywhere, with its reason: `CRASHED (exited with status 1)`."""
    return f"{fault.kind.value} ({fault.reason})" if fault.reason else fault.kind.value


def rule_words(fault: Verdict) -> str:
    """The rule that an action breaks, in words; "" for other faults."""
    return str(IllegalAction(IllegalReason[fault.reason])) if fault.kind is FaultKind.ILLEGAL_ACTION else ""


def expected(question: Question, fault: Verdict) -> str:
    """What was expected in place of a fault."""
    if fault.kind is FaultKind.ILLEGAL_ACTION:
        return f"a legal action, for example one that {done(Greedy()(question.observation))}"
    return EXPECTED_BY_REASON.get(fault.reason, EXPECTED[fault.kind])
