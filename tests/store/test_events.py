"""The log of what happened to bots: who may read what, and when."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.store.engine import Store
from arena.store.errors import StoreError
from arena.store.events import MOST_OUTPUT, EventLog, LogPage
from arena.store.ledger import SqlLedger
from arena.tournament.ports import BotEvent, BotEventKind, ClaimedBlock, VoidCause
from tests.store.made import result, tournament
from tests.store.recomputed import rows

CUP, LEAGUE = STORED = tournament(), tournament("league", bots=5, seats=2)
BOT = CUP.entries[0]
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def fault(claimed: ClaimedBlock, output: str = "my hand is Ks Kd", bot: bytes = BOT.digest) -> BotEvent:
    block = claimed.block.block_id
    return BotEvent(bot, BotEventKind.FAULT, NOW, "REFUSED", "UNKNOWN", output, block, rotation=1, turn=7)


def shown(store: Store, bot: str = BOT.name) -> list[str]:
    return [event.kind for event in EventLog(store).page(bot, limit=100).events]


def kept_back(store: Store) -> int:
    return EventLog(store).page(BOT.name, limit=100).kept_back


def void(ledger: SqlLedger, epoch: int, claimed: ClaimedBlock) -> None:
    ledger.void(CUP.id, epoch, claimed.block.block_id, VoidCause.ERROR, "no room", [fault(claimed)], alone=True)


def test_a_fault_is_stored_with_its_block_and_read_as_it_was(store: Store, ledger: SqlLedger, epoch: int) -> None:
    (claimed,) = ledger.claim(CUP.id, epoch, 1)
    ledger.complete(CUP.id, epoch, result(claimed), [fault(claimed, "one\ntwo")])
    (event,) = EventLog(store).page(BOT.name, limit=10).events
    assert event[:2] == (BOT, CUP.id)
    assert event[3:] == ("fault", "REFUSED", "UNKNOWN", ("one", "two"), claimed.block.block_id, 1, 7)


def test_of_a_block_that_is_stored_already_nothing_is_logged_again(store: Store, ledger: SqlLedger, epoch: int) -> None:
    (claimed,) = ledger.claim(CUP.id, epoch, 1)
    for _ in range(2):
        ledger.complete(CUP.id, epoch, result(claimed), [fault(claimed)])
    assert shown(store) == ["fault"]


def test_an_author_reads_the_events_of_the_own_bot_only(store: Store, ledger: SqlLedger, epoch: int) -> None:
    (claimed,) = ledger.claim(CUP.id, epoch, 1)
    ledger.complete(CUP.id, epoch, result(claimed), [fault(claimed)])
    assert shown(store, CUP.entries[1].name) == []
    with pytest.raises(StoreError, match="no bot 'nobody' has entered"):
        shown(store, "nobody")


def test_an_owner_reads_the_events_of_the_very_bot(store: Store, ledger: SqlLedger, epoch: int) -> None:
    (claimed,) = ledger.claim(CUP.id, epoch, 1)
    ledger.complete(CUP.id, epoch, result(claimed), [fault(claimed)])
    log = EventLog(store)
    assert len(log.about(BOT.name, BOT.version, BOT.digest, limit=9).events) == 1
    for another in ((BOT.name, BOT.version, bytes(32)), (BOT.name, "9", BOT.digest), ("hen", BOT.version, BOT.digest)):
        assert log.about(*another, limit=9) == LogPage((), 0)


def test_what_a_void_run_printed_is_kept_back_until_its_block_is_complete(
    store: Store, ledger: SqlLedger, epoch: int
) -> None:
    (claimed,) = ledger.claim(CUP.id, epoch, 1)
    void(ledger, epoch, claimed)
    assert shown(store) == ["void"]
    assert kept_back(store) == 1
    (again,) = ledger.claim(CUP.id, epoch, 1)
    assert again.block == claimed.block
    assert shown(store) == ["void"]
    ledger.complete(CUP.id, epoch, result(again))
    assert sorted(shown(store)) == ["fault", "void"]
    assert kept_back(store) == 0


def test_what_a_void_run_printed_is_shown_when_its_block_is_given_up(
    store: Store, ledger: SqlLedger, epoch: int
) -> None:
    for _ in range(3):
        assert "fault" not in shown(store)
        void(ledger, epoch, ledger.claim(CUP.id, epoch, 1)[0])
    assert shown(store).count("fault") == 3


def test_a_process_of_many_blocks_may_tell_of_any_so_output_waits_for_all_that_were_begun(
    store: Store, ledger: SqlLedger, epoch: int
) -> None:
    first, second, third = ledger.claim(CUP.id, epoch, 3)
    ledger.complete(CUP.id, epoch, result(second), [fault(second, "the hand of the first block is …")])
    (later,) = ledger.claim(CUP.id, epoch, 1)
    assert shown(store) == []
    ledger.complete(CUP.id, epoch, result(first))
    assert shown(store) == []
    ledger.complete(CUP.id, epoch, result(third))
    assert shown(store) == ["fault"], "the block that was begun later cannot be told of"
    assert later.block not in (first.block, second.block, third.block)


def test_a_new_leader_keeps_back_what_the_old_one_kept_back(store: Store, ledger: SqlLedger) -> None:
    with ledger.lead(CUP.id) as epoch:
        one, other = ledger.claim(CUP.id, epoch, 2)
        ledger.complete(CUP.id, epoch, result(one), [fault(one)])
    with ledger.lead(CUP.id) as epoch:
        assert shown(store) == []
        (again,) = ledger.claim(CUP.id, epoch, 1)
        assert again.block == other.block
        ledger.complete(CUP.id, epoch, result(again))
        assert shown(store) == ["fault"]


def test_starts_and_withdrawals_are_shown_at_once(store: Store, ledger: SqlLedger, epoch: int) -> None:
    (claimed, *_) = ledger.claim(CUP.id, epoch, 3)
    started = BotEvent(BOT.digest, BotEventKind.STARTED, NOW)
    failed = BotEvent(BOT.digest, BotEventKind.NOT_STARTED, NOW, reason="it exits", output="no module")
    ledger.withdraw(CUP.id, epoch, BOT.digest, "it exits", [started, failed, fault(claimed)])
    assert shown(store) == ["started", "not started", "withdrawn"]
    ledger.restore(CUP.id, epoch, BOT.digest)
    assert shown(store) == ["started", "not started", "withdrawn", "restored"]


def test_a_withdrawn_bots_broken_off_blocks_stay_hidden_until_nobody_can_play_them(
    store: Store, ledger: SqlLedger, epoch: int
) -> None:
    (claimed, *_) = ledger.claim(CUP.id, epoch, 100)
    assert BOT.digest in claimed.block.lineup
    ledger.withdraw(CUP.id, epoch, BOT.digest, "it exits", [fault(claimed)])
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE block SET state = 'done' WHERE state = 'running'")
    assert "fault" not in shown(store)
    ledger.finish(CUP.id, epoch)
    assert "fault" in shown(store)


def test_an_entry_is_bounded_and_stored_small(store: Store, ledger: SqlLedger, epoch: int, path: Path) -> None:
    (claimed,) = ledger.claim(CUP.id, epoch, 1)
    event = fault(claimed, "x" * 1_000_000 + "the end")._replace(reason="y" * 5_000)
    ledger.complete(CUP.id, epoch, result(claimed), [event])
    (logged,) = EventLog(store).page(BOT.name, limit=10).events
    assert len(logged.output[0]) == MOST_OUTPUT and logged.output[0].endswith("the end")
    assert len(logged.reason) == 500
    assert rows(path, "SELECT length(output) < 100 FROM event") == [(1,)]


def test_a_page_holds_the_latest_entries_the_oldest_first(store: Store, ledger: SqlLedger, epoch: int) -> None:
    for turn in range(5):
        (claimed,) = ledger.claim(CUP.id, epoch, 1)
        if BOT.digest in claimed.block.lineup:
            ledger.complete(CUP.id, epoch, result(claimed), [fault(claimed)._replace(turn=turn)])
    log = EventLog(store)
    assert [event.turn for event in log.page(BOT.name, limit=3).events] == [2, 3, 4]
    assert log.page(BOT.name, tournament=LEAGUE.id, limit=3).events == ()
    assert len(log.page(BOT.digest.hex()[:12], tournament="cup", limit=3).events) == 3
