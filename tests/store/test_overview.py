from __future__ import annotations

from pathlib import Path

import pytest

from arena.store.engine import Store
from arena.store.errors import StoreEmptyError, StoreError
from arena.store.ledger import SqlLedger
from arena.store.lock import exclusive, is_held
from arena.store.overview import Overviews, Progress
from arena.store.ratings import Ratings
from arena.tournament.ports import VoidCause
from tests.store.made import opened, play, tournament

CUP, LEAGUE = STORED = tournament(), tournament("league", bots=5, seats=2)
PLANNED = 8


@pytest.fixture
def overviews(store: Store) -> Overviews:
    return Overviews(store)


def test_progress_tells_what_became_of_every_planned_block(store: Store, overviews: Overviews) -> None:
    assert overviews.progress(CUP.id) == Progress(PLANNED, 0, PLANNED, 0, 0, 0)
    play(store, CUP, 3)
    ledger = SqlLedger(store)
    with ledger.lead(CUP.id) as epoch:
        for _ in range(3):
            block = ledger.claim(CUP.id, epoch, 1)[0].block
            ledger.void(CUP.id, epoch, block.block_id, VoidCause.ERROR, "the disk <is> full", alone=True)
        assert overviews.progress(CUP.id) == Progress(PLANNED, 3, PLANNED - 4, 0, 0, 1)
        gone = ledger.withdraw(CUP.id, epoch, CUP.entries[0].digest, "does not start")
    assert overviews.progress(CUP.id) == Progress(PLANNED, 3, PLANNED - 4 - gone, 0, gone, 1)
    assert [one.reason for one in overviews.given_up(CUP.id)] == ["the disk <is> full"]
    assert overviews.given_up(LEAGUE.id) == ()


def test_it_is_told_whether_somebody_plays(store: Store, overviews: Overviews) -> None:
    with SqlLedger(store).lead(CUP.id):
        assert overviews.is_played(CUP.id)
        assert not overviews.is_played(LEAGUE.id)
    assert not overviews.is_played(CUP.id)


def test_a_lock_that_was_left_behind_is_held_by_nobody(tmp_path: Path) -> None:
    left = tmp_path / "lock"
    left.write_text("1")
    assert not is_held(left)
    with exclusive(left):
        assert is_held(left)


def test_pages_are_cut_by_key_and_the_latest_stands_first(store: Store, overviews: Overviews) -> None:
    first = overviews.page(limit=1)
    assert [one.id for one in first] == [LEAGUE.id]
    rest = overviews.page(before=first[-1].key)
    assert [(one.id, one.name, one.bots, one.seats) for one in rest] == [(CUP.id, "cup", 4, 3)]
    assert overviews.page(before=rest[-1].key) == ()


def test_those_that_are_not_finished_can_be_asked_for(store: Store, overviews: Overviews) -> None:
    play(store, CUP)
    ledger = SqlLedger(store)
    with ledger.lead(CUP.id) as epoch:
        ledger.finish(CUP.id, epoch)
    assert [one.id for one in overviews.page(unfinished=True)] == [LEAGUE.id]


def test_the_first_of_a_ranking_is_named_while_it_is_the_ranking_of_all_blocks(
    store: Store, overviews: Overviews
) -> None:
    assert overviews.page()[1].first is None
    play(store, CUP, 6)
    Ratings(store).keep(CUP.id, None)
    first = overviews.page()[1].first
    assert first is not None
    assert first.digest == Ratings(store).current(CUP.id, None).bots[0].bot
    play(store, CUP, 1)
    assert overviews.page()[1].first is None


def test_nothing_counts_blocks_that_are_done(store: Store, overviews: Overviews) -> None:
    """What costs more the more was played would be seen in the plan of the query as a walk through these."""
    seen: list[str] = []
    with store.reading() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.set_trace_callback(seen.append)
    overviews.progress(CUP.id)
    counted = [part for sql in seen for part in sql.split("count(*)")[1:]]
    assert len(counted) == 4
    assert not any("'done'" in part.partition(")")[0] for part in counted)


def test_without_a_tournament_there_is_nothing_to_read(tmp_path: Path) -> None:
    with opened(tmp_path / "empty.db") as store:
        with pytest.raises(StoreEmptyError):
            Overviews(store).page()
        with pytest.raises(StoreError):
            Overviews(store).progress("cup")
        assert Overviews(store).page(unfinished=True) == ()
