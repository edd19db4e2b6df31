from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from arena.game.variant import Variant
from arena.settings import url_of
from arena.store.conduct import Conduct, RecordedFault
from arena.store.engine import Store
from arena.store.ledger import SqlLedger
from arena.store.meetings import Meeting, Meetings
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.habits import FAULTS, Habit
from arena.tournament.planning import next_round
from arena.tournament.ports import BotEvent, BotEventKind
from arena.wire.codec import decode_record, unpack_record
from tests.cli.stored import block_result, store_tournament
from tests.store.made import OPENED, play, tournament
from tests.store.recomputed import rows
from tests.tournament.playing import Manners, bots
from tests.tournament.playing import tournament as real_tournament

CUP = tournament(bots=5, seats=3)
STORED = (CUP,)
PLAYED = real_tournament(bots(3), 3, Variant(threshold=25), deals=2)


def met(path: Path, one: bytes, other: bytes, clean: str = "") -> list[tuple[int, int]]:
    """The places of two bots, wherever they met."""
    query = f"""
        SELECT x.place, y.place FROM seat x JOIN seat y ON y.match = x.match JOIN bot a ON a.key = x.bot
        JOIN bot b ON b.key = y.bot JOIN match m ON m.id = x.match
        WHERE a.digest = x'{one.hex()}' AND b.digest = x'{other.hex()}' {clean}
    """
    return rows(path, query)


CLEAN = """
    AND NOT EXISTS (SELECT 1 FROM seat z JOIN match n ON n.id = z.match WHERE n.block = m.block AND z.faults > 0)
"""


@pytest.mark.parametrize("clean", [False, True])
def test_pairs_are_told_from_both_sides(store: Store, path: Path, clean: bool) -> None:
    play(store, CUP, 15)
    digests = [entry.digest for entry in CUP.entries]
    found = Meetings(store).between(CUP.id, digests[:4], digests[:4], clean=clean)
    assert found
    for one, other in permutations(digests[:4], 2):
        places = met(path, one, other, CLEAN if clean else "")
        if not places:
            assert (one, other) not in found
            continue
        meeting = found[one, other]
        counts = (len(places), sum(a < b for a, b in places), sum(a == b for a, b in places))
        assert meeting[:3] == counts
        assert meeting.losses == found[other, one].wins
        assert meeting.edge_micro == -found[other, one].edge_micro
        assert Meetings(store).of(CUP.id, one, clean=clean)[other] == meeting
    of_one = {pair: meeting for pair, meeting in found.items() if pair[0] == digests[1]}
    assert Meetings(store).between(CUP.id, [digests[1]], digests[:4], clean=clean) == of_one


def test_a_bot_that_never_entered_met_nobody(store: Store) -> None:
    play(store, CUP, 2)
    assert Meetings(store).of(CUP.id, b"?" * 32) == {}
    assert Meetings(store).between(CUP.id, [b"?" * 32], [CUP.entries[0].digest]) == {}


def test_a_meeting_turned_twice_is_itself() -> None:
    meeting = Meeting(9, 5, 1, 3, 400_000, 90_000)
    assert meeting.turned() == Meeting(9, 3, 1, 3, -400_000, 90_000)
    assert meeting.turned().turned() == meeting


def test_seats_and_habits_are_those_of_the_bot(path: Path) -> None:
    store_tournament(path, PLAYED, Manners(fault_rate=0.02))
    bot = PLAYED.entries[0].digest
    with open_store(url_of(path), write=False) as store:
        chairs, habits = Conduct(store).chairs(PLAYED.id, bot), Conduct(store).habits(PLAYED.id, bot)
        assert Conduct(store).chairs(PLAYED.id, b"?" * 32) == ()
        assert Conduct(store).habits("nothing", bot)[Habit.TIME] == {}
    own = f"FROM seat JOIN bot ON bot.key = seat.bot WHERE bot.digest = x'{bot.hex()}'"
    counted = rows(path, f"SELECT seat, count(*), avg(place) {own} GROUP BY seat")
    assert [(one.seat, one.matches, one.mean_place) for one in chairs] == counted
    assert sum(habits[Habit.FAULT].values()) == rows(path, f"SELECT sum(faults) {own}")[0][0] > 0
    assert set(habits[Habit.FAULT]) <= set(range(len(FAULTS)))


def test_the_last_faults_are_told_as_the_records_have_them(path: Path) -> None:
    bot = PLAYED.entries[0].digest
    expected: list[RecordedFault] = []
    with open_store(url_of(path), write=True) as store:
        Repository(store).create_tournament(PLAYED, next_round(PLAYED))
        ledger = SqlLedger(store)
        with ledger.lead(PLAYED.id) as epoch:
            first, second = ledger.claim(PLAYED.id, epoch, 2)
            for claim in (first, second):
                result, found = block_result(PLAYED, claim, Manners(fault_rate=0.05)), []
                for match in result.matches:
                    record = decode_record(unpack_record(match.record))
                    for number, turn in enumerate(record.turns()):
                        if turn.fault and record.seats[turn.seat] == bot:
                            where = (claim.block.block_id, match.rotation, number)
                            found.append(RecordedFault(*where, turn.fault.kind.value, turn.fault.reason))
                events = [
                    BotEvent(bot, BotEventKind.FAULT, OPENED, "", "in its own words", "output", *one[:3])
                    for one in found
                ]
                another = BotEvent(bot, BotEventKind.FAULT, OPENED, "", "", "", claim.block.block_id, 0, 9999)
                ledger.complete(PLAYED.id, epoch, result, [*events, another])
                expected = [*found, *expected] if claim is first else [*expected, *found]
        told = Conduct(store).faults(PLAYED.id, bot, 1000)
        assert len(told) > 5
        assert list(told) == expected[::-1]
        assert Conduct(store).faults(PLAYED.id, bot, 3) == told[:3]


@pytest.mark.parametrize("clean", [False, True])
def test_all_pairs_come_in_pages_that_hold_each_once(store: Store, clean: bool) -> None:
    play(store, CUP)
    meetings = Meetings(store)
    paged = list(meetings.page(CUP.id, clean=clean, limit=3))
    while page := meetings.page(CUP.id, clean=clean, after=paged[-1].key, limit=3):
        paged += page
    digests = [entry.digest for entry in CUP.entries]
    everybody = meetings.between(CUP.id, digests, digests, clean=clean)
    assert len(paged) * 2 == len(everybody) > 6
    assert all(everybody[one.a, one.b] == one.meeting for one in paged)
