"""Each step finds what it is there for, with the turn that shows it, and says nothing of a bot that plays well."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any

from arena.bots.conformance.asking import MOST_FAILED
from arena.bots.conformance.checking import Check
from arena.bots.conformance.corners import TURNS, fixed_turns
from arena.bots.conformance.findings import Finding, Step, StepReport
from arena.game.actions import Action, Play
from arena.game.cards import parse_cards
from arena.match.faults import FaultKind
from arena.match.player import CallResult, Question
from tests.arena_bots.conformance.answering import (
    Answering,
    Reply,
    answered,
    described,
    failing,
    greedy,
    players,
    well,
)


def whole(*replies: Reply, until: Step = Step.BATCH, **more: Any) -> dict[Step, StepReport]:
    """The steps of a check; the last one only where it matters, since it measures for a while."""
    reports: dict[Step, StepReport] = {}
    for report in Check(players(*replies, **more), "fox", "1", idle_s=0.0).whole():
        reports[report.step] = report
        if report.step is until:
            break
    return reports


def findings(reports: dict[Step, StepReport]) -> list[tuple[Step, Finding]]:
    return [(step, finding) for step, report in reports.items() for finding in report.findings]


def lightest(question: Question) -> Action:
    """Another legal action than that of greedy, most often."""
    seen = question.observation
    take = None if seen.public.may_take_closed else seen.public.open[0]
    return Play(seen.hand[:1], take)


def test_a_bot_that_plays_well_passes_without_a_word() -> None:
    reports = whole(well, until=Step.SPEED)
    assert findings(reports) == []
    assert list(reports) == [Step.START, Step.DESCRIBE, Step.TURNS, Step.ORDER, Step.BATCH, Step.IDLE, Step.SPEED]
    assert reports[Step.TURNS].figures == {"asked": TURNS, "right": TURNS}
    assert reports[Step.ORDER].figures == {"compared": TURNS, "repeatable": True, "keeps_state": False}
    assert reports[Step.BATCH].figures["different"] == 0


def test_a_bot_that_does_not_start_has_one_error_and_is_asked_nothing() -> None:
    made: list[Answering] = []
    reports = whole(well, not_started="exited with status 3: no luck", made=made)
    ((step, finding),) = findings(reports)
    assert (step, finding.error) == (Step.START, True)
    assert finding.what == "cannot be started: exited with status 3: no luck"
    assert [player.calls for player in made] == [[]]


def test_another_name_or_version_than_the_manifest_s_is_a_warning() -> None:
    (name, version) = whole(well, description=described(name="hen", version="2"))[Step.DESCRIBE].findings
    assert (name.error, name.what) == (False, "Describe gives the name 'hen'")
    assert "'1'" in version.expected


def test_no_name_is_no_other_name() -> None:
    assert whole(well, description=described(name="", version=""))[Step.DESCRIBE].findings == ()


def test_a_fault_in_one_corner_is_told_with_the_turn_that_shows_it() -> None:
    def reply(questions: Sequence[Question]) -> CallResult:
        return answered(questions, lambda one: Play(one.observation.hand[:4], None) if flush(one) else greedy(one))

    def flush(question: Question) -> bool:
        return question.observation.hand == parse_cards("2s 5s 8s Js Ks")

    ((step, finding),) = findings(whole(reply))
    assert (step, finding.error) == (Step.TURNS, True)
    assert finding.what.startswith("'a flush': ILLEGAL_ACTION (NOT_A_SET): it throws 2s 5s 8s Js and takes an unseen")
    assert [turn.name for turn in finding.turns] == ["a flush"]


def test_alike_faults_are_told_once() -> None:
    ((step, finding),) = findings(whole(lambda questions: answered(questions, lambda _: Play(b"", None))))
    assert step is Step.TURNS
    assert f"and {TURNS - 1} more: ILLEGAL_ACTION (EMPTY_DISCARD)" in finding.what


def test_a_fault_that_only_an_impossible_turn_shows_is_a_warning() -> None:
    def closed(question: Question) -> Action:
        action = greedy(question)
        return action._replace(take=None) if isinstance(action, Play) else action

    ((_, finding),) = findings(whole(lambda questions: answered(questions, closed)))
    assert not finding.error
    assert "CLOSED_DECK_EMPTY" in finding.what
    assert "only a warning" in finding.expected


def test_a_bot_whose_every_call_fails_is_not_asked_for_ever() -> None:
    made: list[Answering] = []
    reports = whole(lambda _: failing(FaultKind.TIMEOUT), made=made)
    ((step, finding),) = findings(reports)
    assert step is Step.TURNS
    assert finding.error
    assert finding.said == "its last words"
    assert [len(player.calls) for player in made] == [MOST_FAILED]


def test_answers_that_depend_on_what_was_asked_before_are_state() -> None:
    def forgetful() -> Reply:
        turns = count()
        return lambda questions: answered(questions, lambda one: lightest(one) if next(turns) == 20 else greedy(one))

    reports = whole(forgetful(), forgetful(), forgetful(), well)
    assert reports[Step.ORDER].figures["keeps_state"]
    ((_, finding),) = findings(reports)
    assert not finding.error
    assert finding.what.startswith("keeps state")


def test_answers_by_chance_are_told_from_state() -> None:
    def lucky(seed: int) -> Reply:
        chance = Random(seed)
        return lambda questions: answered(questions, chance.choice([greedy, lightest]))

    reports = whole(lucky(1), lucky(2), lucky(3), lucky(4))
    assert reports[Step.ORDER].figures == {"compared": TURNS, "repeatable": False, "keeps_state": False}
    ((_, finding),) = findings(reports)
    assert "choice_seed" in finding.expected
    assert not finding.error


def test_other_answers_in_a_batch_are_a_warning_with_the_call_that_shows_them() -> None:
    def reply(questions: Sequence[Question]) -> CallResult:
        return answered(questions, lightest if len(questions) > 1 else greedy)

    ((step, finding),) = findings(whole(reply))
    assert (step, finding.error) == (Step.BATCH, False)
    assert "answers differ in a call of 50 turns" in finding.what
    assert len(finding.turns) == TURNS


def test_a_batch_in_which_only_the_first_turn_is_answered_is_an_error() -> None:
    ((step, finding),) = findings(whole(lambda questions: answered(questions[:1], greedy)))
    assert (step, finding.error) == (Step.BATCH, True)
    assert "in a call of 50 turns, and 48 more: BAD_REPLY (NO_ANSWER)" in finding.what


def test_a_batch_that_fails_as_a_whole_is_one_error() -> None:
    def reply(questions: Sequence[Question]) -> CallResult:
        return failing(FaultKind.CRASHED, "exited with status 1") if len(questions) > 1 else well(questions)

    ((step, finding),) = findings(whole(reply))
    assert step is Step.BATCH
    assert finding.what == "a call of 50 turns: CRASHED (exited with status 1)"


def test_a_call_carries_no_more_turns_than_the_bot_takes() -> None:
    made: list[Answering] = []
    assert findings(whole(well, description=described(max_batch=7), made=made)) == []
    assert max(made[-1].calls) == 7


def test_turns_that_take_longer_than_the_limit_are_an_error_and_are_asked_alone() -> None:
    made: list[Answering] = []
    reports = whole(lambda questions: answered(questions, greedy, elapsed_s=0.6), until=Step.SPEED, made=made)
    ((step, finding),) = findings(reports)
    assert (step, finding.error) == (Step.SPEED, True)
    assert "half of its turns take 600 ms or more" in finding.what
    assert {call for player in made for call in player.calls} == {1}


def test_one_slow_turn_is_a_warning() -> None:
    first = fixed_turns()[0].name
    slow = count()

    def reply(questions: Sequence[Question]) -> CallResult:
        return answered(questions, greedy, elapsed_s=0.001 if next(slow) else 0.7)

    ((step, finding),) = findings(whole(reply, until=Step.SPEED))
    assert (step, finding.error) == (Step.SPEED, False)
    assert finding.what == f"'{first}' took 700.0 ms"


def test_the_quick_check_finds_faults_in_one_process() -> None:
    made: list[Answering] = []
    check = Check(players(lambda questions: answered(questions[:1], greedy), made=made))
    reports = list(check.quick())
    assert [report.step for report in reports] == [Step.START, Step.DESCRIBE, Step.TURNS, Step.BATCH]
    assert reports[-1].failed
    assert len(made) == 1


def test_what_a_bot_does_when_it_is_left_alone_is_found_at_the_next_call() -> None:
    calls = count()

    def reply(questions: Sequence[Question]) -> CallResult:
        fallen = failing(FaultKind.CRASHED, "memory", "memory: 812 MB of 512, between two calls")
        return fallen if next(calls) == TURNS * 2 + 2 else well(questions)

    ((step, finding),) = findings(whole(reply, until=Step.IDLE))
    assert (step, finding.error) == (Step.IDLE, True)
    assert finding.what.endswith("CRASHED (memory): 812 MB of 512, between two calls")
