"""Tournaments as the commands see them: opening one with its plan, finding it, and what its ranking is made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.store.aggregates import BotSums
from arena.store.engine import Store
from arena.store.errors import StoreError, nothing_played
from arena.store.rounds import block_rows, read_rounds
from arena.store.tables import BLOCK, BOT, ENTRY, OPEN, TOTAL, TOURNAMENT, VOID, split_lineup
from arena.tournament.entries import Entry
from arena.tournament.ports import BlockState, PlannedBlock, Tournament
from arena.tournament.rounds import Round

if TYPE_CHECKING:
    from arena.store.ratings import Ratings

PLAN_BATCH = 1000


class StoredTournament(NamedTuple):
    """A tournament, when it was finished (None while it is not), and how many blocks stand in each state."""

    tournament: Tournament
    finished: datetime | None
    blocks: Mapping[BlockState, int]

    def waiting(self) -> bool:
        """Whether nothing is left to play but blocks of withdrawn bots, for which it is kept open."""
        return self.settled() and self.blocks[BlockState.WITHDRAWN] > 0

    def settled(self) -> bool:
        """Whether it is not finished, though no block that was planned so far is left to play."""
        return self.finished is None and not any(self.blocks[state] for state in OPEN)


class TournamentName(NamedTuple):
    """What a tournament is called and is: enough to choose one."""

    id: str
    name: str
    format: str
    seats: int
    opened: datetime
    finished: datetime | None


class EntryState(NamedTuple):
    """An entry, the folder that it came from ("" if unknown), the reason for which it was withdrawn (None if it was
    not), and how many voids it was present at."""

    entry: Entry
    origin: str
    withdrawn: str | None
    voids: int


class MissingBlock(NamedTuple):
    """A planned block that is not done, and why its last run brought nothing ("" when none did)."""

    block: PlannedBlock
    state: BlockState
    reason: str


class Repository:
    """Reads of tournaments, and the writes that open them. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def ratings(self) -> Ratings:
        """The ratings of these tournaments."""
        from arena.store.ratings import Ratings  # noqa: PLC0415  (they need scipy, which takes 0.2 s to load)

        return Ratings(self._store)

    def create_tournament(
        self, tournament: Tournament, plan: Iterable[PlannedBlock], origins: Mapping[bytes, str] = MappingProxyType({})
    ) -> None:
        """Store a tournament with its entries and its plan, in the plan's order, as a whole or not at all.

        `plan` is taken as it comes, so it may be long; `origins` tells by digest where bots were found, so that they
        can be found again. Raises ValueError when it names a bot that is no entry, or when
        two entries differ but have one digest.
        """
        digests = {entry.digest for entry in tournament.entries}
        if len(digests) < len(set(tournament.entries)):
            raise ValueError(f"two entries of tournament {tournament.id} have one digest but differ in name or version")
        with self._store.writing() as connection:
            opened = TOURNAMENT.insert().values(_tournament_row(tournament)).returning(TOURNAMENT.c.key)
            key = connection.execute(opened).scalar_one()
            bots = [_bot_key(connection, entry) for entry in tournament.entries]
            entries = [
                {"tournament": key, "bot": bot, "position": i, "voids": 0}
                | {"origin": origins.get(entry.digest, ""), "owner": tournament.owners.get(entry.digest, "")}
                for i, (bot, entry) in enumerate(zip(bots, tournament.entries, strict=True))
            ]
            connection.execute(ENTRY.insert(), entries)
            rows = block_rows(key, plan, digests)
            while batch := list(islice(rows, PLAN_BATCH)):
                connection.execute(BLOCK.insert(), batch)

    def tell_beacon(self, tournament: str, text: str) -> None:
        """Store the text of the beacon for which the tournament with this id waits; StoreError when it does not."""
        waits = (TOURNAMENT.c.id == tournament, TOURNAMENT.c.beacon != "", TOURNAMENT.c.beacon_text == "")
        with self._store.writing() as connection:
            told = connection.execute(TOURNAMENT.update().where(*waits).values(beacon_text=text))
        if told.rowcount != 1:
            raise StoreError(
                f"tournament {tournament} waits for the text of no beacon (any more): "
                f"`arena tournament resume {tournament}` goes on with the one that it has"
            )

    def tournaments(self) -> tuple[StoredTournament, ...]:
        """All tournaments, the latest first."""
        return self._tournaments(sa.true())

    def names(self, limit: int = 200) -> tuple[TournamentName, ...]:
        """The names of the latest tournaments, the last one first; StoreEmptyError when there is none."""
        columns = [TOURNAMENT.c[field] for field in TournamentName._fields]
        with self._store.reading() as connection:
            latest = sa.select(*columns).order_by(TOURNAMENT.c.key.desc()).limit(limit)
            found = tuple(TournamentName(*row) for row in connection.execute(latest))
        if not found:
            raise nothing_played(self._store.path)
        return found

    def name(self, tournament: str) -> TournamentName:
        """The name of the tournament with this id, this name, or an id that begins so; StoreError as `tournament`."""
        columns = [TOURNAMENT.c[field] for field in TournamentName._fields]
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
            return TournamentName(*connection.execute(sa.select(*columns).where(TOURNAMENT.c.key == key)).one())

    def latest(self) -> StoredTournament:
        """The tournament that was opened last; StoreEmptyError when there is none."""
        latest = self._tournaments(TOURNAMENT.c.key == sa.select(sa.func.max(TOURNAMENT.c.key)).scalar_subquery())
        if not latest:
            raise nothing_played(self._store.path)
        return latest[0]

    def tournament(self, name: str) -> StoredTournament:
        """The tournament with this id, this name, or an id that begins so; StoreError unless it is exactly one."""
        with self._store.reading() as connection:
            key = tournament_key(connection, name, self._store)
        return self._tournaments(TOURNAMENT.c.key == key)[0]

    def is_named(self, name: str) -> bool:
        """Whether a tournament has this name."""
        with self._store.reading() as connection:
            found = connection.execute(sa.select(TOURNAMENT.c.key).where(TOURNAMENT.c.name == name).limit(1))
            return found.first() is not None

    def entries(self, tournament: str) -> tuple[EntryState, ...]:
        """The entries of the tournament with this id and how they fared, in the order of the entries digest."""
        columns = (
            BOT.c.name,
            BOT.c.version,
            BOT.c.digest,
            BOT.c.remote,
            ENTRY.c.origin,
            ENTRY.c.withdrawn,
            ENTRY.c.voids,
        )
        wanted = _of(tournament, sa.select(*columns).join_from(ENTRY, BOT), ENTRY).order_by(ENTRY.c.position)
        with self._store.reading() as connection:
            return tuple(EntryState(Entry(*row[:4]), *row[4:]) for row in connection.execute(wanted))

    def sums(self, tournament: str) -> tuple[BotSums, ...]:
        """What finished blocks add up to for each bot of the tournament with this id, by digest."""
        columns = [TOTAL.c[field] for field in BotSums._fields if field != "bot"]
        wanted = _of(tournament, sa.select(BOT.c.digest, *columns).join_from(TOTAL, BOT), TOTAL)
        with self._store.reading() as connection:
            return tuple(BotSums(*row) for row in connection.execute(wanted.order_by(BOT.c.digest)))

    def missing(self, tournament: str) -> tuple[MissingBlock, ...]:
        """The planned blocks of the tournament with this id that are not done, in plan order."""
        last = sa.select(VOID.c.reason).where(VOID.c.block == BLOCK.c.key).order_by(VOID.c.key.desc()).limit(1)
        columns = (BLOCK.c.block_id, BLOCK.c.number, BLOCK.c.lineup, BLOCK.c.state, last.scalar_subquery())
        wanted = _of(tournament, sa.select(*columns), BLOCK).where(BLOCK.c.state != BlockState.DONE)
        with self._store.reading() as connection:
            rows = connection.execute(wanted.order_by(BLOCK.c.ordinal)).all()
        return tuple(
            MissingBlock(PlannedBlock(block, number, split_lineup(lineup)), state, reason or "")
            for block, number, lineup, state, reason in rows
        )

    def rounds(self, tournament: str) -> tuple[Round, ...]:
        """What is settled of each round of the tournament with this id, in plan order: see `Ledger.rounds`."""
        with self._store.reading() as connection:
            return read_rounds(connection, tournament_key(connection, tournament, self._store))

    def _tournaments(self, which: sa.ColumnElement[bool]) -> tuple[StoredTournament, ...]:
        entered = sa.select(ENTRY.c.tournament, ENTRY.c.owner, BOT.c.name, BOT.c.version, BOT.c.digest, BOT.c.remote)
        entered = entered.join_from(ENTRY, BOT).join(TOURNAMENT).where(which).order_by(ENTRY.c.position)
        counted = sa.select(BLOCK.c.tournament, BLOCK.c.state, sa.func.count()).join(TOURNAMENT).where(which)
        entries: dict[int, list[Entry]] = defaultdict(list)
        owners: dict[int, dict[bytes, str]] = defaultdict(dict)
        blocks: dict[int, dict[BlockState, int]] = defaultdict(lambda: dict.fromkeys(BlockState, 0))
        with self._store.reading() as connection:
            rows = connection.execute(sa.select(TOURNAMENT).where(which).order_by(TOURNAMENT.c.key.desc())).all()
            for key, owner, *columns in connection.execute(entered):
                entries[key].append(entry := Entry(*columns))
                owners[key] |= {entry.digest: owner} if owner else {}
            for key, state, count in connection.execute(counted.group_by(BLOCK.c.tournament, BLOCK.c.state)):
                blocks[key][state] = count
        return tuple(
            StoredTournament(_tournament(row, tuple(entries[row.key]), owners[row.key]), row.finished, blocks[row.key])
            for row in rows
        )


def tournament_key(connection: sa.Connection, name: str, store: Store) -> int:
    """The key of the tournament with this id, this name, or an id that begins so; StoreError unless exactly one."""
    known = connection.execute(sa.select(TOURNAMENT.c.key, TOURNAMENT.c.id, TOURNAMENT.c.name)).all()
    if not known:
        raise nothing_played(store.path)
    found = (
        [row for row in known if row.id == name]
        or [row for row in known if row.name == name]
        or [row for row in known if name and row.id.startswith(name)]
    )
    if not found:
        raise StoreError.worded(
            "there is no tournament %(name)s: `arena tournament list` shows all of them", name=repr(name)
        )
    if len(found) > 1:
        raise StoreError.worded(
            "%(name)s could be any of the tournaments %(ids)s: give a full id",
            name=repr(name),
            ids=tuple(row.id for row in found),
        )
    return int(found[0].key)


def _of(tournament: str, select: sa.Select[Any], source: sa.Table) -> sa.Select[Any]:
    """Keep of `source` the rows of the tournament with this id."""
    key = sa.select(TOURNAMENT.c.key).where(TOURNAMENT.c.id == tournament).scalar_subquery()
    return select.where(source.c.tournament == key)


def _tournament_row(tournament: Tournament) -> dict[str, Any]:
    columns = [column.name for column in TOURNAMENT.c if column.name not in ("key", "epoch", "finished")]
    values = {name: getattr(tournament, name) for name in columns}
    values |= {"variant": tournament.variant.as_dict(), "limits": tournament.limits.as_dict()}
    return values | {"options": dict(tournament.options), "epoch": 0}


def _tournament(row: sa.Row[Any], entries: tuple[Entry, ...], owners: Mapping[bytes, str]) -> Tournament:
    values = {name: value for name, value in row._mapping.items() if name not in ("key", "epoch", "finished")}
    values |= {"variant": Variant.from_dict(row.variant), "limits": Limits.from_dict(row.limits)}
    return Tournament(**values, entries=entries, owners=owners)


def _bot_key(connection: sa.Connection, entry: Entry) -> int:
    """The key of an entry's bot, which may be known from other tournaments."""
    same = (BOT.c.digest == entry.digest, BOT.c.name == entry.name, BOT.c.version == entry.version)
    known = connection.execute(sa.select(BOT.c.key).where(*same)).scalar()
    if known is None:
        known = connection.execute(BOT.insert().values(**entry._asdict(), forgiven=0).returning(BOT.c.key)).scalar_one()
    return int(known)
