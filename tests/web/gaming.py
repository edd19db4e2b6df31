"""A game that somebody played against a bot, in a database that is there already."""

from __future__ import annotations

from datetime import UTC, datetime

from arena.game.events import Ending
from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.match.record import PERSON, MatchRecord
from arena.store.engine import Store
from arena.store.games import Games, PlayedGame
from tests.tournament.playing import CAREFUL, play
from tests.web.pages import Stored

BEGUN = MatchRecord(
    bytes(32), 0, Variant(threshold=25), Limits(), (b"\1" * 32, PERSON), bytes(range(32)), (), (), (), Ending.DEAL_CAP
)
GAME = PlayedGame("game-of-a-test", bytes(32), datetime.now(UTC), 1, ("fox & <b>Co", ""), play(BEGUN, CAREFUL))


def with_game(store: Store, stored: Stored) -> Stored:
    """The same and a game."""
    Games(store).add(GAME)
    return stored._replace(game=GAME.id)
