"""Games that people played against bots in the browser: kept to be looked at again, and rated by nobody."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Field

from arena.match.record import MatchRecord
from arena.store.engine import Store
from arena.store.errors import RecordError
from arena.store.tables import BIG, Model, table_of
from arena.wire.codec import Undecodable, decode_record, encode_record, pack_record, unpack_record

MOST_KEPT = 20_000
"""So many games are kept, the latest ones: anybody may play."""

LISTED = 5
"""So many of a player's games are listed."""


class GameRow(Model, table=True):
    """A finished game. `player` is the SHA-256 of what the person's browser shows, `names` are by seat."""

    __tablename__ = "game"
    __table_args__ = (sa.Index(None, "player", "key"), {"sqlite_autoincrement": True})
    key: int | None = Field(default=None, sa_type=BIG, primary_key=True)
    id: str = Field(max_length=32, unique=True)
    player: bytes
    ended: datetime
    seat: int
    names: list[str] = Field(sa_type=sa.JSON)
    record: bytes


GAME = table_of(GameRow)


class PlayedGame(NamedTuple):
    """A finished game: whose it was, where that person sat, and what all seats are called."""

    id: str
    player: bytes
    ended: datetime
    seat: int
    names: tuple[str, ...]
    record: MatchRecord

    @property
    def place(self) -> int:
        """The place that the person came to."""
        return self.record.places[self.seat]


class Games:
    """Reads and writes games. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, game: PlayedGame) -> None:
        """Keep a game, and forget those that are too many."""
        packed = pack_record(encode_record(game.record).record)
        row = game._asdict() | {"names": list(game.names), "record": packed}
        with self._store.writing() as connection:
            key = connection.execute(GAME.insert().values(row).returning(GAME.c.key)).scalar_one()
            connection.execute(GAME.delete().where(GAME.c.key <= key - MOST_KEPT))

    def find(self, game: str) -> PlayedGame | None:
        """The game with this id. Raises RecordError when its record is damaged."""
        with self._store.reading() as connection:
            row = connection.execute(sa.select(*_COLUMNS).where(GAME.c.id == game)).one_or_none()
        return None if row is None else _game(row)

    def of(self, player: bytes) -> tuple[PlayedGame, ...]:
        """The last games of a player, the latest first. Raises RecordError when a record is damaged."""
        wanted = sa.select(*_COLUMNS).where(GAME.c.player == player).order_by(GAME.c.key.desc()).limit(LISTED)
        with self._store.reading() as connection:
            return tuple(map(_game, connection.execute(wanted)))


_COLUMNS: list[Any] = [GAME.c[name] for name in PlayedGame._fields]


def _game(row: Any) -> PlayedGame:
    try:
        record = decode_record(unpack_record(row.record))
    except Undecodable as error:
        raise RecordError(f"the record of game {row.id} is damaged ({error}): restore a backup") from error
    return PlayedGame(row.id, row.player, row.ended, row.seat, tuple(row.names), record)
