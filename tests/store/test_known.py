from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from arena.store.known import Identity, KnownBot, KnownBots
from arena.store.submissions import Submission, Submissions
from tests.store.made import entries, opened, tournament

CUP = tournament("cup", bots=5)
SUBMITTED = [
    Submission(name, version, digest, "ada", "", datetime(2026, 1, 1, tzinfo=UTC))
    for name, version, digest in (*(entry[:3] for entry in entries(2)), ("bot1", "2.0", b"\2" * 32))
]


def test_pages_of_bots_hold_each_one_once_whether_it_played_or_was_submitted(tmp_path: Path) -> None:
    with opened(tmp_path / "arena.db", CUP) as store:
        for one in SUBMITTED:
            Submissions(store).add(one, {}, b"packed")
        known = KnownBots(store)
        whole = known.page(limit=100)
        paged: list[KnownBot] = []
        while page := known.page(after=Identity(*paged[-1].bot[:3]) if paged else None, limit=2):
            paged += page
    assert paged == list(whole)
    assert [one.bot[:3] for one in whole] == sorted({*(bot[:3] for bot in CUP.entries), *(s[:3] for s in SUBMITTED)})
    assert [(one.bot.name, len(one.entered)) for one in whole if one.submission] == [
        ("bot0", 1),
        ("bot1", 1),
        ("bot1", 0),
    ]
