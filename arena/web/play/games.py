"""All tables with people at them: who may sit down, who sits where, and what ends when nobody is there any more."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hmac import compare_digest
from threading import Event, Lock, Thread

from arena.bots.launcher import Launcher, PreparedBot
from arena.bots.probe import offered
from arena.fleet.live_match import LiveMatch, TableLeft
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits
from arena.match.record import PERSON
from arena.store.games import Games as Archive
from arena.store.games import PlayedGame
from arena.store.opening import open_store
from arena.tournament.blocks import SEED_BYTES
from arena.tournament.labels import harmless
from arena.web.play.game import Game, Setup
from arena.web.play.opponents import Opponent

MOST_GAMES = 8
"""So many games go on at once: each has a process for each bot at its table."""

MOST_ENDED = 50
"""So many games that have ended are remembered, for their last page."""

IDLE_S = 1800.0
"""A game whose person does nothing for so long is ended."""

AWAY_S = 300.0
"""When all tables are taken, one whose person did nothing for so long makes room."""

SWEEP_EVERY_S = 30.0
ID_BYTES = 18
JOIN_S = 5.0


class FullError(Exception):
    """All tables are taken."""


class Games:
    """The tables. A person has at most one at which a game goes on. All of it may be used from several threads."""

    def __init__(
        self,
        database_url: str,
        *,
        most: int = MOST_GAMES,
        idle_s: float = IDLE_S,
        away_s: float = AWAY_S,
    ) -> None:
        self._database_url = database_url
        self._most = most
        self._idle_s = idle_s
        self._away_s = away_s
        self._lock = Lock()
        self._games: dict[str, Game] = {}
        self._preparing = Lock()
        self._launcher: Launcher | None = None
        self._prepared: dict[bytes, PreparedBot] = {}
        self._closed = Event()
        self._sweeper: Thread | None = None

    def start(self, player: bytes, opponents: Sequence[Opponent], seat: int, variant: Variant) -> Game:
        """Sit down against these in the other seats; who sits at a table already stays there. Raises FullError."""
        digests, names = [one.digest for one in opponents], _names(opponents)
        digests.insert(seat, PERSON)
        names.insert(seat, "")
        setup = Setup(tuple(digests), tuple(names), seat, variant, secrets.token_bytes(SEED_BYTES))
        with self._lock:
            if (known := self._of(player)) is not None:
                return known
            self._make_room()
            name = secrets.token_urlsafe(ID_BYTES)
            game = Game(name, player, setup, lambda: self._sit(setup, opponents), self._keep)
            self._games[name] = game
            if self._sweeper is None:
                self._sweeper = Thread(target=self._sweep_on, name="sweeper", daemon=True)
                self._sweeper.start()
        return game

    def of(self, player: bytes) -> Game | None:
        """The game of a player that goes on."""
        with self._lock:
            return self._of(player)

    def find(self, name: str, player: bytes) -> Game | None:
        """The game with this id, if it is of this player."""
        with self._lock:
            game = self._games.get(name)
        return game if game is not None and compare_digest(game.player, player) else None

    def sweep(self) -> None:
        """End the games whose people have gone, and forget those that ended long ago."""
        with self._lock:
            idle = [game for game in self._games.values() if game.idle_s > self._idle_s]
            for game in idle:
                del self._games[game.id]
        for game in idle:
            game.leave()

    def close(self) -> None:
        """End all games, and every process of theirs."""
        with self._lock:
            self._closed.set()
            games = list(self._games.values())
        if games:
            with ThreadPoolExecutor(len(games)) as pool:
                list(pool.map(Game.leave, games))
        if self._launcher is not None:
            self._launcher.close()
        for game in games:
            game.join(JOIN_S)

    def _of(self, player: bytes) -> Game | None:
        going = (game for game in self._games.values() if not game.now.phase.has_ended)
        return next((game for game in going if compare_digest(game.player, player)), None)

    def _make_room(self) -> None:
        if self._closed.is_set():
            raise FullError
        ended = [game for game in self._games.values() if game.now.phase.has_ended]
        for game in ended[: max(0, len(ended) - MOST_ENDED)]:
            del self._games[game.id]
        going = [game for game in self._games.values() if not game.now.phase.has_ended]
        if len(going) >= self._most:
            longest = max(going, key=lambda game: game.idle_s)
            if longest.idle_s < self._away_s:
                raise FullError
            longest.leave()

    def _sit(self, setup: Setup, opponents: Sequence[Opponent]) -> LiveMatch:
        """Get the bots ready, and begin the match."""
        launcher = self._launched()
        with self._preparing:
            for one in opponents:
                if one.digest not in self._prepared:
                    self._prepared[one.digest] = one.prepare(launcher)
            bots = {one.digest: self._prepared[one.digest] for one in opponents}
        return LiveMatch(setup.seats, bots, launcher, setup.variant, Limits(), setup.seed)

    def _launched(self) -> Launcher:
        """The launcher of all games; raises TableLeft when none is to be made any more."""
        level = offered().level
        with self._lock:
            if self._closed.is_set():
                raise TableLeft
            if self._launcher is None:
                self._launcher = Launcher(ProcessLimits(), level)
            return self._launcher

    def _keep(self, game: PlayedGame) -> None:
        with open_store(self._database_url, write=True) as store:
            Archive(store).add(game)

    def _sweep_on(self) -> None:
        while not self._closed.wait(SWEEP_EVERY_S):
            self.sweep()


def _names(opponents: Sequence[Opponent]) -> list[str]:
    """What the bots at a table are called: with their version or a number where the name alone does not tell them
    apart."""
    names = [harmless(one.name) for one in opponents]
    if len(set(names)) < len({one.digest for one in opponents}):
        names = [harmless(one.label) for one in opponents]
    return [
        f"{name} ({names[: place + 1].count(name)})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]
