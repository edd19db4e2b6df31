"""Games of people are found by their id and by whose they are, whole, and not kept without end."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from arena.game.events import Ending
from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.match.record import MatchRecord
from arena.store import games as module
from arena.store.engine import Store
from arena.store.errors import RecordError
from arena.store.games import GAME, LISTED, Games, PlayedGame
from tests.tournament.playing import CAREFUL, play

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ANN, BOB = b"a" * 32, b"b" * 32
SEATS = (b"\1" * 32, bytes(32))
BEGUN = MatchRecord(bytes(32), 0, Variant(threshold=25), Limits(), SEATS, bytes(range(32)), (), (), (), Ending.DEAL_CAP)
RECORD = play(BEGUN, CAREFUL)


def game(name: str, player: bytes = ANN) -> PlayedGame:
    return PlayedGame(name, player, NOW, 1, ("fox", "you"), RECORD)


def test_a_game_is_found_whole_by_its_id_and_by_whose_it_is(store: Store) -> None:
    games = Games(store)
    games.add(game("one"))
    assert games.find("one") == game("one")
    assert games.find("two") is None
    assert (games.of(ANN), games.of(BOB)) == ((game("one"),), ())
    assert game("one").place == RECORD.places[1]


def test_the_last_games_of_a_player_are_listed(store: Store) -> None:
    games = Games(store)
    for number in range(LISTED + 1):
        games.add(game(str(number)))
        games.add(game(f"of another {number}", BOB))
    assert [one.id for one in games.of(ANN)] == [str(number) for number in range(LISTED, 0, -1)]


def test_the_oldest_games_go_when_there_are_many(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    games = Games(store)
    for name in ("one", "two", "three"):
        games.add(game(name))
    assert [one.id for one in games.of(ANN)] == ["three", "two"]


def test_a_damaged_record_is_named(store: Store) -> None:
    Games(store).add(game("one"))
    with store.writing() as connection:
        connection.execute(GAME.update().values(record=b"?"))
    with pytest.raises(RecordError, match="game one is damaged"):
        Games(store).find("one")
