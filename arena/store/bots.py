"""The bots that ever entered: finding them by name, where they took part, and which of them forfeit too often."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.store.engine import Store
from arena.store.errors import StoreError, UnknownBotError
from arena.store.tables import BLOCK, BOT, ENTRY, MATCH, SEAT, TOTAL, TOURNAMENT
from arena.tournament.entries import Entry
from arena.tournament.ports import BlockState

DIGEST = re.compile(r"[0-9a-f]{1,64}")

LAST_MATCHES = 20
"""So many of a bot's last matches, in plan order, decide whether it is left out of the next plan."""

MOST_FORFEITS = LAST_MATCHES // 2
"""With more forfeits than this among them it is."""


class Participation(NamedTuple):
    """A bot in one tournament, in sums (see `arena.store.aggregates.BotSums`).

    `origin` is the folder that it came from, `withdrawn` the reason for which it was withdrawn, None if it was not.
    """

    bot: Entry
    tournament: str
    name: str
    opened: datetime
    finished: datetime | None
    origin: str
    withdrawn: str | None
    voids: int
    seats: int
    matches: int
    place_sum: int
    faults: int
    fault_matches: int


class Bots:
    """Reads about bots, and the one write that forgives. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def participations(self, bot: str | None = None) -> tuple[Participation, ...]:
        """Every bot in every tournament, by name, version and digest, the latest tournament first.

        `bot` is a name (all its versions), NAME@VERSION or the beginning of a digest. Raises UnknownBotError when it
        names nothing.
        """
        if bot is None:
            return self._participations(sa.true())
        with self._store.reading() as connection:
            keys = bot_keys(connection, bot)
        return self.of(keys)

    def of(self, keys: Collection[int]) -> tuple[Participation, ...]:
        """The same of the bots with these keys in the database."""
        return self._participations(BOT.c.key.in_(keys))

    def _participations(self, which: sa.ColumnElement[bool]) -> tuple[Participation, ...]:
        sums = [sa.func.coalesce(TOTAL.c[name], 0) for name in Participation._fields[-5:]]
        entered = [sa.func.min(ENTRY.c.origin), sa.func.max(ENTRY.c.withdrawn), sa.func.max(ENTRY.c.voids)]
        opened = (TOURNAMENT.c.id, TOURNAMENT.c.name, TOURNAMENT.c.opened, TOURNAMENT.c.finished)
        counted = sa.and_(TOTAL.c.bot == ENTRY.c.bot, TOTAL.c.tournament == ENTRY.c.tournament)
        wanted = sa.select(*(BOT.c[name] for name in Entry._fields), *opened, *entered, *sums)
        wanted = wanted.select_from(ENTRY.join(BOT).join(TOURNAMENT).outerjoin(TOTAL, counted))
        wanted = wanted.where(which).group_by(BOT.c.key, TOURNAMENT.c.key)
        wanted = wanted.order_by(BOT.c.name, BOT.c.version, BOT.c.digest, TOURNAMENT.c.key.desc())
        with self._store.reading() as connection:
            rows: Sequence[Any] = connection.execute(wanted).all()
        return tuple(Participation(Entry(*row[:4]), *row[4:]) for row in rows)

    def recent_forfeits(self, digests: Iterable[bytes]) -> dict[bytes, int]:
        """In how many of its last matches each of these bots forfeited; forgiven ones, and bots without any, not."""
        with self._store.reading() as connection:
            found = {digest: _recent_forfeits(connection, digest) for digest in digests}
        return {digest: forfeits for digest, forfeits in found.items() if forfeits}

    def forgive(self, digest: bytes) -> None:
        """From now on no forfeit of the past counts against the bot."""
        latest = sa.select(sa.func.coalesce(sa.func.max(MATCH.c.id), 0)).scalar_subquery()
        with self._store.writing() as connection:
            connection.execute(BOT.update().where(BOT.c.digest == digest).values(forgiven=latest))


def bot_keys(connection: sa.Connection, name: str) -> list[int]:
    """The keys of the bots with this name, or NAME@VERSION, or of the one whose digest begins so.

    UnknownBotError when there is none.
    """
    only, _, version = name.rpartition("@")
    for which in (BOT.c.name == name, sa.and_(BOT.c.name == only, BOT.c.version == version)):
        if named := connection.execute(sa.select(BOT.c.key).where(which)).scalars().all():
            return list(named)
    found: Sequence[Any] = ()
    if DIGEST.fullmatch(name):
        begins = BOT.c.digest.between(*digest_range(name))
        found = connection.execute(sa.select(BOT.c.key, BOT.c.digest).where(begins)).all()
    if not found:
        raise UnknownBotError.worded(
            "no bot %(name)s has entered a tournament: `arena bots list` shows those that have", name=repr(name)
        )
    if len({row.digest for row in found}) > 1:
        raise StoreError.worded("%(word)s is the beginning of several digests: give more of it", word=repr(name))
    return [row.key for row in found]


def entered_keys(connection: sa.Connection, tournament: int) -> dict[bytes, int]:
    """The keys of the bots that entered the tournament with this key, by digest; from its opening on they stay."""
    entered = sa.select(BOT.c.digest, BOT.c.key).join(ENTRY, ENTRY.c.bot == BOT.c.key)
    return dict(connection.execute(entered.where(ENTRY.c.tournament == tournament)).all())


def digest_range(digits: str) -> tuple[bytes, bytes]:
    """The smallest and the largest 32 bytes whose hexadecimal digits begin so."""
    return bytes.fromhex(digits.ljust(64, "0")), bytes.fromhex(digits.ljust(64, "f"))


def _recent_forfeits(connection: sa.Connection, digest: bytes) -> int:
    """Walks back over the plans, from the latest one, and stops as soon as it has seen enough matches."""
    known = connection.execute(sa.select(BOT.c.key, BOT.c.forgiven).where(BOT.c.digest == digest)).all()
    keys, forgiven = [row.key for row in known], max((row.forgiven for row in known), default=0)
    entered = sa.select(ENTRY.c.tournament).where(ENTRY.c.bot.in_(keys)).distinct()
    seen: list[bool] = []
    for tournament in connection.execute(entered.order_by(ENTRY.c.tournament.desc())).scalars().all():
        own = sa.exists().where(SEAT.c.match == MATCH.c.id, SEAT.c.bot.in_(keys))
        played = (BLOCK.c.tournament == tournament, BLOCK.c.state == BlockState.DONE, MATCH.c.id > forgiven, own)
        forfeited = sa.exists().where(SEAT.c.match == MATCH.c.id, SEAT.c.bot.in_(keys), SEAT.c.forfeited)
        last = sa.select(forfeited).select_from(BLOCK.join(MATCH, MATCH.c.block == BLOCK.c.key)).where(*played)
        last = last.order_by(BLOCK.c.ordinal.desc(), MATCH.c.rotation.desc()).limit(LAST_MATCHES - len(seen))
        seen += connection.execute(last).scalars().all()
        if len(seen) == LAST_MATCHES:
            break
    return sum(seen)
