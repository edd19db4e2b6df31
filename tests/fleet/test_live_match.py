"""A person at the table: asked as a bot is, but without a clock, and never told what its seat must not know."""

from __future__ import annotations

import threading

import pytest

from arena.fleet.live_match import LiveMatch, Moment, Over, TableLeft, Watched, YourTurn
from arena.game.actions import Action, Declare, Play
from arena.game.cards import total
from arena.game.discards import legal_discards
from arena.game.errors import IllegalAction, IllegalReason
from arena.game.events import Dealt, Played
from arena.game.view import Observation, observe
from arena.match.faults import FaultKind
from arena.match.playback import play_back
from arena.match.player import CallFailure
from tests.fleet.seated import Room


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(monkeypatch)


def sensible(seen: Observation) -> Action:
    if seen.public.may_declare and total(seen.hand) <= 6:
        return Declare()
    return Play(max(legal_discards(seen.hand, seen.public.variant), key=total), None)


def play_on(live: LiveMatch) -> list[Moment]:
    """Play the person's turns sensibly until the end."""
    moments = [live.next()]
    while not isinstance(moments[-1], Over):
        if isinstance(moments[-1], YourTurn):
            live.act(sensible(moments[-1].seen))
        moments.append(live.next())
    return moments


def referees() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "referee"]


@pytest.mark.parametrize("person", [0, 2])
def test_every_moment_is_what_the_persons_seat_may_know_at_that_turn(room: Room, person: int) -> None:
    with room.match(person=person) as live:
        *moments, over = play_on(live)
    assert isinstance(over, Over)
    expected: list[Moment] = []
    for step in play_back(over.record):
        state = step.state
        if isinstance(step.event, Dealt | Played):  # somebody is to act
            mine = state.seat == person
            seen = observe(state, person)
            expected.append(YourTurn(seen, state.turn) if mine else Watched(seen, state.seat))
    assert moments == expected


def test_a_person_has_no_clock_and_no_strikes(room: Room) -> None:
    with room.match(turn_ms=1, bank_ms=0, strikes=1) as live:
        over = play_on(live)[-1]
    assert isinstance(over, Over)
    own = [turn for turn in over.record.turns() if turn.seat == 0]
    assert len(own) > 3
    assert {(turn.micros, turn.fault) for turn in own} == {(0, None)}


def test_what_the_rules_forbid_is_refused_with_the_reason_and_the_turn_stays(room: Room) -> None:
    with room.match() as live:
        moment = live.next()
        assert isinstance(moment, YourTurn)
        with pytest.raises(IllegalAction) as error:
            live.act(Declare())
        assert error.value.reason is IllegalReason.DECLARE_ON_FIRST_TURN
        live.act(sensible(moment.seen))
        assert isinstance(live.next(), Watched)


def test_the_same_seed_and_moves_give_the_same_match(room: Room) -> None:
    ends = []
    for _ in range(2):
        with room.match() as live:
            ends.append(play_on(live)[-1])
    first, second = (end.record for end in ends if isinstance(end, Over))
    assert (first.points, [deal.hands for deal in first.deals]) == (
        second.points,
        [deal.hands for deal in second.deals],
    )


def test_leaving_in_the_middle_leaves_nothing_running(room: Room) -> None:
    with room.match() as live:
        live.next()
        assert referees()
    assert referees() == []
    assert len(room.players) == 2
    assert all(player.closed for player in room.players)


def test_whoever_waits_for_a_moment_hears_that_the_table_was_left(room: Room) -> None:
    live = room.match()
    live.next()
    live.close()
    with pytest.raises(TableLeft):
        live.next()


def test_a_bots_faults_cost_the_bot_and_not_the_match(room: Room) -> None:
    room.failure = CallFailure(FaultKind.CRASHED, "exited with status 1")
    with room.match(seats=2) as live:
        over = play_on(live)[-1]
    assert isinstance(over, Over)
    assert [turn.fault.kind for turn in over.record.turns() if turn.fault] == [FaultKind.CRASHED] * 3
    assert over.record.places == (1, 2)


def test_a_failure_of_the_arena_is_told_where_the_match_is_shown(room: Room) -> None:
    def broken(_: object) -> Action:
        raise OSError("no room")

    room.choose = broken
    with room.match(person=1) as live, pytest.raises(OSError, match="no room"):
        live.next()
        live.next()
