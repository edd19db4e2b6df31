from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena.settings import url_of
from arena.store import account_tables, games, opening
from arena.store.errors import StoreEmptyError, StoreError
from arena.store.migrations import HEAD
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.store.tables import Model
from arena.store.upgrading import is_known
from tests.store.made import opened, play, tournament
from tests.store.recomputed import rows

CUP = tournament()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


def files(folder: Path) -> dict[str, bytes]:
    """All files and what they hold; without the memory that the users of a database share while they use it."""
    found = (file for file in folder.rglob("*") if file.is_file() and not file.name.endswith("-shm"))
    return {str(file.relative_to(folder)): file.read_bytes() for file in found}


def assert_refused_untouched(path: Path, message: str) -> None:
    before = files(path.parent)
    for write in (True, False):
        with pytest.raises(StoreError, match=message) as refusal:
            open_store(url_of(path), write=write)
        assert str(path) in str(refusal.value)
        assert "\n" not in str(refusal.value)
        assert files(path.parent) == before


def test_a_writer_makes_a_missing_database_and_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "arena.db"
    open_store(url_of(path), write=True).close()
    assert [file.name for file in path.parent.iterdir()] == ["arena.db"]
    open_store(url_of(path), write=False).close()


def test_opening_it_again_in_one_process_gives_up_no_lock(path: Path) -> None:
    """Else whoever leaves in another process would take itself for the last one, and throw away the log in use."""
    elsewhere = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('UPDATE tournament SET deals = 7'); "
    with opened(path, CUP) as store:
        Repository(store).names()
        open_store(url_of(path), write=True).close()
        subprocess.run([sys.executable, "-c", f"{elsewhere}c.commit(); c.close()", str(path)], check=True)
        assert path.with_name("arena.db-wal").exists()
        assert Repository(store).latest().tournament.deals == 7


def test_the_path_may_hold_any_characters(tmp_path: Path) -> None:
    path = tmp_path / "ä b%20#?c" / "arena.db"
    open_store(url_of(path), write=True).close()
    assert path.is_file()


def test_a_reader_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreEmptyError, match="there is no tournament yet"):
        open_store(url_of(tmp_path / "new" / "arena.db"), write=False)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_becomes_a_database_for_writers_only(path: Path) -> None:
    path.touch()
    with pytest.raises(StoreEmptyError):
        open_store(url_of(path), write=False)
    assert files(path.parent) == {"arena.db": b""}
    open_store(url_of(path), write=True).close()
    assert rows(path, "SELECT version_num FROM alembic_version") == [(HEAD,)]


def test_what_the_revisions_make_is_what_the_tables_say(path: Path) -> None:
    open_store(url_of(path), write=True).close()
    made = {sql for (sql,) in rows(path, "SELECT sql FROM sqlite_schema WHERE sql NOT LIKE '%alembic%'")}
    engine = sa.create_engine("sqlite://")
    for added in (account_tables.TOKEN, games.GAME):
        assert added.metadata is Model.metadata, "what another module adds belongs to them"
    Model.metadata.create_all(engine)
    with engine.connect() as connection:
        wanted = {sql for (sql,) in connection.exec_driver_sql("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}
    assert {" ".join(sql.split()) for sql in made} == {" ".join(sql.split()) for sql in wanted}


def test_the_newest_revision_is_known_and_others_are_not() -> None:
    assert is_known(HEAD)
    assert not is_known("9999")


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_text("my diary\n" * 100)
    assert_refused_untouched(path, "is not a SQLite database")


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_the_database_of_another_program_is_refused(path: Path, mode: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute("CREATE TABLE tournament (id INTEGER)")
        connection.commit()
    assert_refused_untouched(path, "is the database of another program")


def test_a_folder_is_refused(path: Path) -> None:
    path.mkdir()
    assert_refused_untouched(path, "cannot be read")


def test_a_newer_database_is_refused(path: Path) -> None:
    with opened(path, CUP) as store, store.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    assert_refused_untouched(path, "written by a newer version of this program")


def test_a_newer_database_that_is_in_use_is_refused(path: Path) -> None:
    with opened(path, CUP) as store:
        with store.writing() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        assert_refused_untouched(path, "written by a newer version of this program")


def test_an_older_database_is_left_alone_by_readers(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(path, CUP).__enter__().close()
    before = files(path.parent)
    monkeypatch.setattr(opening, "HEAD", "9999")
    with pytest.raises(StoreError, match="written by an older version"):
        open_store(url_of(path), write=False)
    assert files(path.parent) == before


def test_a_damaged_database_is_refused(path: Path) -> None:
    opened(path, CUP).__enter__().close()
    damaged = bytearray(path.read_bytes())
    damaged[100:] = b"\xa5" * (len(damaged) - 100)
    path.write_bytes(damaged)
    assert_refused_untouched(path, "the file is damaged")


def test_damage_that_shows_later_is_told_in_one_line(path: Path) -> None:
    opened(path, CUP).__enter__().close()
    (root,) = rows(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'tournament'")[0]
    damaged = bytearray(path.read_bytes())
    damaged[(root - 1) * 4096 : root * 4096] = b"\xa5" * 4096
    path.write_bytes(damaged)
    with open_store(url_of(path), write=False) as store, pytest.raises(StoreError, match="the file is damaged"):
        Repository(store).latest()


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:hush@host/arena",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///a.db?mode=ro",
        "sqlite://tmp/arena.db",
        "sqlite://a:b/c",
        "arena.db",
        "",
    ],
)
def test_an_address_that_is_not_supported_is_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match="use sqlite:///PATH") as refusal:
        open_store(address, write=True)
    assert "hush" not in str(refusal.value)
    assert list(tmp_path.iterdir()) == []


def test_a_reader_cannot_write(path: Path) -> None:
    with opened(path, CUP) as store, pytest.raises(StoreError, match="readonly"), store.reading() as connection:
        connection.exec_driver_sql("UPDATE tournament SET name = 'mine'")


def test_a_read_is_one_unchanging_picture(path: Path) -> None:
    with opened(path, CUP) as store, store.reading() as connection:
        done = sa.text("SELECT count(*) FROM block WHERE state = 'done'")
        assert connection.execute(done).scalar() == 0
        play(store, CUP, blocks=2)
        assert connection.execute(done).scalar() == 0


def test_a_store_that_is_closed_leaves_one_file(path: Path) -> None:
    with opened(path, CUP) as store:
        play(store, CUP)
        assert len(files(path.parent)) > 1
    assert list(files(path.parent)) == ["arena.db"]
