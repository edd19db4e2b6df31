"""What is said when a tournament was played: where to see it in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from arena.cli.outcome import where_to_browse
from arena.settings import DATABASE_VARIABLE, SERVE_VARIABLE
from arena.web.app import create_app
from tests.end_to_end.arena import Arena
from tests.web.serving import settings

GAME = ("tournament", "run", "greedy", "random", "--seats", "2", "--deals", "1", "--deal-cap", "2")


def test_the_last_line_is_where_to_browse_what_was_played(tmp_path: Path) -> None:
    arena = Arena(tmp_path)
    *_, last = arena.run(*GAME).stderr.splitlines()
    found = re.fullmatch(
        r"In a browser: `ARENA_DATABASE_URL=sqlite:///arena.db arena serve` shows it at http://127\.0\.0\.1:8000(/.+)",
        last,
    )
    assert found
    with TestClient(create_app(settings(tmp_path / "arena.db")), base_url="http://localhost") as client:
        assert client.get(found[1]).status_code == 200
    assert "browser" not in arena.run(*GAME, "--quiet").stderr


@pytest.mark.parametrize(
    ("database", "command", "said"),
    [
        ("", "", "`arena serve`"),
        ("sqlite:////tmp/my results.db", "", "`ARENA_DATABASE_URL='sqlite:////tmp/my results.db' arena serve`"),
        ("sqlite:///arena.db", "make serve", "`make serve`"),
    ],
)
def test_the_command_to_browse_is_for_the_database_that_was_used(
    monkeypatch: pytest.MonkeyPatch, database: str, command: str, said: str
) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, database)
    monkeypatch.setenv(SERVE_VARIABLE, command)
    assert where_to_browse("cup").startswith(f"In a browser: {said} shows it at ")
