"""An answer is judged as the referee judges it, and what is wrong is said with what was expected."""

from __future__ import annotations

import pytest

from arena.bots.conformance.corners import fixed_turns
from arena.bots.conformance.judging import done, expected, fault_words, judge, rule_words
from arena.bots.conformance.reading import read_question
from arena.game.actions import Action, Declare, Play
from arena.game.cards import parse_card, parse_cards
from arena.game.errors import IllegalReason
from arena.match.faults import FaultKind, Verdict
from arena.match.player import Answer, CallResult
from tests.arena_bots.conformance.answering import answered, failing

QUESTION = read_question(fixed_turns()[0].request)
"""Hand Jc 6d Kd 5h As, open 9h, the first turn of a match."""

ILLEGAL: dict[IllegalReason, Action] = {
    IllegalReason.EMPTY_DISCARD: Play(b"", None),
    IllegalReason.CARD_NOT_HELD: Play(parse_cards("2c"), None),
    IllegalReason.NOT_A_SET: Play(parse_cards("6d 5h"), None),
    IllegalReason.CARD_NOT_OPEN: Play(parse_cards("Kd"), parse_card("2c")),
    IllegalReason.DECLARE_ON_FIRST_TURN: Declare(),
}


@pytest.mark.parametrize("reason", ILLEGAL)
def test_an_illegal_action_is_named_by_the_rule_that_it_breaks(reason: IllegalReason) -> None:
    fault = judge(QUESTION, answered([QUESTION], lambda _: ILLEGAL[reason])).fault
    assert fault == Verdict(FaultKind.ILLEGAL_ACTION, reason.value)
    assert fault is not None
    assert rule_words(fault)
    assert expected(QUESTION, fault) == "a legal action, for example one that throws Jc and takes an unseen card"


def test_an_answer_to_another_turn_is_stale() -> None:
    result = CallResult((Answer(QUESTION.table, 7, Play(parse_cards("Kd"), None), ""),), None, 0.1)
    judgement = judge(QUESTION, result)
    assert judgement.fault == Verdict(FaultKind.STALE_TURN, "answered turn 7")
    assert judgement.action == Play(parse_cards("Kd"), None)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([], "NO_ANSWER"),
        ([Answer(QUESTION.table + 1, 0, Declare(), "")], "NO_ANSWER"),
        ([Answer(QUESTION.table, 0, Declare(), "")] * 2, "TWO_ANSWERS"),
        ([Answer(QUESTION.table, 0, None, "NO_TAKE")], "NO_TAKE"),
        ([Answer(QUESTION.table, 0, None, "UNKNOWN_CARD")], "UNKNOWN_CARD"),
        ([Answer(QUESTION.table, 0, None, "NO_ACTION")], "NO_ACTION"),
    ],
)
def test_an_answer_that_cannot_be_read_has_its_reason(answers: list[Answer], reason: str) -> None:
    fault = judge(QUESTION, CallResult(tuple(answers), None, 0.1)).fault
    assert fault == Verdict(FaultKind.BAD_REPLY, reason)
    assert fault is not None
    assert reason in fault_words(fault)


@pytest.mark.parametrize("kind", FaultKind)
def test_for_each_fault_it_is_said_what_was_expected(kind: FaultKind) -> None:
    reason = IllegalReason.NOT_A_SET.value if kind is FaultKind.ILLEGAL_ACTION else ""
    assert expected(QUESTION, Verdict(kind, reason))


def test_a_failed_call_is_the_fault_of_its_turn_with_the_bot_s_words() -> None:
    judgement = judge(QUESTION, failing(FaultKind.REFUSED, "INTERNAL", "INTERNAL no idea"))
    assert judgement.fault == Verdict(FaultKind.REFUSED, "INTERNAL")
    assert judgement.detail == "INTERNAL no idea"


def test_actions_are_told_in_words() -> None:
    assert done(Declare()) == "declares"
    assert done(Play(parse_cards("7s 7h"), parse_card("9c"))) == "throws 7s 7h and takes 9c"
    assert done(Play(b"", None)) == "throws nothing and takes an unseen card"
