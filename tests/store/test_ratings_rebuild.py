"""Everything that is counted, rebuilt from the records: a wrong figure is found and mended, a wrong record is named."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.game.variant import Variant
from arena.settings import url_of
from arena.store.engine import Store
from arena.store.errors import RecordError
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.ratings import Ratings
from arena.store.ratings_rebuild import Rebuilt, rebuild
from tests.cli.stored import FAULTY, block_result, store_rated, store_tournament
from tests.store.planting import contents, plant
from tests.store.recomputed import rows
from tests.tournament.playing import bots, tournament

CUP = tournament(bots(4), 3, Variant(threshold=25), deals=2)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a tournament whose ratings are kept, some of its blocks with faults. Read only."""
    path = tmp_path_factory.mktemp("kept") / "arena.db"
    store_rated(path, CUP)
    return path


@pytest.fixture
def path(kept: Path, path: Path) -> Path:
    shutil.copy(kept, path)
    return path


def rebuilt(store: Store, *, mend: bool) -> Rebuilt:
    return rebuild(store, CUP, None, mend=mend, told=lambda done, total: None)


def test_nothing_differs_in_what_was_stored(store: Store, path: Path) -> None:
    before = contents(path)
    found = rebuilt(store, mend=True)
    assert (found.blocks, found.matches, found.differences) == (8, 24, ())
    assert contents(path) == before
    assert found.lists == tuple(Ratings(store).current(CUP.id, None, clean=clean) for clean in (False, True))
    assert found.lists[0] != found.lists[1]


def test_a_wrong_course_of_the_ratings_is_mended(store: Store) -> None:
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE rating_mark SET rating = 0")
    rebuilt(store, mend=True)
    assert Ratings(store).course(CUP.id, None) == Ratings(store).history(CUP.id, None)


def test_habits_that_an_older_program_did_not_count_are_no_mistake_and_counted_now(path: Path, store: Store) -> None:
    sound = contents(path)
    plant(path, "DELETE FROM habit")
    assert rebuilt(store, mend=True).differences == ()
    assert contents(path) == sound


@pytest.mark.parametrize(
    ("change", "where", "field"),
    [
        ("UPDATE total SET lead_micro = lead_micro + 1 WHERE bot = 2", "totals of", "lead_micro"),
        ("DELETE FROM total WHERE bot = 3", "totals of", "blocks"),
        ("UPDATE pair SET wins = wins + 1 WHERE clean = 1", "blocks without faults", "wins"),
        ("INSERT INTO pair VALUES (1, 2, 1, 5, 1, 9, 9, 9, 9, 9, 9)", "at tables of 5", "n"),
        ("UPDATE pair SET square_micro = 0 WHERE clean = 1", "blocks without faults", "square_micro"),
        ("UPDATE chair SET matches = matches + 1 WHERE bot = 2 AND seat = 1", "seats of", "matches"),
        ("DELETE FROM habit WHERE bot = 2 AND habit = 'open'", "habits of", "n"),
        ("UPDATE seat SET place = 7 WHERE match = 4 AND seat = 1", "/0, seat 1", "place"),
        ("UPDATE seat SET points = points + 1 WHERE match = 24 AND seat = 0", "/2, seat 0", "points"),
        ("DELETE FROM seat WHERE match = 5 AND seat = 2", "/1, seat 2", "bot"),
        ("INSERT INTO seat VALUES (5, 3, 1, 1, 1, 0, 0)", "/1, seat 3", "bot"),
        ("UPDATE match SET deals = 99 WHERE id = 9", "match cup/", "deals"),
        ("UPDATE match SET digest = x'00' WHERE id = 9", "match cup/", "digest"),
        ("UPDATE rating SET half_width = 1.5 WHERE position = 1 AND clean = 0", "rating of bot", "half_width"),
        ("UPDATE rating SET rank_to = 9 WHERE position = 1 AND clean = 1", "in blocks without faults", "rank"),
        ("DELETE FROM rating WHERE position = 2 AND clean = 0", "rating of bot", "rating"),
        (
            "UPDATE rating_list SET summary = replace(summary, '\"matches\": 24', '\"matches\": 25')",
            "summary",
            "summary",
        ),
    ],
)
def test_a_planted_figure_is_found_and_mended(path: Path, store: Store, change: str, where: str, field: str) -> None:
    sound = contents(path)
    plant(path, change)
    planted = contents(path)
    found = rebuilt(store, mend=False)
    assert any(where in one.where and one.field == field for one in found.differences)
    assert contents(path) == planted, "a check changes nothing"
    assert rebuilt(store, mend=True).differences == found.differences
    assert contents(path) == sound


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE record SET data = x'00' WHERE match = 7", "is damaged"),
        ("UPDATE record SET data = (SELECT data FROM record WHERE match = 8) WHERE match = 7", "that of another match"),
        ("DELETE FROM record WHERE match = 7", "are not all there"),
        ("DELETE FROM record WHERE match = 24", "are not all there"),
    ],
)
def test_a_record_that_is_not_what_was_stored_is_named_and_nothing_changes(
    path: Path, store: Store, change: str, message: str
) -> None:
    plant(path, "UPDATE total SET faults = 99 WHERE bot = 1")
    plant(path, change)
    before = contents(path)
    with pytest.raises(RecordError, match=f"{message}.*restore a backup"):
        rebuilt(store, mend=True)
    assert contents(path) == before


def test_a_block_that_is_finished_while_records_are_read_is_counted(path: Path, store: Store) -> None:
    plant(path, "UPDATE block SET state = 'running' WHERE key = 8")
    plant(path, "DELETE FROM rating")
    plant(path, "DELETE FROM rating_list")

    def finish(done: int, total: int) -> None:
        assert (done, total) == (7, 7)
        plant(path, "UPDATE block SET state = 'done' WHERE key = 8")

    found = rebuild(store, CUP, None, mend=True, told=finish)
    assert (found.blocks, found.differences) == (8, ())
    assert rows(path, "SELECT DISTINCT blocks FROM rating_list") == [(7,)], "ratings say of how many blocks they are"
    assert Ratings(store).current(CUP.id, None).blocks == 8


def test_eight_writers_at_once_that_submit_everything_twice_leave_the_same_tables(store: Store, tmp_path: Path) -> None:
    crowd = tmp_path / "crowd.db"
    store_tournament(crowd, CUP, blocks=0)
    with open_store(url_of(crowd), write=True) as own:
        ledger = SqlLedger(own)
        with ledger.lead(CUP.id) as epoch:
            claims = ledger.claim(CUP.id, epoch, 100)
            finished = [block_result(CUP, claimed, FAULTY) for claimed in claims]

            def write(number: int) -> int:
                with open_store(url_of(crowd), write=True) as writer:
                    turns = finished[number:] + finished[:number]
                    return sum(SqlLedger(writer).complete(CUP.id, epoch, result) for result in turns)

            with ThreadPoolExecutor(8) as writers:
                assert sum(writers.map(write, range(8))) == len(finished)
        assert rebuilt(own, mend=True).differences == ()
        found, expected = (rebuilt(one, mend=False).lists for one in (own, store))
        assert found == expected


def test_a_list_that_is_of_fewer_blocks_or_another_anchor_is_no_difference_and_is_replaced(
    path: Path, store: Store
) -> None:
    sound = contents(path)
    for change in ("UPDATE rating_list SET blocks = 5", "UPDATE rating_list SET anchor = x'00'"):
        plant(path, change)
        plant(path, "UPDATE rating SET rating = 1.0")
        assert rebuilt(store, mend=True).differences == ()
        assert contents(path) == sound
