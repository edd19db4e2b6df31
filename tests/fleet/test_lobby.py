from typing import Any

from arena.fleet.lobby import Lobby
from arena.match.table import Chair


class Sitting:
    """A player that only knows whether it was closed."""

    def __init__(self) -> None:
        self.prepared = False
        self.closed = False

    def prepare(self) -> None:
        self.prepared = True

    def begin_close(self) -> None:
        self.closed = True

    def close(self) -> None:
        self.closed = True


def lobby(warm: int) -> Any:
    make: Any = lambda _: Sitting()  # noqa: E731
    return Lobby(make, warm)


def chair(number: int) -> Chair:
    return Chair(bytes([number]) * 32, 0, 0)


def test_a_chair_keeps_its_player_and_starts_it_ahead() -> None:
    room = lobby(warm=3)
    player = room.player(chair(1))
    assert player.prepared
    assert room.player(chair(1)) is player
    assert room.player(Chair(chair(1).bot, 0, 1)) is not player
    assert room.player(Chair(chair(1).bot, 1, 0)) is not player


def test_those_that_waited_longest_are_ended_unless_they_are_needed() -> None:
    room = lobby(warm=2)
    players = [room.player(chair(number)) for number in range(5)]
    room.player(chair(0))
    room.trim({chair(2)})
    assert [player.closed for player in players] == [False, True, False, True, True]
    assert room.find(chair(1)) is None
    assert room.find(chair(2)) is players[2]


def test_a_renewed_lobby_has_only_new_players() -> None:
    room = lobby(warm=9)
    player = room.player(chair(1))
    room.renew()
    assert player.closed
    assert room.player(chair(1)) is not player


def test_a_chair_that_is_left_loses_its_player() -> None:
    room = lobby(warm=9)
    player = room.player(chair(1))
    room.leave(chair(1))
    room.leave(chair(2))
    assert player.closed
    assert room.find(chair(1)) is None
