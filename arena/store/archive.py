"""The archive of finished matches: listings by pages, one match by its address, all records of a tournament.

Only matches of finished blocks are stored, so nothing else can be read here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import islice
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.game.events import Ending
from arena.store.bots import bot_keys, digest_range
from arena.store.engine import Store
from arena.store.errors import StoreError
from arena.store.repository import tournament_key
from arena.store.tables import BLOCK, BOT, ENTRY, MATCH, PAIR, RECORD, SEAT, TOTAL, TOURNAMENT, split_lineup
from arena.tournament.entries import Entry
from arena.tournament.ports import BlockState, PlannedBlock
from arena.wire.codec import Undecodable, read_ending

ADDRESS = re.compile(r"(?:(?P<tournament>.+)/)?(?P<block>[0-9a-f]{1,64})/(?P<rotation>[0-9]{1,9})")
BLOCKS_AT_ONCE = 50


class ListedSeat(NamedTuple):
    """A seat of a listed match."""

    bot: Entry
    place: int
    points: int
    faults: int
    forfeited: bool


class ListedMatch(NamedTuple):
    """A match as a listing shows it; `id` grows with time and is what pages are cut by.

    `ending` is None where the record is damaged.
    """

    id: int
    seats: tuple[ListedSeat, ...]
    tournament: str
    block_id: bytes
    rotation: int
    digest: bytes
    deals: int
    turns: int
    ending: Ending | None


class StoredMatch(NamedTuple):
    """A match with its packed record; `attempt` is the one of its block that was stored."""

    tournament: str
    block: PlannedBlock
    rotation: int
    attempt: int
    digest: bytes
    record: bytes


class StoredBlock(NamedTuple):
    """The matches of a finished block by rotation; `ordinal` is its place in the plan."""

    ordinal: int
    matches: tuple[StoredMatch, ...]


class Archive:
    """Reads of finished matches. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def matches(
        self, *, tournament: str | None = None, bot: str | None = None, before: int | None = None, limit: int = 50
    ) -> tuple[ListedMatch, ...]:
        """The latest matches, the last one first, at most `limit`; the next page is the one `before` the last id.

        `tournament` is an id, a name or the beginning of an id; `bot` is a name (all its versions) or the beginning of
        a digest. Raises StoreError when they name nothing.
        """
        with self._store.reading() as connection:
            key = None if tournament is None else tournament_key(connection, tournament, self._store)
            if bot is None:
                ids = list(connection.execute(_newest(MATCH.c.id, key, before, limit)).scalars())
            else:
                # Page by page for each version of the bot, so that none of them costs more than its own page.
                own = [_newest(SEAT.c.match, key, before, limit, bot=one) for one in bot_keys(connection, bot)]
                pages = [list(connection.execute(page).scalars()) for page in own]
                ids = list(islice(dict.fromkeys(merge(*pages, reverse=True)), limit))
            return _listed(connection, ids)

    def between(
        self, one: str, other: str, *, tournament: str | None = None, before: int | None = None, limit: int = 50
    ) -> tuple[ListedMatch, ...]:
        """The latest matches in which both bots sat, named and cut into pages as in `matches`."""
        with self._store.reading() as connection:
            key = None if tournament is None else tournament_key(connection, tournament, self._store)
            met = _met(connection, bot_keys(connection, one), bot_keys(connection, other), key)
            pages = [_newest(SEAT.c.match, where, before, limit, bot=a, beside=b) for where, a, b in met]
            found = [list(connection.execute(page).scalars()) for page in pages]
            return _listed(connection, list(islice(dict.fromkeys(merge(*found, reverse=True)), limit)))

    def find(self, address: str) -> StoredMatch:
        """The match at `<tournament>/<block id>/<rotation>`; unique beginnings will do, and no tournament if unique.

        Raises StoreError when the address names no match, several, or one of a block that is not finished.
        """
        parts = ADDRESS.fullmatch(address)
        if parts is None:
            raise StoreError.worded(
                "%(address)s is not the address of a match: use TOURNAMENT/BLOCK/ROTATION as `arena matches` shows it",
                address=repr(address),
            )
        with self._store.reading() as connection:
            among: list[sa.ColumnElement[bool]] = [BLOCK.c.block_id.between(*digest_range(parts["block"]))]
            if parts["tournament"] is not None:
                among.append(BLOCK.c.tournament == tournament_key(connection, parts["tournament"], self._store))
            columns = (TOURNAMENT.c.id, MATCH.c.rotation, MATCH.c.digest, RECORD.c.data, BLOCK)
            wanted = sa.select(*columns).join_from(BLOCK, MATCH, MATCH.c.block == BLOCK.c.key).join(RECORD)
            wanted = wanted.join(TOURNAMENT, TOURNAMENT.c.key == BLOCK.c.tournament)
            rows = connection.execute(wanted.where(*among, MATCH.c.rotation == int(parts["rotation"])).limit(2)).all()
            if len(rows) > 1:
                raise StoreError.worded(
                    "%(address)s could be several matches: give more of the block or the tournament",
                    address=repr(address),
                )
            if not rows:
                planned = sa.select(BLOCK.c.key).where(*among, BLOCK.c.state != BlockState.DONE).limit(1)
                if connection.execute(planned).first() is not None:
                    raise StoreError.worded(
                        "the block of %(address)s is not finished: nothing of it is shown before that",
                        address=repr(address),
                    )
                raise StoreError.worded(
                    "there is no match %(address)s: `arena matches` lists those that there are", address=repr(address)
                )
            return _stored(rows[0].id, rows[0], rows[0])

    def records(self, tournament: str) -> Iterator[StoredMatch]:
        """All finished matches of the tournament with this id, as of now: blocks in plan order, rotations in order.

        The records are fetched as they are taken, in short reads.
        """
        with self._store.reading() as connection:
            key = connection.execute(sa.select(TOURNAMENT.c.key).where(TOURNAMENT.c.id == tournament)).scalar()
            last = connection.execute(sa.select(sa.func.max(MATCH.c.id)).where(MATCH.c.tournament == key)).scalar() or 0
        after = -1
        while blocks := self._blocks(tournament, after, BLOCKS_AT_ONCE, MATCH.c.id <= last):
            for block in blocks:
                yield from block.matches
            after = blocks[-1].ordinal

    def blocks(self, tournament: str, *, after: int = -1, limit: int = BLOCKS_AT_ONCE) -> tuple[StoredBlock, ...]:
        """The first `limit` finished blocks of the tournament with this id that stand behind a place in the plan."""
        return self._blocks(tournament, after, limit)

    def _blocks(
        self, tournament: str, after: int, limit: int, *which: sa.ColumnElement[bool]
    ) -> tuple[StoredBlock, ...]:
        done = sa.select(BLOCK).join(TOURNAMENT, TOURNAMENT.c.key == BLOCK.c.tournament)
        done = done.where(TOURNAMENT.c.id == tournament, BLOCK.c.state == BlockState.DONE, BLOCK.c.ordinal > after)
        columns = (MATCH.c.block, MATCH.c.rotation, MATCH.c.digest, RECORD.c.data)
        played = sa.select(*columns).join_from(MATCH, RECORD).where(*which).order_by(MATCH.c.rotation)
        matches = defaultdict(list)
        with self._store.reading() as connection:
            rows = connection.execute(done.order_by(BLOCK.c.ordinal).limit(limit)).all()
            for row in connection.execute(played.where(MATCH.c.block.in_([block.key for block in rows]))):
                matches[row.block].append(row)
        return tuple(
            StoredBlock(block.ordinal, tuple(_stored(tournament, block, row) for row in matches[block.key]))
            for block in rows
        )


def _newest(
    match: sa.Column[Any],
    tournament: int | None,
    before: int | None,
    limit: int,
    bot: int | None = None,
    beside: int | None = None,
) -> sa.Select[Any]:
    """The ids of the newest matches, read in an index from the end, whatever lies before them.

    Of those of `bot`, where there is one; and of these, of those in which the bot `beside` sat too.
    """
    wanted = sa.select(match).distinct().order_by(match.desc()).limit(limit)
    if bot is not None:
        wanted = wanted.where(SEAT.c.bot == bot)
    if beside is not None:
        there = SEAT.alias()
        wanted = wanted.where(sa.exists().where(there.c.match == match, there.c.bot == beside))
    if bot is None or tournament is None:
        wanted = wanted if before is None else wanted.where(match < before)
        return wanted if tournament is None else wanted.where(MATCH.c.tournament == tournament)
    span = sa.select(sa.func.min(MATCH.c.id)), sa.select(sa.func.max(MATCH.c.id))
    first, last = (end.where(MATCH.c.tournament == tournament).scalar_subquery() for end in span)
    # One bound only: of two, SQLite may begin at the greater one and read all that lies between them.
    end = last + 1 if before is None else sa.case((last < before, last + 1), else_=before)
    return wanted.join(MATCH).where(MATCH.c.tournament == tournament, match >= first, match < end)


def _met(
    connection: sa.Connection, ones: Sequence[int], others: Sequence[int], tournament: int | None
) -> list[tuple[int, int, int]]:
    """Where bots with these keys met: the tournament's key, and both bots, the one that sat in fewer matches first."""
    bots = {*ones, *others}
    wanted = sa.select(PAIR.c.tournament, PAIR.c.a, PAIR.c.b).distinct().where(PAIR.c.a.in_(bots), PAIR.c.b.in_(bots))
    entered = sa.select(ENTRY.c.tournament).where(ENTRY.c.bot.in_(ones)) if tournament is None else [tournament]
    found = connection.execute(wanted.where(PAIR.c.tournament.in_(entered))).all()
    sat = sa.select(TOTAL.c.tournament, TOTAL.c.bot, TOTAL.c.matches).where(TOTAL.c.bot.in_(bots))
    sat = sat.where(TOTAL.c.tournament.in_({where for where, _, _ in found}))
    matches = {(where, bot): count for where, bot, count in connection.execute(sat)}
    return [
        (where, *sorted((a, b), key=lambda bot: matches.get((where, bot), 0)))
        for where, a, b in found
        if (a in ones and b in others) or (a in others and b in ones)
    ]


def _stored(tournament: str, block: Any, match: Any) -> StoredMatch:
    planned = PlannedBlock(block.block_id, block.number, split_lineup(block.lineup))
    return StoredMatch(tournament, planned, match.rotation, block.played, match.digest, match.data)


def _listed(connection: sa.Connection, ids: list[int]) -> tuple[ListedMatch, ...]:
    columns = (
        MATCH.c.id,
        TOURNAMENT.c.id,
        BLOCK.c.block_id,
        *(MATCH.c[n] for n in ("rotation", "digest", "deals", "turns")),
        RECORD.c.data,
    )
    matches = sa.select(*columns).join_from(MATCH, BLOCK, BLOCK.c.key == MATCH.c.block).outerjoin(RECORD)
    matches = matches.join(TOURNAMENT, TOURNAMENT.c.key == MATCH.c.tournament).where(MATCH.c.id.in_(ids))
    bots = (BOT.c.name, BOT.c.version, BOT.c.digest, BOT.c.remote)
    results = (SEAT.c.place, SEAT.c.points, SEAT.c.faults, SEAT.c.forfeited)
    sat = sa.select(SEAT.c.match, *bots, *results).join_from(SEAT, BOT).where(SEAT.c.match.in_(ids))
    seats: dict[int, list[ListedSeat]] = defaultdict(list)
    for match, *row in connection.execute(sat.order_by(SEAT.c.match, SEAT.c.seat)):
        seats[match].append(ListedSeat(Entry(*row[:4]), *row[4:]))
    found = connection.execute(matches.order_by(MATCH.c.id.desc()))
    return tuple(ListedMatch(match, tuple(seats[match]), *(*row, _ending(data))) for match, *row, data in found)


def _ending(data: bytes | None) -> Ending | None:
    try:
        return read_ending(data or b"")
    except Undecodable:
        return None
