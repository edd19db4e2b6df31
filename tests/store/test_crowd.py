"""Many at one database, and much in it: nobody waits in vain, and the last page comes as fast as the first."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from arena.settings import url_of
from arena.store.archive import Archive
from arena.store.engine import Store
from arena.store.opening import open_store
from tests.store.children import start
from tests.store.made import opened, play, tournament
from tests.store.recomputed import rows

CUP = tournament("crowd")
WRITERS, TIMES = 8, 50
BLOCKS, ROTATIONS = 66_667, 3

COPIES = f"""
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {BLOCKS})
INSERT INTO block (tournament, ordinal, block_id, number, lineup, state, attempts, played, voids, losses, suspect)
SELECT tournament, 100 + i, randomblob(32), 100 + i, lineup, state, 1, 1, 0, 0, 0
FROM n, (SELECT * FROM block WHERE key = (SELECT MIN(block) FROM match));
INSERT INTO match (tournament, block, rotation, digest, deals, turns)
SELECT tournament, key, r.rotation, block_id, 5, 40
FROM block, (SELECT DISTINCT rotation FROM match) r WHERE ordinal > 100 ORDER BY key, r.rotation;
INSERT INTO seat (match, seat, bot, place, points, faults, forfeited)
SELECT m.id, s.seat, s.bot, s.place, s.points, 0, 0
FROM match m, (SELECT * FROM seat WHERE match = (SELECT MIN(id) FROM match)) s
WHERE m.id NOT IN (SELECT match FROM seat);
"""
"""Makes of one stored block very many."""


@pytest.mark.slow
def test_eight_writers_and_a_reader_meet_no_lock_and_see_one_truth(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    opened(path, CUP).__enter__().close()
    writers = [start("count", path, str(TIMES)) for _ in range(WRITERS)]
    seen = [0]
    with open_store(url_of(path), write=False) as store:
        while any(writer.poll() is None for writer in writers):
            with store.reading() as connection:
                for _ in range(2):
                    seen.append(connection.exec_driver_sql("SELECT epoch FROM tournament").scalar_one())
            assert seen[-1] == seen[-2], "a read is one picture"
    for writer in writers:
        writer.communicate()
    assert [writer.returncode for writer in writers] == [0] * WRITERS
    assert seen == sorted(seen)
    assert rows(path, "SELECT epoch FROM tournament") == [(WRITERS * TIMES,)]


def quickest(store: Store, before: int | None, **which: str) -> float:
    """Seconds for a page, without what the machine does besides."""
    took = []
    for _ in range(15):
        began = time.perf_counter()
        page = Archive(store).matches(before=before, limit=50, **which)
        took.append(time.perf_counter() - began)
        assert len(page) == 50
    return min(took)


@pytest.mark.slow
def test_of_two_hundred_thousand_matches_the_last_page_is_as_fast_as_the_first(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with opened(path, CUP) as store:
        play(store, CUP, blocks=1)
    with closing(sqlite3.connect(path)) as database:
        database.executescript(COPIES)
    assert rows(path, "SELECT COUNT(*) FROM match") == [((BLOCKS + 1) * ROTATIONS,)]
    ((bot,),) = rows(path, "SELECT name FROM bot WHERE key = (SELECT MIN(bot) FROM seat)")
    with open_store(url_of(path), write=False) as store:
        for which in ({}, {"tournament": CUP.id}, {"bot": str(bot)}, {"tournament": CUP.id, "bot": str(bot)}):
            first, last = (quickest(store, before, **which) for before in (None, 51))
            assert last < 3 * first + 0.002, (which, first, last)
