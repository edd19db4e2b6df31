"""There are so many tables and no more, and a table at which nobody is any more is cleared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from arena.bots.launcher import Launcher, PreparedBot
from arena.game.actions import Declare, Play
from arena.game.variant import Variant
from arena.match.record import PERSON
from arena.web.play import games as module
from arena.web.play.game import Game, Phase
from arena.web.play.games import FullError, Games
from arena.web.play.opponents import Opponent
from tests.fleet.seated import Room
from tests.web.apart import apart

ANN, BOB = b"a" * 32, b"b" * 32
PATIENCE_S = 30.0


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(monkeypatch)


Make = Callable[..., Games]


@pytest.fixture
def make(room: Room, tmp_path: Path) -> Iterator[Make]:
    made: list[Games] = []

    def make(**options: Any) -> Games:
        made.append(Games(f"sqlite:///{tmp_path / 'arena.db'}", **options))
        return made[-1]

    yield make
    for games in made:
        games.close()


def ready(_: Launcher) -> PreparedBot:
    return None  # type: ignore[return-value]  # the bots are functions


def bot(name: str, number: int = 1, prepare: Callable[[Launcher], PreparedBot] = ready) -> Opponent:
    return Opponent(bytes([number]) * 32, name, f"{number}.0", "", prepare)


def start(games: Games, player: bytes = ANN, opponents: Sequence[Opponent] = (bot("fox"),), seat: int = 0) -> Game:
    game = games.start(player, opponents, seat, Variant(threshold=15))
    apart(game.settled(PATIENCE_S))
    return game


def test_the_seats_are_taken_in_the_order_that_was_chosen(make: Make) -> None:
    game = start(make(), opponents=[bot("fox"), bot("owl", 2)], seat=1)
    assert game.setup.seats == (b"\1" * 32, PERSON, b"\2" * 32)
    assert game.setup.names == ("fox", "", "owl")
    assert game.now.phase is Phase.YOURS


@pytest.mark.parametrize(
    ("opponents", "names"),
    [
        ([bot("fox"), bot("fox")], ("", "fox (1)", "fox (2)")),
        ([bot("fox"), bot("fox", 2)], ("", "fox 1.0", "fox 2.0")),
        ([bot("fox\u202e")], ("", "fox\N{REPLACEMENT CHARACTER}")),
    ],
)
def test_bots_can_be_told_apart(make: Make, opponents: list[Opponent], names: tuple[str, ...]) -> None:
    assert start(make(), opponents=opponents).setup.names == names


def test_there_are_so_many_tables_and_no_more(make: Make) -> None:
    games = make(most=1)
    first = start(games)
    with pytest.raises(FullError):
        start(games, BOB)
    first.leave()
    assert start(games, BOB).now.phase is Phase.YOURS


def test_who_has_been_away_for_long_makes_room(make: Make, room: Room) -> None:
    games = make(most=1, away_s=0.0)
    first, second = start(games), start(games, BOB)
    assert (first.now.phase, second.now.phase) == (Phase.LEFT, Phase.YOURS)
    assert [player.closed for player in room.players] == [True, False]


def test_a_table_at_which_nobody_does_anything_is_cleared(make: Make, room: Room) -> None:
    games = make(idle_s=0.0)
    game = start(games)
    games.sweep()
    assert game.now.phase == Phase.LEFT
    assert room.players[0].closed
    assert games.find(game.id, ANN) is None


def test_a_table_at_which_somebody_is_stays(make: Make) -> None:
    games = make()
    game = start(games)
    games.sweep()
    assert games.find(game.id, ANN) is game
    assert games.of(ANN) is game
    assert (games.find(game.id, BOB), games.of(BOB)) == (None, None)


def test_games_that_ended_are_forgotten_when_there_are_many(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENDED", 1)
    games = make()
    ended = []
    for _ in range(3):
        ended.append(start(games))
        ended[-1].leave()
    start(games)
    assert games.find(ended[0].id, ANN) is None
    assert games.find(ended[-1].id, ANN) is ended[-1]


def test_who_leaves_before_the_bots_are_ready_meets_none(make: Make, room: Room) -> None:
    asked, go = Event(), Event()

    def slowly(_: Launcher) -> PreparedBot:
        asked.set()
        assert go.wait(PATIENCE_S)
        return ready(_)

    games = make()
    game = games.start(ANN, [bot("fox", 1, slowly)], 0, Variant())
    assert asked.wait(PATIENCE_S)
    phases = [game.now.phase]
    game.leave()
    go.set()
    game.join(PATIENCE_S)
    phases.append(game.now.phase)
    assert phases == [Phase.READYING, Phase.LEFT]
    assert all(player.closed for player in room.players)


def test_a_game_is_over_also_where_it_cannot_be_kept(make: Make, room: Room, tmp_path: Path) -> None:
    (tmp_path / "arena.db").write_text("no database\n" * 100)
    games = make()
    game = start(games)
    game_over(game)
    assert (game.now.phase, game.now.is_kept) == (Phase.OVER, False)


def game_over(game: Game) -> None:
    """Play on until the end, throwing one card after another, and declare as soon as one may."""
    while game.now.turn is not None:
        seen = game.now.seen
        assert seen is not None
        game.act(game.now.turn, Declare() if seen.public.may_declare else Play(seen.hand[-1:], None))
        apart(game.settled(PATIENCE_S))


def test_after_the_end_nothing_begins(make: Make) -> None:
    games = make()
    start(games)
    games.close()
    with pytest.raises(FullError):
        start(games, BOB)
