"""What a person sees while a game goes on is what the replay shows through the same eyes afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.game.events import DealEnd, Dealt, Ending, Forfeited, Played
from arena.game.variant import Variant
from arena.game.view import observe
from arena.match.limits import Limits
from arena.match.playback import play_back
from arena.match.record import MatchRecord
from arena.web.play.course import Course
from arena.web.replay.frames import Frame, Kind, deal_frames
from tests.tournament.playing import Manners, play

SEATS = tuple(bytes([number]) * 32 for number in range(1, 5))


def played(variant: Variant, seed: int, fault_rate: float = 0.0) -> MatchRecord:
    begun = MatchRecord(bytes(32), 0, variant, Limits(), SEATS, bytes([seed]) * 32, (), (), (), Ending.DEAL_CAP)
    return play(begun, Manners(fault_rate=fault_rate))


def live(record: MatchRecord, seat: int) -> Iterator[Frame]:
    """The frames for whoever looks before each turn, as a person does while a game goes on."""
    course = Course()
    for step in play_back(record):
        if isinstance(step.event, Dealt | Played | Forfeited):  # somebody is to act
            yield from course.look(observe(step.state, seat), step.state.seat)
    yield from course.finish(record, seat)


def afterwards(record: MatchRecord, seat: int) -> Iterator[Frame]:
    """The same frames without what is only told of a match that is over."""
    for deal in range(len(record.deals)):
        for frame in deal_frames(record, deal, seat):
            yield replace(frame, micros=None, fault=None, seats=tuple(replace(one, clock=None) for one in frame.seats))


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("seed", range(3))
def test_it_is_what_the_replay_shows_through_the_same_eyes(seat: int, seed: int) -> None:
    record = played(Variant(threshold=50), seed)
    assert {deal.end for deal in record.deals} == {DealEnd.DECLARED}
    assert list(live(record, seat)) == list(afterwards(record, seat))


def test_so_it_is_when_others_leave_the_match() -> None:
    record = played(Variant(threshold=100), 5, fault_rate=0.05)
    gone = {turn.seat for turn in record.turns() if turn.action is None}
    seat = min({0, 1, 2, 3} - gone)
    assert gone
    assert list(live(record, seat)) == list(afterwards(record, seat))


def test_a_showdown_is_shown_too() -> None:
    record = played(Variant(threshold=100, lap_cap=3), 1)
    assert DealEnd.SHOWDOWN in {deal.end for deal in record.deals[:-1]}
    ends = [frame for frame in live(record, 0) if frame.kind is Kind.ENDED]
    assert ends == [frame for frame in afterwards(record, 0) if frame.kind is Kind.ENDED]
