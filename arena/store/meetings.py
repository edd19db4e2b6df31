"""How bots fared against each other, from sums: a page of pairs costs the same whatever was played."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.rating.block_sums import BlockSums
from arena.store.bots import entered_keys
from arena.store.engine import Store
from arena.store.repository import tournament_key
from arena.store.tables import BOT, PAIR


class Meeting(NamedTuple):
    """How a bot fared against another: of `games` (pairs of their seats at one table) it finished ahead in `wins` and
    level in `draws`; the rest are sums over the `blocks` that hold both, see `arena.store.aggregates.PairSums`."""

    games: int
    wins: int
    draws: int
    blocks: int
    edge_micro: int
    square_micro: int

    @property
    def losses(self) -> int:
        """How often it finished behind."""
        return self.games - self.wins - self.draws

    @property
    def sums(self) -> BlockSums:
        """What tells its share of the points."""
        return BlockSums(self.blocks, self.games, self.wins + self.draws / 2, self.edge_micro, self.square_micro)

    def turned(self) -> Meeting:
        """The same as the other one sees it."""
        return self._replace(wins=self.losses, edge_micro=-self.edge_micro)


class KeyedMeeting(NamedTuple):
    """How bot `a` fared against bot `b`; `key` is what pages are cut by."""

    key: tuple[int, int]
    a: bytes
    b: bytes
    meeting: Meeting


class Meetings:
    """Reads of sums of pairs, in finished blocks or, `clean`, in those without a fault. Failures are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def between(
        self, tournament: str, bots: Collection[bytes], others: Collection[bytes], *, clean: bool = False
    ) -> Mapping[tuple[bytes, bytes], Meeting]:
        """How each of these bots fared against each of the others in the tournament with this id; without those that
        never met."""
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
            keys = entered_keys(connection, key)
            down, across = ({keys[bot]: bot for bot in side if bot in keys} for side in (bots, others))
            ahead = _pairs(connection, key, clean, PAIR.c.a.in_(down), PAIR.c.b.in_(across))
            behind = _pairs(connection, key, clean, PAIR.c.a.in_(across), PAIR.c.b.in_(down))
        met = {(down[a], across[b]): meeting for (a, b), meeting in ahead.items()}
        return met | {(down[b], across[a]): meeting.turned() for (a, b), meeting in behind.items()}

    def of(self, tournament: str, bot: bytes, *, clean: bool = False) -> Mapping[bytes, Meeting]:
        """How a bot fared against every other that it met in the tournament with this id."""
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
            keys = entered_keys(connection, key)
            own = keys.get(bot)
            ahead = _pairs(connection, key, clean, PAIR.c.a == own)
            behind = _pairs(connection, key, clean, PAIR.c.b == own)
        names = {number: digest for digest, number in keys.items()}
        met = {names[b]: meeting for (_, b), meeting in ahead.items()}
        return met | {names[a]: meeting.turned() for (a, _), meeting in behind.items()}

    def page(
        self, tournament: str, *, clean: bool = False, after: tuple[int, int] = (0, 0), limit: int = 100
    ) -> tuple[KeyedMeeting, ...]:
        """Every two bots that met in the tournament with this id, once; the next page is the one `after` the last."""
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
            behind = sa.tuple_(PAIR.c.a, PAIR.c.b) > sa.tuple_(*map(sa.literal, after))
            found = _pairs(connection, key, clean, behind, limit=limit)
            keys = {bot for pair in found for bot in pair}
            names = dict(connection.execute(sa.select(BOT.c.key, BOT.c.digest).where(BOT.c.key.in_(keys))).all())
        return tuple(KeyedMeeting((a, b), names[a], names[b], meeting) for (a, b), meeting in found.items())


def _pairs(
    connection: sa.Connection,
    tournament: int,
    clean: bool,
    *which: sa.ColumnElement[bool],
    limit: int | None = None,
) -> dict[tuple[int, int], Meeting]:
    """The sums of pairs by the keys of both bots and in their order, over table sizes and, unless `clean`, over all
    blocks."""
    sums: list[Any] = [sa.func.sum(PAIR.c["n" if name == "games" else name]) for name in Meeting._fields]
    wanted = sa.select(PAIR.c.a, PAIR.c.b, *sums).where(PAIR.c.tournament == tournament, *which)
    if clean:
        wanted = wanted.where(PAIR.c.clean)
    wanted = wanted.group_by(PAIR.c.a, PAIR.c.b).order_by(PAIR.c.a, PAIR.c.b).limit(limit)
    return {(a, b): Meeting(*row) for a, b, *row in connection.execute(wanted)}
