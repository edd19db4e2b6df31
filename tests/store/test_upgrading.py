"""Databases of earlier schemas, with rows in them, brought up to date."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config

from arena.settings import url_of
from arena.store import migrations
from arena.store.engine import sqlite_engine
from arena.store.opening import APPLICATION_ID, open_store
from arena.store.repository import Repository
from tests.store.made import opened, play, tournament
from tests.store.recomputed import assert_sound, rows

CUP = tournament(seats=2, bots=2)
ONE, TWO = (entry.digest.hex() for entry in CUP.entries)
VARIANT, LIMITS = json.dumps(CUP.variant.as_dict()), json.dumps(CUP.limits.as_dict())

ROWS_OF_THE_FIRST = f"""
INSERT INTO tournament VALUES
  (1, '{CUP.id}', 'cup', 'round-robin', 2, 1, '{VARIANT}', '{LIMITS}', x'00', '', '', 'none', '2026-01-02', NULL, 1);
INSERT INTO bot VALUES (1, x'{ONE}', 'one', '1', 0, 0), (2, x'{TWO}', 'two', '1', 0, 0);
INSERT INTO entry VALUES (1, 0, 1, '', NULL, 1), (1, 1, 2, '', NULL, 0);
INSERT INTO block VALUES (1, 1, 0, x'{ONE}', 0, x'{"".join(sorted((ONE, TWO)))}', 'todo', 1, NULL, 1, 0, 0, NULL);
INSERT INTO void VALUES (1, 1, 1, 'error', 1, 'why', '2026-01-02');
"""


def move(path: Path, to: Callable[[Config], None], mode: str = "rw") -> None:
    """Bring the database at `path` to another schema."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    engine = sqlite_engine(path, mode, "BEGIN IMMEDIATE")
    with engine.begin() as connection:
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
        config.attributes["connection"] = connection
        to(config)
    engine.dispose()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database of the first schema, with a running tournament whose one block was void once."""
    path = tmp_path / "arena.db"
    move(path, lambda config: command.upgrade(config, "0001"), "rwc")
    with closing(sqlite3.connect(path)) as database:
        database.executescript(ROWS_OF_THE_FIRST)
    return path


def test_a_database_of_the_first_schema_keeps_its_rows_and_plays_on(path: Path) -> None:
    with open_store(url_of(path), write=True) as store:
        stored = Repository(store).tournament(CUP.id)
        assert (dict(stored.tournament.options), dict(stored.tournament.owners)) == ({}, {})
        assert rows(path, "SELECT round FROM block") == [(0,)]
        assert rows(path, "SELECT reason FROM void") == [("why",)], "rebuilding a table drops no rows that refer to it"
        assert len(play(store, CUP)) == 1
    assert_sound(path)


@pytest.mark.parametrize("seats", [2, 3])
def test_how_pairs_and_seats_fared_is_counted_from_what_was_stored_before(tmp_path: Path, seats: int) -> None:
    path, cup = tmp_path / "arena.db", tournament(seats=seats, bots=4)
    with opened(path, cup) as store:
        play(store, cup, 7)
    counted = {table: rows(path, f"SELECT * FROM {table}") for table in ("pair", "chair")}
    with closing(sqlite3.connect(path)) as database:
        for change in (
            *(f"ALTER TABLE pair DROP COLUMN {name}" for name in ("blocks", "edge_micro", "square_micro")),
            *(f"DROP TABLE {name}" for name in ("chair", "habit")),
        ):
            database.execute(change)
    move(path, lambda config: command.stamp(config, "0006"))
    move(path, lambda config: command.upgrade(config, "0007"))
    assert {table: rows(path, f"SELECT * FROM {table}") for table in counted} == counted
    assert all(counted.values())
