"""Real processes on one database: killed, racing, refused."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.settings import url_of
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.tournament.ports import LedgerError
from tests.store.children import start
from tests.store.made import opened, plan, play, tournament
from tests.store.recomputed import assert_sound, rows

CUP = replace(tournament(bots=6), deals=4)
KILLS = 5


def test_a_writer_killed_again_and_again_loses_no_block_and_counts_none_twice(tmp_path: Path) -> None:
    path, unbroken = tmp_path / "arena.db", tmp_path / "unbroken.db"
    for file in (path, unbroken):
        opened(file, CUP).__enter__().close()
    chance = Random(1)
    for _ in range(KILLS):
        with start("play", path, CUP.id) as child:
            assert child.stdout is not None
            for _ in range(chance.randint(1, 12)):
                assert child.stdout.readline()
            child.kill()
    with start("play", path, CUP.id) as child:
        child.communicate()
    assert child.returncode == 0
    assert rows(path, "SELECT count(*) FROM block WHERE state = 'done'") == [(len(plan(CUP)),)]
    assert_sound(path)
    with open_store(url_of(unbroken), write=True) as store:
        play(store, CUP)
    for table in ("pair", "total"):
        assert rows(path, f"SELECT * FROM {table}") == rows(unbroken, f"SELECT * FROM {table}")


def test_a_second_leader_is_refused_until_the_first_dies_even_if_its_children_live(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with opened(path, CUP) as store, start("hold", path, CUP.id) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "leading\n"
        ledger = SqlLedger(store)
        with pytest.raises(LedgerError, match=f"being played already, by process {child.pid}"), ledger.lead(CUP.id):
            pass
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        with ledger.lead(CUP.id) as epoch:
            assert epoch == 2


def test_a_leader_is_refused_within_its_own_process_too(tmp_path: Path) -> None:
    with opened(tmp_path / "arena.db", CUP) as store:
        first, second = SqlLedger(store), SqlLedger(store)
        with first.lead(CUP.id), pytest.raises(LedgerError, match="being played already"), second.lead(CUP.id):
            pass
        with second.lead(CUP.id):
            pass
    assert [file.name for file in tmp_path.iterdir()] == ["arena.db"]


def test_two_tournaments_of_one_database_can_be_led_at_once(tmp_path: Path) -> None:
    league = tournament("league")
    with opened(tmp_path / "arena.db", CUP, league) as store:
        ledger = SqlLedger(store)
        with ledger.lead(CUP.id), ledger.lead(league.id):
            pass


def test_four_writers_that_read_and_then_write_lose_no_update(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    opened(path, CUP).__enter__().close()
    children = [start("count", path, "100") for _ in range(4)]
    for child in children:
        child.communicate()
    assert [child.returncode for child in children] == [0] * 4
    assert rows(path, "SELECT epoch FROM tournament") == [(400,)]


def test_processes_that_create_one_database_at_once_agree(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    children = [start("create", path) for _ in range(4)]
    for child in children:
        assert child.stdin is not None
        child.stdin.close()
    for child in children:
        with child:
            assert child.stdout is not None and child.stdout.read() == "done\n"
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    assert rows(path, "PRAGMA journal_mode") == [("wal",)]
