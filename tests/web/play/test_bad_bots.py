"""Bots that misbehave at a table with a person: the person plays on or is told why not, and nothing of them stays."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from threading import active_count

import psutil
import pytest

from arena.bots.folders import open_folder
from arena.game.actions import Play
from arena.game.variant import Variant
from arena.web.play.game import Game, Phase
from arena.web.play.games import Games
from arena.web.play.opponents import Opponent
from tests.bots.making import make_scripted
from tests.end_to_end.arena import survivors
from tests.web.apart import apart

PATIENCE_S = 60.0

pytestmark = pytest.mark.slow


@pytest.fixture
def games(tmp_path: Path) -> Iterator[Games]:
    games = Games(f"sqlite:///{tmp_path / 'arena.db'}")
    yield games
    games.close()


def act(game: Game) -> None:
    """Throw a card as soon as it is the person's turn, and wait for what comes of it."""
    apart(game.settled(PATIENCE_S))
    turn, seen = game.now.turn, game.now.seen
    assert turn is not None and seen is not None
    game.act(turn, Play(seen.hand[-1:], None))
    apart(game.settled(PATIENCE_S))


def opponent(folder: Path, *words: str) -> Opponent:
    bot = open_folder(make_scripted(folder, *words))
    return Opponent(bot.digest, bot.name, bot.version, "", lambda launcher: launcher.prepare(bot))


@pytest.mark.parametrize("word", ["hang", "kill", "huge", "stderr:10000000", "hog"])
def test_the_person_plays_on_and_nothing_is_left_when_it_has_gone(games: Games, tmp_path: Path, word: str) -> None:
    before, threads = set(psutil.Process().children(recursive=True)), active_count()
    game = games.start(secrets.token_bytes(32), [opponent(tmp_path / "bad", word)], 0, Variant(threshold=15))
    act(game)
    assert game.now.phase is Phase.YOURS
    started = set(psutil.Process().children(recursive=True)) - before
    games.close()
    assert survivors(list(started), 10) == []
    assert active_count() <= threads


@pytest.mark.parametrize(
    ("word", "reason"),
    [("exit-at-import:1", "exited with status 1 before it listened"), ("never-listens", "did not listen within 10 s")],
)
def test_the_person_is_told_why_a_bot_does_not_play(games: Games, tmp_path: Path, word: str, reason: str) -> None:
    game = games.start(secrets.token_bytes(32), [opponent(tmp_path / "bad", word)], 1, Variant(threshold=15))
    act(game)
    assert game.now.phase is Phase.FAILED
    assert game.now.reason == f"bad cannot be started: {reason}"
