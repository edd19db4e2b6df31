import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.bots.credentials import Credentials
from arena.bots.remote import Access, parse_address
from arena.fleet.engine import BlockJob, Job, Outcome, OutcomeKind, Progress, SlotSetup
from arena.fleet.frames import (
    ROOM,
    error_frame,
    job_head,
    progress_frame,
    read_frame,
    read_job,
    read_report,
    read_setup,
    result_frame,
    setup_head,
    write_frame,
)
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits
from arena.tournament.draw import DrawnMatch
from arena.tournament.habits import Habit, HabitCount
from arena.tournament.ports import BlockResult, BotEvent, BotEventKind, MatchResult, SeatResult

A, B, SEED, BLOCK = (bytes([letter]) * 32 for letter in b"ABSX")
JOB = Job((BlockJob(BLOCK, 2, (DrawnMatch((A, B), SEED), DrawnMatch((B, A), SEED))),))
GUARDED = Access(parse_address("grpcs://[::1]:5000"), Credentials("PEM\n", "certificate", "key", "token"))
SETUP = SlotSetup(
    Variant(decks=2, threshold=0, deal_cap=4),
    Limits(turn_ms=90),
    ProcessLimits(1, 2, 3),
    {A: Path("a b"), B: GUARDED},
    12,
    2,
    7,
    1,
)

EVENTS = (
    BotEvent(A, BotEventKind.STARTED, datetime(2026, 1, 2, 3, 4, 5, 678000, UTC)),
    BotEvent(
        B, BotEventKind.FAULT, datetime(2026, 1, 2, tzinfo=UTC), "REFUSED", "why", "Δ \x1b[31m\nred", BLOCK, 1, 17
    ),
)


def through(head: dict[str, object], blob: bytes = b"") -> io.BytesIO:
    stream = io.BytesIO()
    write_frame(stream, head, blob)
    stream.seek(0)
    return stream


def test_a_setup_and_a_job_survive_the_pipe() -> None:
    setup, job = read_frame(through(setup_head(SETUP))), read_frame(through(job_head(JOB)))
    assert setup is not None and read_setup(setup.head) == SETUP
    assert job is not None and read_job(job.head) == JOB


def test_a_result_survives_the_pipe_with_its_records_apart() -> None:
    seats = (SeatResult(A, 1, 3, 0, False), SeatResult(B, 2, 60, 3, True))
    habits = ((HabitCount(Habit.HELD, 7, 2), HabitCount(Habit.TIME, 50, 88)), ())
    matches = (
        MatchResult(0, SEED, b"first", 4, 90, seats, habits),
        MatchResult(1, BLOCK, b"the second", 5, 99, seats, habits),
    )
    result = BlockResult(BLOCK, 2, matches)
    frame = read_frame(through(*result_frame(result, EVENTS)))
    assert frame is not None
    assert read_report(frame, "w", alone=True) == Outcome(BLOCK, 2, OutcomeKind.OK, "w", True, result, events=EVENTS)


@pytest.mark.parametrize("bot", [None, A])
def test_an_error_names_its_reason_and_the_bot_that_could_not_be_started(bot: bytes | None) -> None:
    frame = read_frame(through(*error_frame(JOB.blocks[0], "no socket", bot, EVENTS)))
    assert frame is not None
    report = read_report(frame, "w", alone=False)
    assert report == Outcome(BLOCK, 2, OutcomeKind.ERROR, "w", False, None, "no socket", bot, EVENTS)


def test_signs_of_life_and_the_end_of_a_job_are_told_apart() -> None:
    assert read_report(progress_frame(7), "w", alone=True) == Progress(7)
    assert read_report(ROOM, "w", alone=True) is None


def test_a_stream_that_ends_in_the_middle_of_a_frame_has_ended() -> None:
    whole = through(job_head(JOB), b"blob").getvalue()
    for size in range(len(whole)):
        assert read_frame(io.BytesIO(whole[:size])) is None
