from dataclasses import replace
from pathlib import Path

import pytest

from arena.game.variant import Variant
from tests.cli.stored import Shell, store_tournament
from tests.tournament.playing import Manners, bots, tournament

CUP = replace(tournament(bots(4), 3, Variant(threshold=25), deals=2), id="cup012345678", name="Cup")
RUNNING = replace(tournament(bots(4), 2, Variant(threshold=25)), id="run012345678", name="Running", beacon="draw")


@pytest.fixture(scope="session")
def two_tournaments(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament at tables of 3, and a running one at tables of 2 that opened later. Read only."""
    path = tmp_path_factory.mktemp("stored") / "arena.db"
    store_tournament(path, CUP, Manners(fault_rate=0.01))
    store_tournament(path, RUNNING, blocks=3)
    return path


@pytest.fixture
def shell(two_tournaments: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """The command line against the two tournaments."""
    return Shell(two_tournaments, monkeypatch, capsys)


@pytest.fixture
def empty_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """The command line against a database that is not there yet."""
    return Shell(tmp_path / "arena.db", monkeypatch, capsys)
