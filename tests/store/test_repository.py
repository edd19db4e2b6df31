from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.store.engine import Store
from arena.store.errors import StoreEmptyError, StoreError
from arena.store.ledger import SqlLedger
from arena.store.repository import Repository
from arena.tournament.entries import Entry
from arena.tournament.ports import BlockState, VoidCause
from tests.store.made import opened, plan, play, tournament
from tests.store.recomputed import rows

CUP, LEAGUE = STORED = tournament(), tournament("league", bots=5, seats=2)


@pytest.fixture
def repository(store: Store) -> Repository:
    return Repository(store)


def test_a_tournament_comes_back_as_it_was_opened(repository: Repository) -> None:
    assert repository.tournament(CUP.id).tournament == CUP
    assert [stored.tournament for stored in repository.tournaments()] == [LEAGUE, CUP]
    assert repository.latest().tournament == LEAGUE


def test_a_tournament_is_found_by_its_name_or_the_beginning_of_its_id(repository: Repository) -> None:
    assert repository.tournament("cup").tournament == CUP
    assert repository.tournament(LEAGUE.id[:5]).tournament == LEAGUE


def test_what_names_no_tournament_or_several_is_refused(repository: Repository) -> None:
    for name in ("", "nothing", "cu"):
        with pytest.raises(StoreError, match="there is no tournament"):
            repository.tournament(name)
    repository.create_tournament(replace(CUP, id=CUP.id[:4] + "0000"), plan(CUP))
    for name in ("cup", CUP.id[:4]):
        with pytest.raises(StoreError, match="could be any of the tournaments"):
            repository.tournament(name)
    assert repository.tournament(CUP.id).tournament == CUP


def test_without_a_tournament_there_is_nothing_to_read(tmp_path: Path) -> None:
    with opened(tmp_path / "empty.db") as store:
        assert Repository(store).tournaments() == ()
        for asked in (Repository(store).latest, lambda: Repository(store).tournament("cup")):
            with pytest.raises(StoreEmptyError):
                asked()


def test_a_plan_that_fails_halfway_leaves_no_tournament(repository: Repository, tmp_path: Path) -> None:
    stranger = plan(LEAGUE)[0]._replace(lineup=(b"\1" * 32, b"\2" * 32))
    again = replace(LEAGUE, id="again")
    with pytest.raises(ValueError, match="no entry"):
        repository.create_tournament(again, [*plan(LEAGUE), stranger])
    assert len(repository.tournaments()) == 2
    assert rows(tmp_path / "arena.db", "SELECT count(*) FROM block") == [(len(plan(CUP)) + len(plan(LEAGUE)),)]


def test_two_entries_with_one_digest_must_be_one_bot(repository: Repository) -> None:
    one = CUP.entries[0]
    with pytest.raises(ValueError, match="one digest"):
        repository.create_tournament(replace(CUP, id="x", entries=(one, Entry("other", "1.0", one.digest))), [])


def test_a_bot_is_known_once_however_often_it_enters(tmp_path: Path, store: Store) -> None:
    assert rows(tmp_path / "arena.db", "SELECT count(*) FROM bot") == [(5,)]


def test_tournaments_are_counted_apart(store: Store, repository: Repository) -> None:
    play(store, CUP)
    cup, league = repository.tournament("cup"), repository.tournament("league")
    nothing = dict.fromkeys(BlockState, 0)
    assert cup.blocks == nothing | {BlockState.DONE: len(plan(CUP))}
    assert league.blocks == nothing | {BlockState.TODO: len(plan(LEAGUE))}
    assert repository.sums(LEAGUE.id) == ()
    assert [sums.bot for sums in repository.sums(CUP.id)] == sorted(entry.digest for entry in CUP.entries)


def test_missing_blocks_are_those_that_are_not_done(store: Store, repository: Repository) -> None:
    played = play(store, CUP, blocks=3)
    assert [missing.block for missing in repository.missing(CUP.id)] == plan(CUP)[3:]
    assert played == plan(CUP)[:3]
    ledger = SqlLedger(store)
    with ledger.lead(CUP.id) as epoch:
        for reason in ("first", "second", "third"):
            (claimed,) = ledger.claim(CUP.id, epoch, 1)
            ledger.void(CUP.id, epoch, claimed.block.block_id, VoidCause.DIED, reason, alone=True)
    states = [(missing.state, missing.reason) for missing in repository.missing(CUP.id)]
    assert states == [(BlockState.QUARANTINED, "third")] + [(BlockState.TODO, "")] * (len(plan(CUP)) - 4)
