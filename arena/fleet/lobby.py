"""The processes of a slot: one player for each chair, kept warm for later blocks as far as memory allows."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Container

from arena.bots.calling import CallingPlayer, Noted, close_players
from arena.bots.launcher import Launcher, PreparedBot
from arena.bots.player import ProcessPlayer
from arena.bots.remote import Access
from arena.bots.remote_player import RemotePlayer
from arena.match.table import Chair


def new_player(
    bot: PreparedBot | Access, launcher: Launcher, failed: Callable[[Exception], None], noted: Noted = lambda *_: None
) -> CallingPlayer:
    """A player for one chair of a bot: a process, or a connection to one elsewhere; nothing is started yet."""
    if isinstance(bot, Access):
        return RemotePlayer(bot, launcher.limits, launcher.deadlines, launcher.keepers.watchdog, failed, noted)
    return ProcessPlayer(bot, launcher, failed, noted)


class Lobby:
    """The seating of a slot. `make` makes the player of a chair; it is called once in a chair's life."""

    def __init__(self, make: Callable[[Chair], CallingPlayer], warm: int) -> None:
        """`warm` is how many players may stay when their matches are over."""
        self._make = make
        self._warm = warm
        self._lock = threading.Lock()  # the end of a slot comes from another thread than its play
        self._players: OrderedDict[Chair, CallingPlayer] = OrderedDict()

    def player(self, chair: Chair) -> CallingPlayer:
        """The player in this chair."""
        with self._lock:
            player = self._players.get(chair)
            if player is None:
                player = self._players[chair] = self._make(chair)
                player.prepare()
            self._players.move_to_end(chair)
            return player

    def find(self, chair: Chair) -> CallingPlayer | None:
        """The player in this chair, if there is one already."""
        return self._players.get(chair)

    def leave(self, chair: Chair) -> None:
        """End the player of a chair that is no longer needed."""
        with self._lock:
            player = self._players.pop(chair, None)
        if player is not None:
            player.begin_close()

    def trim(self, needed: Container[Chair]) -> None:
        """Let the players end that waited longest and are not `needed`, until no more than `warm` are left."""
        with self._lock:
            surplus = max(0, len(self._players) - self._warm)
            idle = [chair for chair in self._players if chair not in needed]
            closing = [self._players.pop(chair) for chair in idle[:surplus]]
        for player in closing:
            player.begin_close()

    def renew(self) -> None:
        """End all players: a block that is played again must meet only new processes."""
        with self._lock:
            closing = list(self._players.values())
            self._players.clear()
        close_players(closing)
