"""The database as pages read it: it may come, change, be replaced or be another program's."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from arena.store.errors import StoreEmptyError
from arena.web import database as database_module
from arena.web.app import create_app
from arena.web.database import Database, UnreadableError
from tests.web.serving import settings
from tests.web.signing import sign_in, token_in


@pytest.fixture
def path(tmp_path: Path, made_up: Path) -> Path:
    return Path(shutil.copy(made_up, tmp_path / "arena.db"))


@pytest.fixture
def database(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setattr(database_module, "LOOKED_AT_MOST_EVERY_S", 0.0)
    database = Database(f"sqlite:///{path}")
    yield database
    database.close()


def commit(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE tournament SET epoch = epoch + 1")
        other.commit()


def test_a_commit_of_another_is_another_version_and_looking_is_none(database: Database, path: Path) -> None:
    first = database.version()
    database.results().tournaments.latest()
    assert database.version() == first
    commit(path)
    assert database.version() != first


def test_it_is_looked_for_changes_only_so_often(
    database: Database, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "LOOKED_AT_MOST_EVERY_S", 3600.0)
    first = database.version()
    commit(path)
    assert database.version() == first


def test_a_file_that_took_its_place_is_read_and_is_another_version(database: Database, path: Path) -> None:
    first, before = database.version(), database.results()
    shutil.copy(path, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)
    assert database.version() != first
    assert database.results() is not before
    assert before.tournaments.latest(), "who reads the old one still can"


def test_without_a_file_there_is_nothing_yet(database: Database, path: Path) -> None:
    database.results()
    path.unlink()
    with pytest.raises(StoreEmptyError):
        database.version()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program that keeps all others out."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        yield


def test_many_who_meet_a_lock_wait_together_and_only_for_a_moment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "READ_PATIENCE_S", 0.5)
    monkeypatch.setattr(database_module, "FAILED_S", 60.0)
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client, locked(path):
        began = time.monotonic()
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(client.get, ["/", "/bots", "/api/v1/bots", "/api/v1/rankings"] * 5))
        assert time.monotonic() - began < 20 * 0.5
        assert client.get("/rules").status_code == 200, "what needs no database is there"
    assert {answer.status_code for answer in answers} == {503}
    assert all("another program keeps it locked" in answer.text for answer in answers)
    assert {answer.headers["content-type"] for answer in answers[2::4]} == {"application/problem+json"}


def test_when_the_lock_is_gone_it_is_read_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "READ_PATIENCE_S", 0.0)
    monkeypatch.setattr(database_module, "FAILED_S", 0.0)
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        with locked(path):
            assert client.get("/").status_code == 503
        assert client.get("/").status_code == 200


def test_who_changes_something_while_another_writes_is_told_and_readers_go_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "WRITE_PATIENCE_S", 0.1)
    token = token_in(path)
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            refused = sign_in(client, token)
            bearer = client.get("/api/v1/submissions", headers={"authorization": f"Bearer {token}"})
        assert (refused.status_code, bearer.status_code) == (503, 200)
        assert "another program keeps it locked" in refused.text
        assert sign_in(client, token).status_code == 303


@pytest.fixture
def watchful(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """Whoever reads from a server that looks at its database for each page, and has shown one."""
    monkeypatch.setattr(database_module, "LOOKED_AT_MOST_EVERY_S", 0.0)
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        assert client.get("/").status_code == 200
        yield client


def test_a_newer_program_that_changes_the_schema_is_named(path: Path, watchful: TestClient) -> None:
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("ALTER TABLE tournament RENAME TO cup")
        newer.execute("UPDATE alembic_version SET version_num = 'f000'")
        newer.commit()
    for address in ("/", "/bots", "/api/v1/bots", "/tournaments"):
        answer = watchful.get(address)
        assert answer.status_code == 503
        assert "newer version of this program" in answer.text


def test_another_index_is_no_reason_to_stop(path: Path, watchful: TestClient) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE INDEX more ON tournament (name)")
    assert watchful.get("/").status_code == 200


@pytest.mark.parametrize("content", [b"no database but a long text" * 9, b"SQLite format 3\0" * 9])
def test_what_is_not_ours_is_told_as_a_failure_of_the_server(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "arena.db").write_bytes(content)
    with pytest.raises(UnreadableError):
        Database(f"sqlite:///{tmp_path / 'arena.db'}").results()
    answer = TestClient(create_app(settings(tmp_path / "arena.db")), base_url="http://localhost").get("/")
    assert answer.status_code == 503
    assert "cannot be read" in answer.text
    assert (tmp_path / "arena.db").read_bytes() == content
