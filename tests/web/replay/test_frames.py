"""What lies on the table after each step: all of it, or what one seat knew then."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from arena.game.cards import DECKS, card_names, fold, parse_cards
from arena.game.events import DealEnd, Ending
from arena.match.faults import FaultKind
from arena.match.limits import Limits
from arena.match.record import MatchRecord
from arena.web.refusal import Refusal
from arena.web.replay.frames import Frame, Kind, Placed, deal_frames
from arena.web.replay.seating import seating
from arena.web.replay.showing import find_moment
from tests.cli.test_render import DEAL, MATCH, TIMEOUT, left_early, played, turn


def cards(placed: tuple[Placed, ...]) -> str:
    return " ".join("??" if one.card is None else card_names(bytes([one.card])) + one.mark[:1] for one in placed)


def every_frame(record: MatchRecord, viewer: int | None = None) -> list[Frame]:
    return [frame for deal in range(len(record.deals)) for frame in deal_frames(record, deal, viewer)]


def test_a_deal_is_its_beginning_its_turns_and_its_end() -> None:
    frames = deal_frames(MATCH, 0, None)
    assert [frame.kind.value for frame in frames] == ["dealt", "played", "played", "played", "declared", "ended"]
    assert [frame.turn for frame in frames] == [None, 0, 1, 2, 3, None]
    first = frames[1]
    assert (cards(first.before), card_names(first.thrown), cards(first.open)) == ("9hd", "7d 7s", "7d 7s")
    assert cards(first.seats[0].cards) == "As 3d 9dn Kc"
    assert (first.seats[0].total, first.seats[0].acts, first.seats[1].is_next) == (23, True, True)
    second = frames[2]
    assert (cards(second.before), second.got, second.is_open_take) == ("7dd 7st", parse_cards("7s")[0], True)
    assert card_names(second.dead) == "7d 9h"
    end = frames[-1]
    assert [(seat.total, seat.added, seat.points, seat.place) for seat in end.seats] == [(23, 0, 0, 1), (24, 21, 21, 2)]
    assert end.ending is Ending.DEAL_CAP
    assert end.verdict is not None and not end.verdict.holds


@pytest.mark.parametrize(("seats", "decks"), [(2, 1), (4, 1), (3, 2)])
def test_every_card_is_in_one_place_and_every_number_is_the_records(seats: int, decks: int) -> None:
    record = played(seats, decks=decks, fault_rate=0.05)
    frames = every_frame(record)
    assert len(frames) == sum(len(deal.turns) + 2 for deal in record.deals)
    for frame in frames:
        seen = frame.dead + bytes(one.card for seat in frame.seats for one in seat.cards if one.card is not None)
        seen += bytes(one.card for one in frame.open if one.card is not None)
        assert len(seen) + frame.closed == 52 * decks
        assert not Counter(seen) - Counter(fold(DECKS[decks]))
    ends = [frame for frame in frames if frame.kind is Kind.ENDED]
    for deal, frame in zip(record.deals, ends, strict=True):
        assert tuple(seat.added for seat in frame.seats) == deal.points
        assert deal.end is DealEnd.FORFEIT or tuple(seat.total for seat in frame.seats) == deal.totals
    assert tuple(seat.points for seat in ends[-1].seats) == record.points
    assert tuple(seat.place for seat in ends[-1].seats) == record.places


def test_a_seat_sees_its_own_hand_and_what_others_took_openly() -> None:
    frames = deal_frames(MATCH, 0, 0)
    assert cards(frames[0].seats[1].cards) == "?? ?? ?? ?? ??"
    assert frames[0].seats[1].total is None
    assert cards(frames[2].seats[1].cards) == "7sn ?? ?? ?? ??"
    assert cards(frames[2].seats[0].cards) == "As 3d 9d Kc"
    assert frames[3].got == parse_cards("Th")[0]
    assert deal_frames(MATCH, 0, 1)[3].got is None
    assert cards(frames[-1].seats[1].cards) == "2c 4h 5d 6s 7s"


def test_a_seat_sees_neither_the_faults_nor_the_clocks_of_others() -> None:
    theirs, own = deal_frames(MATCH, 0, 0)[2], deal_frames(MATCH, 0, 1)[2]
    assert (theirs.fault, theirs.micros, theirs.seats[1].clock) == (None, None, None)
    assert own.fault is not None and own.fault.kind is FaultKind.TIMEOUT
    assert own.micros == 1
    assert own.seats[1].clock is not None and own.seats[1].clock.strikes == 1


def test_what_is_hidden_from_a_seat_changes_nothing_that_it_sees() -> None:
    one, other = left_early("As 3d 7s 7d Kc", "9d"), left_early("Ah 3d 8s Td Kc", "Qd")
    assert deal_frames(one, 0, 1) == deal_frames(other, 0, 1)


def test_a_seat_that_forfeited_keeps_its_hand_hidden() -> None:
    forfeit = turn(1, "2c", None, "2d")._replace(action=None, card=None, fault=TIMEOUT)
    deal = replace(DEAL, turns=(*DEAL.turns[:1], forfeit), end=DealEnd.FORFEIT, totals=(None,) * 2, points=(None,) * 2)
    record = replace(MATCH, deals=(deal,), points=(0, 0), ending=Ending.FORFEIT)
    gone = deal_frames(record, 0, 0)[2]
    assert gone.kind is Kind.FORFEITED
    assert gone.seats[1].has_forfeited and gone.seats[1].cards == ()
    assert set(DEAL.hands[1] or b"").isdisjoint(gone.dead)


def test_time_beyond_the_turn_limit_comes_out_of_the_bank() -> None:
    slow = DEAL.turns[0]._replace(micros=1_700_000)
    record = replace(MATCH, deals=(replace(DEAL, turns=(slow, *DEAL.turns[1:])),), limits=Limits(500, 1_000))
    banks = [frame.seats[0].clock for frame in deal_frames(record, 0, None)]
    assert [clock.bank_ms for clock in banks if clock] == [1_000, 0, 0, 0, 0, 0]


def test_a_turn_is_found_by_its_number_in_the_match() -> None:
    record = played(3)
    frames = every_frame(record)
    for number in range(sum(len(deal.turns) for deal in record.deals)):
        moment = find_moment(record, number, None, end=False)
        found = deal_frames(record, moment.deal, None)[moment.frame] if number % 7 == 0 else None
        assert found is None or (found.turn, found) == (number, next(one for one in frames if one.turn == number))
    assert find_moment(record, None, None, end=False) == (0, 0)
    assert find_moment(record, None, 1, end=True) == (1, len(record.deals[1].turns) + 1)


@pytest.mark.parametrize(("turn", "deal"), [(10**6, None), (None, 10**6)])
def test_what_a_match_does_not_have_is_told(turn: int | None, deal: int | None) -> None:
    with pytest.raises(Refusal, match="choose one of 0 to"):
        find_moment(MATCH, turn, deal, end=False)


@pytest.mark.parametrize("seats", range(2, 11))
def test_seats_have_places_of_their_own_and_the_first_sits_below(seats: int) -> None:
    places = seating(seats)
    assert len(set(places)) == len(places) == seats
    assert places[0].startswith("below")


def test_seats_follow_each_other_clockwise() -> None:
    assert seating(4) == ("below from-1 span-12", "left", "above from-1 span-12", "right")
    below, left, above, right = ("below from-7 span-6", "below from-1 span-6"), "left", "above", "right"
    assert seating(6) == (*below, left, f"{above} from-1 span-6", f"{above} from-7 span-6", right)
