"""What the referee makes of time: banks, deadlines, and how many calls are in flight."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from arena.match.faults import FaultKind
from arena.match.limits import Limits
from arena.match.player import CallResult, Question
from arena.match.table import Chair, Match
from tests.match.players import (
    BOTS,
    SHORT,
    Room,
    Scripted,
    answered,
    failed,
    faults_of,
    match,
    only,
    play,
    referee,
    room_with,
)


def test_time_beyond_the_turn_limit_comes_out_of_the_bank_and_an_answer_is_never_a_timeout() -> None:
    times = iter([1.5, 9.0, 0.2] + [0.001] * 1000)
    room = room_with(BOTS[0], lambda questions: answered(questions, elapsed_s=next(times)))
    record = only(play(room, [match(0)]))
    banks = [question.bank_ms for call in room.of(BOTS[0])[0].calls for question in call]
    assert faults_of(record, BOTS[0]) == []
    assert banks[:4] == [10_000, 9_000, 500, 500]


def test_what_a_bot_waited_for_a_core_costs_no_bank_and_no_time() -> None:
    times = iter([CallResult((), None, 2.5, waited_s=1.9), CallResult((), None, 0.3, waited_s=0.1)])

    def reply(questions: Sequence[Question]) -> CallResult:
        return next(times, CallResult((), None, 0.001))._replace(answers=answered(questions).answers)

    room = room_with(BOTS[0], reply)
    play(room, [match(0)])
    asked = [question for call in room.of(BOTS[0])[0].calls for question in call]
    assert [question.bank_ms for question in asked[:3]] == [10_000, 9_900, 9_900]
    assert [question.last_latency_us for question in asked[:3]] == [0, 600_000, 200_000]


def test_waiting_may_move_the_deadline_by_ten_turn_limits() -> None:
    room = Room()
    play(room, [match(0)])
    assert room.of(BOTS[0])[0].bounds[0] == pytest.approx(5.0)


def test_a_call_of_many_turns_that_misses_its_deadline_charges_no_bank() -> None:
    def reply(questions: Sequence[Question]) -> CallResult:
        return failed(FaultKind.TIMEOUT, elapsed_s=60.0) if len(questions) > 1 else answered(questions)

    room = room_with(BOTS[0], reply)
    play(room, [match(block) for block in range(8)])
    (player,) = room.of(BOTS[0])
    assert max(map(len, player.calls)) > 1
    assert {call[0].bank_ms for call in player.calls if len(call) == 1} <= {10_000, 0}


def test_after_a_failed_call_turns_are_asked_one_at_a_time() -> None:
    script = iter(["answer", "answer", "answer", "fail"])

    def reply(questions: Sequence[Question]) -> CallResult:
        fail = next(script, "answer") == "fail"
        return failed(FaultKind.CRASHED) if fail else answered(questions)

    room = room_with(BOTS[0], reply)
    play(room, [match(block) for block in range(16)])
    sizes = [len(call) for call in room.of(BOTS[0])[0].calls]
    lost = sizes[3]
    assert lost > 1
    assert sizes[4] == 1


def test_no_more_calls_are_in_flight_than_there_are_cores_not_counting_remote_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.match.referee.SLOW_CALL_S", 3600.0)
    for remote, most in ((False, 2), (True, 6)):
        held: list[Callable[[], None]] = []
        room = Room(lambda _, remote=remote, held=held: Scripted(later=held, remote=remote))  # type: ignore[misc]
        judge = referee(room, calls=2)
        for number in range(6):
            list(judge._open_tables(iter([pair(number)])))
        judge._ask()
        assert len(held) == most


def test_a_call_grown_slow_leaves_its_core_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[Callable[[], None]] = []
    judge = referee(Room(lambda _: Scripted(later=held)), calls=1)
    list(judge._open_tables(iter([pair(0), pair(1)])))
    monkeypatch.setattr("arena.match.referee.SLOW_CALL_S", 3600.0)
    judge._ask()
    assert len(held) == 1
    monkeypatch.setattr("arena.match.referee.SLOW_CALL_S", 0.0)
    judge._ask()
    assert len(held) == 2


def pair(number: int) -> Match:
    """A match of two chairs that no other such match has."""
    plain = match(number, seats=2)
    chairs = tuple(Chair(chair.bot, number, 0) for chair in plain.chairs)
    return Match(plain.block_id, 0, SHORT, Limits(), chairs, plain.seed)


def test_a_bank_stops_at_nothing() -> None:
    times = iter([60.0] + [0.001] * 1000)
    room = room_with(BOTS[0], lambda questions: answered(questions, elapsed_s=next(times)))
    play(room, [match(0)])
    player = room.of(BOTS[0])[0]
    assert player.calls[1][0].bank_ms == 0
    assert player.deadlines[1] == pytest.approx(0.52)


def test_what_a_turn_took_is_told_with_the_next_one() -> None:
    times = iter([0.0021] + [0.001] * 1000)
    room = room_with(BOTS[0], lambda questions: answered(questions, elapsed_s=next(times)))
    play(room, [match(0)])
    asked = [question.last_latency_us for call in room.of(BOTS[0])[0].calls for question in call]
    assert asked[:3] == [0, 2100, 1000]


def test_after_two_missed_deadlines_in_a_row_there_is_no_bank_until_one_is_answered_in_time() -> None:
    script = iter(["miss", "miss", "answer", "answer"])

    def reply(questions: Sequence[Question]) -> CallResult:
        missed = next(script, "answer") == "miss"
        return failed(FaultKind.TIMEOUT, elapsed_s=0.7) if missed else answered(questions)

    room = room_with(BOTS[0], reply)
    play(room, [match(0)])
    player = room.of(BOTS[0])[0]
    banks = [call[0].bank_ms for call in player.calls[:4]]
    assert banks == [10_000, 9_800, 0, 9_600]
    assert player.deadlines[2] == pytest.approx(0.52)
