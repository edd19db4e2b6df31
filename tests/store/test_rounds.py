"""Plans that grow round by round: what the ledger keeps of them and gives back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from arena.settings import url_of
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.ports import BlockState, ClaimedBlock, LedgerError, PlannedBlock, VoidCause
from tests.store.made import opened, plan, result, tournament
from tests.store.recomputed import assert_sound, rows

CUP = tournament()
STORED = (CUP,)
FIRST = plan(CUP)


def later(number: int) -> list[PlannedBlock]:
    """A round of its own: the lineups of the first one again."""
    return [
        block._replace(block_id=sha256(block.block_id + b"%d" % number).digest(), number=block.number + 2 * number)
        for block in FIRST
    ]


def play_all(ledger: SqlLedger, epoch: int, *, reverse: bool = False) -> None:
    claims = ledger.claim(CUP.id, epoch, 1000)
    for claimed in reversed(claims) if reverse else claims:
        assert ledger.complete(CUP.id, epoch, result(claimed))


def test_the_rounds_hold_what_is_settled_in_plan_order_with_places_and_faults(ledger: SqlLedger, epoch: int) -> None:
    assert ledger.rounds(CUP.id) == ()
    claims = ledger.claim(CUP.id, epoch, 4)
    for claimed in claims[2:0:-1]:
        ledger.complete(CUP.id, epoch, result(claimed))
    for _ in range(10):
        ledger.void(CUP.id, epoch, claims[0].block.block_id, VoidCause.LOST, "", alone=True)
        ledger.claim(CUP.id, epoch, 1)
    (only,) = ledger.rounds(CUP.id)
    assert [(block.lineup, block.number) for block in only] == [(block.lineup, block.number) for block in FIRST[:3]]
    assert [len(block.results) for block in only] == [0, 3, 3]
    wanted = [
        (
            tuple(seat.bot for seat in match.seats),
            tuple(seat.place for seat in match.seats),
            tuple(seat.faults > 0 for seat in match.seats),
        )
        for match in result(claims[1]).matches
    ]
    assert [(match.seats, match.places, match.faulted) for match in only[1].results] == wanted


def test_a_new_round_is_played_behind_the_plan(ledger: SqlLedger, epoch: int, path: Path) -> None:
    play_all(ledger, epoch)
    assert ledger.extend(CUP.id, epoch, later(1), 1) == len(FIRST)
    assert [claimed.block for claimed in ledger.claim(CUP.id, epoch, 100)] == later(1)
    assert rows(path, "SELECT round, count(*) FROM block GROUP BY round") == [(0, 8), (1, 8)]


def test_a_round_that_is_there_already_is_not_added_again(ledger: SqlLedger, epoch: int) -> None:
    play_all(ledger, epoch)
    ledger.extend(CUP.id, epoch, later(1), 1)
    for again in (0, 1):
        assert ledger.extend(CUP.id, epoch, later(2), again) == 0
    assert ledger.counts(CUP.id)[BlockState.TODO] == len(FIRST)


def test_a_round_is_added_as_a_whole_or_not_at_all(ledger: SqlLedger, epoch: int) -> None:
    stranger = [*later(1), PlannedBlock(bytes(32), 0, (b"?" * 32,) * 3)]
    with pytest.raises(ValueError, match="names a bot that is no entry"):
        ledger.extend(CUP.id, epoch, stranger, 1)
    with pytest.raises(ValueError, match="round 3 cannot follow round 0"):
        ledger.extend(CUP.id, epoch, later(1), 3)
    assert ledger.counts(CUP.id)[BlockState.TODO] == len(FIRST)


def test_an_older_epoch_adds_no_round(ledger: SqlLedger) -> None:
    with ledger.lead(CUP.id) as old:
        pass
    with ledger.lead(CUP.id), pytest.raises(LedgerError, match="taken over"):
        ledger.extend(CUP.id, old, later(1), 1)


def test_a_bot_without_which_the_plan_went_on_is_not_restored(ledger: SqlLedger, epoch: int) -> None:
    bot = CUP.entries[0].digest
    assert ledger.withdrawn(CUP.id) == frozenset()
    ledger.withdraw(CUP.id, epoch, bot, "it does not start")
    assert ledger.withdrawn(CUP.id) == {bot}
    play_all(ledger, epoch)
    ledger.extend(CUP.id, epoch, [block for block in later(1) if bot not in block.lineup], 1)
    with pytest.raises(LedgerError, match="has gone on without this bot"):
        ledger.restore(CUP.id, epoch, bot)
    assert ledger.withdrawn(CUP.id) == {bot}, "a refusal changes nothing"


def test_a_bot_that_was_withdrawn_in_the_last_round_is_restored(ledger: SqlLedger, epoch: int) -> None:
    bot = CUP.entries[0].digest
    play_all(ledger, epoch)
    ledger.extend(CUP.id, epoch, later(1), 1)
    gone = ledger.withdraw(CUP.id, epoch, bot, "it does not start")
    assert ledger.restore(CUP.id, epoch, bot) == gone


def test_the_order_in_which_results_come_changes_neither_rounds_nor_sums(
    tmp_path: Path, ledger: SqlLedger, epoch: int, path: Path
) -> None:
    play_all(ledger, epoch)
    ledger.extend(CUP.id, epoch, later(1), 1)
    play_all(ledger, epoch)
    with opened(tmp_path / "other.db", CUP) as other:
        turned = SqlLedger(other)
        with turned.lead(CUP.id) as its_epoch:
            play_all(turned, its_epoch, reverse=True)
            turned.extend(CUP.id, its_epoch, later(1), 1)
            play_all(turned, its_epoch, reverse=True)
        assert turned.rounds(CUP.id) == ledger.rounds(CUP.id)
    for table in ("pair", "total"):
        everything = f"SELECT * FROM {table}"
        assert rows(path, everything) == rows(tmp_path / "other.db", everything)
    assert_sound(path)


def test_options_and_owners_are_kept_as_they_were_when_the_tournament_opened(tmp_path: Path) -> None:
    owners = {CUP.entries[1].digest: "Ada"}
    cup = replace(CUP, options={"rounds": 3, "challenger": ["ab"], "alpha": 0.05}, owners=owners)
    with opened(tmp_path / "other.db", cup) as store:
        assert Repository(store).tournament(cup.id).tournament == cup


def test_eight_writers_at_once_make_one_plan_and_one_table(tmp_path: Path, ledger: SqlLedger, path: Path) -> None:
    with ledger.lead(CUP.id) as epoch:
        play_all(ledger, epoch)
        ledger.extend(CUP.id, epoch, later(1), 1)
        play_all(ledger, epoch)
    crowded = tmp_path / "crowded.db"
    with opened(crowded, CUP) as store, SqlLedger(store).lead(CUP.id) as epoch:
        claims = SqlLedger(store).claim(CUP.id, epoch, 1000)

        def write(seed: int) -> int:
            with open_store(url_of(crowded), write=True) as own:
                mine = SqlLedger(own)
                order = Random(seed).sample(claims, len(claims))
                stored = sum(mine.complete(CUP.id, epoch, result(claimed)) for claimed in order)
                added = mine.extend(CUP.id, epoch, later(1), 1)
                its = [ClaimedBlock(block, 1) for block in Random(seed).sample(later(1), len(FIRST))]
                mine.claim(CUP.id, epoch, 1000)
                return stored + added + sum(mine.complete(CUP.id, epoch, result(claimed)) for claimed in its)

        with ThreadPoolExecutor(8) as writers:
            assert sum(writers.map(write, range(8))) == 3 * len(FIRST)
        assert SqlLedger(store).rounds(CUP.id) == ledger.rounds(CUP.id)
    for table in ("pair", "total"):
        everything = f"SELECT * FROM {table}"
        assert rows(path, everything) == rows(crowded, everything)
    assert_sound(crowded)
