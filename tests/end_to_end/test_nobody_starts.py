"""A tournament of bots that all fail to start is a command that failed, and rates nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.errors import FAILED
from tests.bots.making import make_scripted
from tests.end_to_end.arena import Arena


@pytest.mark.slow
def test_when_no_bot_can_be_started_nothing_is_played_and_nobody_rated(tmp_path: Path) -> None:
    for name, status in (("one", 3), ("two", 4)):
        make_scripted(tmp_path / name, f"exit-at-import:{status}")
    arena = Arena(tmp_path)
    done = arena.run("tournament", "run", "./one", "./two", "--seats", "2", "--deals", "1", "--quiet")
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert "before it listened: this bot gives up" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("arena: no block could be played")
    assert arena.json("matches") == []
    assert [row["rating"] for row in arena.json("rankings")] == [None, None]
