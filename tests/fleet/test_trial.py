"""Quick matches of one bot: its faults are found with the turns that show them, those of others are nobody's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import pytest

from arena.bots.conformance import Finding, StepReport, judge, read_question
from arena.bots.conformance.interview import Tally
from arena.fleet.trial import MATCHES, Contestant, play_trial
from arena.game.actions import Play
from arena.match.faults import FaultKind
from arena.match.player import CallResult, Question
from tests.arena_bots.conformance.answering import Answering, Reply, answered, failing, players, well

OTHERS = [Contestant("hen", players(well)), Contestant("hare", players(well))]
LONG_S = 60.0


def trial(
    reply: Reply, seconds: float = LONG_S, made: list[Answering] | None = None, fresh: bool = False
) -> StepReport:
    return play_trial(Contestant("fox", players(reply, made=made), fresh), OTHERS, Tally(), seconds, calls=2)


def only(report: StepReport) -> Finding:
    (finding,) = report.findings
    return finding


def test_a_bot_that_plays_well_plays_all_matches_in_one_process() -> None:
    made: list[Answering] = []
    report = trial(well, made=made)
    assert report.findings == ()
    assert report.figures["matches"] == MATCHES
    assert report.figures["turns"] == sum(made[0].calls)
    assert [player.closed for player in made] == [True]


def test_the_same_matches_are_played_each_time() -> None:
    assert trial(well).figures == trial(well).figures


def test_a_bot_that_wants_it_has_a_new_process_for_each_match() -> None:
    made: list[Answering] = []
    assert trial(well, made=made, fresh=True).findings == ()
    assert len(made) == MATCHES
    assert all(player.closed for player in made)


def test_a_fault_is_told_with_the_turn_in_which_it_was() -> None:
    turns = count()

    def reply(questions: Sequence[Question]) -> CallResult:
        return answered(questions, lambda _: Play(b"", None)) if next(turns) == 20 else well(questions)

    finding = only(trial(reply))
    assert finding.error
    assert "ILLEGAL_ACTION (EMPTY_DISCARD)" in finding.what
    question = read_question(finding.turns[0].request)
    assert judge(question, well([question])).fault is None


def test_a_call_of_many_turns_that_fails_is_told_apart_from_the_faults_that_follow() -> None:
    report = trial(lambda questions: failing(FaultKind.CRASHED, "gone") if len(questions) > 1 else well(questions))
    assert "CRASHED (gone)" in only(report).what
    assert len(only(report).turns) > 1
    assert report.figures["faults"] == 0


def test_what_others_do_wrong_is_not_told() -> None:
    others = [Contestant("hen", players(lambda questions: answered(questions, lambda _: Play(b"", None))))]
    assert play_trial(Contestant("fox", players(well)), others, Tally(), LONG_S, calls=2).findings == ()


def test_an_opponent_that_cannot_be_started_is_named() -> None:
    others = [Contestant("hen", players(lambda _: failing(FaultKind.NOT_STARTED, "no luck")))]
    finding = only(play_trial(Contestant("fox", players(well)), others, Tally(), LONG_S, calls=2))
    assert (finding.error, finding.what) == (False, "hen cannot be started here: no luck")


def test_a_bot_that_cannot_be_started_again_is_an_error() -> None:
    findings = trial(lambda _: failing(FaultKind.NOT_STARTED, "no luck")).findings
    assert all(finding.error for finding in findings)
    assert findings[-1].what == "it could not be started again: no luck"


@pytest.mark.parametrize("reply", [well, lambda _: failing(FaultKind.TIMEOUT)])
def test_a_trial_ends_in_its_time(reply: Reply) -> None:
    report = trial(reply, seconds=0.0)
    assert report.figures["matches"] == 0
    assert report.findings[-1].what == "0 of 10 quick matches ended in 0 s"
