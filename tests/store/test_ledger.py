from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.store.engine import Store
from arena.store.errors import StoreError
from arena.store.ledger import SqlLedger
from arena.store.repository import Repository
from arena.tournament.ports import BlockState, LedgerError, VoidCause
from tests.store.made import opened, plan, play, result, tournament
from tests.store.recomputed import assert_sound, rows

CUP = tournament()
STORED = (CUP,)
PLAN = plan(CUP)
PAIRS = "SELECT DISTINCT x.digest, y.digest FROM pair JOIN bot x ON x.key = a JOIN bot y ON y.key = b"


def test_blocks_are_claimed_in_plan_order_and_only_once(ledger: SqlLedger, epoch: int) -> None:
    first = ledger.claim(CUP.id, epoch, 3)
    rest = ledger.claim(CUP.id, epoch, 100)
    assert [claimed.block for claimed in first + rest] == PLAN
    assert {claimed.attempt for claimed in first + rest} == {1}
    assert ledger.claim(CUP.id, epoch, 1) == ()


def test_a_block_submitted_twice_counts_once(ledger: SqlLedger, epoch: int, path: Path) -> None:
    (claimed,) = ledger.claim(CUP.id, epoch, 1)
    assert ledger.complete(CUP.id, epoch, result(claimed))
    stored = rows(path, "SELECT * FROM pair"), rows(path, "SELECT * FROM total")
    assert not ledger.complete(CUP.id, epoch, result(claimed))
    assert stored == (rows(path, "SELECT * FROM pair"), rows(path, "SELECT * FROM total"))
    assert ledger.counts(CUP.id)[BlockState.DONE] == 1


def test_sums_are_those_of_the_stored_seats(store: Store, path: Path) -> None:
    play(store, CUP)
    assert_sound(path)
    assert {clean for (clean,) in rows(path, "SELECT DISTINCT clean FROM pair")} == {0, 1}


def test_the_order_in_which_blocks_are_stored_changes_no_sum(tmp_path: Path, ledger: SqlLedger, epoch: int) -> None:
    for claimed in reversed(ledger.claim(CUP.id, epoch, 100)):
        ledger.complete(CUP.id, epoch, result(claimed))
    with opened(tmp_path / "other.db", CUP) as other:
        play(other, CUP)
    for table in ("pair", "total"):
        everything = f"SELECT * FROM {table}"
        assert rows(tmp_path / "arena.db", everything) == rows(tmp_path / "other.db", everything)


def test_a_bot_that_sits_twice_is_not_paired_with_itself(tmp_path: Path) -> None:
    one, other = CUP.entries[:2]
    clones = replace(CUP, entries=(one, one, other))
    with opened(tmp_path / "clones.db", clones) as store:
        play(store, clones)
        (pair,) = rows(tmp_path / "clones.db", PAIRS)
        assert pair == tuple(sorted((one.digest, other.digest)))
        sums = {sums.bot: sums for sums in Repository(store).sums(CUP.id)}
        assert sums[one.digest].seats == 2 * sums[one.digest].matches
        assert sums[other.digest].seats == sums[other.digest].matches
    assert_sound(tmp_path / "clones.db")


def test_a_new_leader_takes_back_what_was_running_and_ends_the_older_epoch(ledger: SqlLedger) -> None:
    with ledger.lead(CUP.id) as old:
        (claimed, _) = ledger.claim(CUP.id, old, 2)
    with ledger.lead(CUP.id) as new:
        assert new == old + 1
        assert ledger.counts(CUP.id)[BlockState.RUNNING] == 0
        with pytest.raises(LedgerError, match="taken over"):
            ledger.complete(CUP.id, old, result(claimed))
        with pytest.raises(LedgerError, match="taken over"):
            ledger.claim(CUP.id, old, 1)
        with pytest.raises(LedgerError, match="taken over"):
            ledger.void(CUP.id, old, claimed.block.block_id, VoidCause.ERROR, "", alone=True)
        with pytest.raises(LedgerError, match="taken over"):
            ledger.withdraw(CUP.id, old, CUP.entries[0].digest, "")
        assert [again.attempt for again in ledger.claim(CUP.id, new, 3)] == [2, 2, 1]
    assert ledger.counts(CUP.id)[BlockState.DONE] == 0


def test_a_result_that_does_not_fit_its_block_is_refused_whole(ledger: SqlLedger, epoch: int, path: Path) -> None:
    one, other = ledger.claim(CUP.id, epoch, 2)
    good = result(one)
    for wrong in (
        good._replace(attempt=2),
        good._replace(matches=()),
        good._replace(matches=good.matches[::-1]),
        good._replace(matches=result(other._replace(block=PLAN[-1])).matches),
    ):
        with pytest.raises(ValueError, match="result of block"):
            ledger.complete(CUP.id, epoch, wrong)
    assert ledger.counts(CUP.id)[BlockState.RUNNING] == 2
    assert rows(path, 'SELECT count(*) FROM "match"') == [(0,)]


@pytest.mark.parametrize("cause", [VoidCause.ERROR, VoidCause.DIED, VoidCause.TIMEOUT])
def test_a_block_that_fails_alone_three_times_is_quarantined(ledger: SqlLedger, epoch: int, cause: VoidCause) -> None:
    states = []
    for _ in range(3):
        (claimed,) = ledger.claim(CUP.id, epoch, 1)
        states.append(ledger.void(CUP.id, epoch, claimed.block.block_id, cause, "why", alone=True))
    assert states == [BlockState.TODO, BlockState.TODO, BlockState.QUARANTINED]
    assert ledger.claim(CUP.id, epoch, 1)[0].block == PLAN[1]


def test_a_block_is_lost_ten_times_before_it_is_quarantined(ledger: SqlLedger, epoch: int) -> None:
    states = []
    for _ in range(10):
        (claimed,) = ledger.claim(CUP.id, epoch, 1)
        states.append(ledger.void(CUP.id, epoch, claimed.block.block_id, VoidCause.LOST, "", alone=True))
    assert states == [BlockState.TODO] * 9 + [BlockState.QUARANTINED]


def test_a_cancelled_block_is_never_quarantined_nor_counted(store: Store, ledger: SqlLedger, epoch: int) -> None:
    for _ in range(12):
        (claimed,) = ledger.claim(CUP.id, epoch, 1)
        state = ledger.void(CUP.id, epoch, claimed.block.block_id, VoidCause.CANCELLED, "", alone=True)
        assert state is BlockState.TODO
    assert {entry.voids for entry in Repository(store).entries(CUP.id)} == {0}


@pytest.mark.parametrize("cause", [VoidCause.DIED, VoidCause.TIMEOUT])
def test_blocks_that_died_together_are_suspects_and_run_alone(ledger: SqlLedger, epoch: int, cause: VoidCause) -> None:
    together = ledger.claim(CUP.id, epoch, 3)
    for _ in range(4):
        for claimed in together:
            state = ledger.void(CUP.id, epoch, claimed.block.block_id, cause, "", alone=False)
            assert state is BlockState.TODO
        together = tuple(claim for _ in range(3) for claim in ledger.claim(CUP.id, epoch, 5))
        assert [claimed.block for claimed in together] == PLAN[:3]
    assert [claimed.block for claimed in ledger.claim(CUP.id, epoch, 2)] == PLAN[3:5]


def test_a_claim_stops_before_a_suspect(ledger: SqlLedger, epoch: int) -> None:
    claims = ledger.claim(CUP.id, epoch, 3)
    ledger.void(CUP.id, epoch, claims[2].block.block_id, VoidCause.DIED, "", alone=False)
    ledger.void(CUP.id, epoch, claims[0].block.block_id, VoidCause.CANCELLED, "", alone=False)
    assert [claimed.block for claimed in ledger.claim(CUP.id, epoch, 5)] == PLAN[:1]
    assert [claimed.block for claimed in ledger.claim(CUP.id, epoch, 5)] == PLAN[2:3]


def test_voids_are_counted_for_the_bots_present_and_the_reason_is_kept(
    store: Store, ledger: SqlLedger, epoch: int
) -> None:
    (claimed,) = ledger.claim(CUP.id, epoch, 1)
    ledger.void(CUP.id, epoch, claimed.block.block_id, VoidCause.ERROR, "the socket failed", alone=True)
    voids = {entry.entry.digest: entry.voids for entry in Repository(store).entries(CUP.id)}
    assert voids == {entry.digest: int(entry.digest in claimed.block.lineup) for entry in CUP.entries}
    assert Repository(store).missing(CUP.id)[0] == (claimed.block, BlockState.TODO, "the socket failed")


def test_a_block_that_is_done_is_not_voided(ledger: SqlLedger, epoch: int) -> None:
    (claimed,) = ledger.claim(CUP.id, epoch, 1)
    ledger.complete(CUP.id, epoch, result(claimed))
    state = ledger.void(CUP.id, epoch, claimed.block.block_id, VoidCause.ERROR, "", alone=True)
    assert state is BlockState.DONE


def test_withdrawing_a_bot_keeps_its_results_and_takes_back_the_rest(
    store: Store, ledger: SqlLedger, epoch: int, path: Path
) -> None:
    bot = CUP.entries[0].digest
    its = [block for block in PLAN if bot in block.lineup]
    first, second, *_ = ledger.claim(CUP.id, epoch, 4)
    assert bot in first.block.lineup and bot in second.block.lineup
    ledger.complete(CUP.id, epoch, result(first))
    assert ledger.withdraw(CUP.id, epoch, bot, "it does not start") == len(its) - 1
    assert ledger.withdraw(CUP.id, epoch, bot, "again") == 0
    assert not ledger.complete(CUP.id, epoch, result(second))
    state = ledger.void(CUP.id, epoch, second.block.block_id, VoidCause.CANCELLED, "", alone=True)
    assert state is BlockState.WITHDRAWN
    withdrawn = {entry.entry.digest: entry.withdrawn for entry in Repository(store).entries(CUP.id)}
    assert withdrawn == {entry.digest: None for entry in CUP.entries} | {bot: "it does not start"}
    assert ledger.counts(CUP.id)[BlockState.WITHDRAWN] == len(its) - 1
    while claims := ledger.claim(CUP.id, epoch, 1):
        ledger.complete(CUP.id, epoch, result(claims[0]))
    ledger.finish(CUP.id, epoch)
    assert_sound(path)


def test_a_restored_bots_blocks_are_to_be_played_but_for_those_with_another_withdrawn_one(
    store: Store, ledger: SqlLedger, epoch: int
) -> None:
    bot, other = CUP.entries[0].digest, CUP.entries[1].digest
    its = [block for block in PLAN if bot in block.lineup]
    (first,) = ledger.claim(CUP.id, epoch, 1)
    ledger.complete(CUP.id, epoch, result(first))
    for gone in (bot, other):
        ledger.withdraw(CUP.id, epoch, gone, "it does not start")
    assert ledger.restore(CUP.id, epoch, bot) == sum(other not in block.lineup for block in its)
    assert ledger.restore(CUP.id, epoch, bot) == 0
    withdrawn = {entry.entry.digest: entry.withdrawn for entry in Repository(store).entries(CUP.id)}
    assert {digest for digest, reason in withdrawn.items() if reason} == {other}
    ledger.restore(CUP.id, epoch, other)
    assert ledger.counts(CUP.id)[BlockState.WITHDRAWN] == 0
    assert [claimed.block for claimed in ledger.claim(CUP.id, epoch, 100)] == PLAN[1:]


def test_nobody_is_restored_once_the_secret_is_free(ledger: SqlLedger, epoch: int) -> None:
    bot = CUP.entries[0].digest
    ledger.withdraw(CUP.id, epoch, bot, "it does not start")
    for claimed in ledger.claim(CUP.id, epoch, 100):
        ledger.complete(CUP.id, epoch, result(claimed))
    ledger.finish(CUP.id, epoch)
    with pytest.raises(LedgerError, match="is finished and the secret behind its cards is free"):
        ledger.restore(CUP.id, epoch, bot)


def test_a_tournament_is_finished_only_when_no_block_is_left(store: Store, ledger: SqlLedger, epoch: int) -> None:
    claims = ledger.claim(CUP.id, epoch, 100)
    for claimed in claims[1:]:
        ledger.complete(CUP.id, epoch, result(claimed))
    with pytest.raises(LedgerError, match="1 blocks are still to be played"):
        ledger.finish(CUP.id, epoch)
    assert Repository(store).latest().finished is None
    ledger.complete(CUP.id, epoch, result(claims[0]))
    ledger.finish(CUP.id, epoch)
    finished = Repository(store).latest().finished
    ledger.finish(CUP.id, epoch)
    assert finished is not None and Repository(store).latest().finished == finished


def test_an_unknown_tournament_cannot_be_led(ledger: SqlLedger) -> None:
    with pytest.raises(LedgerError, match="there is no tournament"), ledger.lead("nothing"):
        pass


def test_a_full_disk_stores_nothing_of_a_block_and_harms_nothing(
    store: Store, ledger: SqlLedger, epoch: int, path: Path
) -> None:
    claims = ledger.claim(CUP.id, epoch, 8)
    ledger.complete(CUP.id, epoch, result(claims[0]))
    with store.writing() as connection:
        size = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {size}")
    with pytest.raises(StoreError, match=r"disk is full.*free some space"):
        for claimed in claims[1:]:
            ledger.complete(CUP.id, epoch, result(claimed))
    done = ledger.counts(CUP.id)[BlockState.DONE]
    assert_sound(path)
    with store.writing() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    assert [ledger.complete(CUP.id, epoch, result(claimed)) for claimed in claims] == [False] * done + [True] * (
        8 - done
    )
    assert_sound(path)
