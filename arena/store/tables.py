"""The tables, one class each. Keys inside the database are small numbers; what the world sees (a tournament's id, a
block's id, a bot's digest) stands once, in the row that it names.

A revision of `migrations/` creates them; a test holds the two together.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from arena.tournament.ports import BlockState, BotEventKind, VoidCause

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""Numbers that may pass 2³¹. What SQLite calls INTEGER holds 64 bits, and only that can count itself up."""


def words(kind: type[Enum], longest: int = 16) -> Any:
    """A closed vocabulary, stored as short strings: its values, not the names of the program."""
    return sa.Enum(kind, values_callable=lambda members: [m.value for m in members], native_enum=False, length=longest)


class Model(SQLModel, registry=registry(metadata=sa.MetaData(naming_convention=NAMING))):
    """What all tables share: one catalogue in which every index and constraint has a name."""


class TournamentRow(Model, table=True):
    """A tournament as it opened; `epoch` counts its leaders, `finished` is set when nothing is left to play.

    `options` are those of its format.
    """

    __tablename__ = "tournament"
    key: int | None = Field(default=None, primary_key=True)
    id: str = Field(max_length=64, unique=True)
    name: str
    format: str = Field(max_length=16)
    seats: int
    deals: int
    variant: dict[str, Any] = Field(sa_type=sa.JSON)
    limits: dict[str, Any] = Field(sa_type=sa.JSON)
    secret: bytes
    beacon: str
    beacon_text: str
    sandbox: str = Field(max_length=16)
    opened: datetime
    finished: datetime | None = None
    epoch: int = 0
    options: dict[str, Any] = Field(sa_type=sa.JSON, sa_column_kwargs={"server_default": "{}"})


class BotRow(Model, table=True):
    """A bot that ratings belong to: name, version and the 32-byte digest of what runs.

    `forgiven` is the last match whose forfeits are no longer held against it.
    """

    __tablename__ = "bot"
    __table_args__ = (sa.UniqueConstraint("digest", "name", "version"),)
    key: int | None = Field(default=None, primary_key=True)
    digest: bytes
    name: str = Field(index=True)
    version: str
    remote: bool
    forgiven: int = Field(default=0, sa_type=BIG)


class EntryRow(Model, table=True):
    """A place in the list of entries: which bot, the folder that it came from, why it was withdrawn, how many voids it
    was present at, and who owned it when the tournament opened ("" for nobody)."""

    __tablename__ = "entry"
    __table_args__ = (sa.Index(None, "bot", "tournament"),)
    tournament: int = Field(primary_key=True, foreign_key="tournament.key")
    position: int = Field(primary_key=True)
    bot: int = Field(foreign_key="bot.key")
    origin: str
    withdrawn: str | None = None
    voids: int = 0
    owner: str = Field(default="", sa_column_kwargs={"server_default": ""})


class BlockRow(Model, table=True):
    """A planned block: the ledger.

    `ordinal` is its place in the plan, `round` the round that it was planned in, `lineup` the sorted digests in one
    string of bytes. `attempts` counts claims and `played` is the one that was stored; `voids` and `losses` count
    towards quarantine; a `suspect` is run alone. What the log of events held up to `begun` was there before the block
    was claimed first, so it tells nothing of it.
    """

    __tablename__ = "block"
    __table_args__ = (sa.UniqueConstraint("block_id", "tournament"), sa.Index(None, "tournament", "state", "ordinal"))
    key: int | None = Field(default=None, sa_type=BIG, primary_key=True)
    tournament: int = Field(foreign_key="tournament.key")
    ordinal: int
    block_id: bytes
    number: int
    lineup: bytes
    state: BlockState = Field(default=BlockState.TODO, sa_type=words(BlockState))
    attempts: int = 0
    played: int | None = None
    voids: int = 0
    losses: int = 0
    suspect: bool = False
    begun: int | None = Field(default=None, sa_type=BIG)
    round: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class VoidRow(Model, table=True):
    """A run of a block that brought nothing, and why."""

    __tablename__ = "void"
    key: int | None = Field(default=None, sa_type=BIG, primary_key=True)
    block: int = Field(sa_type=BIG, foreign_key="block.key", index=True)
    attempt: int
    cause: VoidCause = Field(sa_type=words(VoidCause))
    alone: bool
    reason: str
    at: datetime


class EventRow(Model, table=True):
    """Something that happened to a bot beside its results: see `arena.tournament.ports.BotEvent`.

    `key` only grows; `output` is compressed.
    """

    __tablename__ = "event"
    __table_args__ = (sa.Index(None, "bot", "tournament", "key"), {"sqlite_autoincrement": True})
    key: int | None = Field(default=None, sa_type=BIG, primary_key=True)
    tournament: int = Field(foreign_key="tournament.key")
    bot: int = Field(foreign_key="bot.key")
    block: int | None = Field(default=None, sa_type=BIG, foreign_key="block.key")
    kind: BotEventKind = Field(sa_type=words(BotEventKind))
    at: datetime
    fault: str = Field(max_length=16)
    reason: str
    output: bytes
    rotation: int | None = None
    turn: int | None = None


class MatchRow(Model, table=True):
    """A match of a finished block; `id` only grows, so that pages are cut by it; `digest` is that of its play."""

    __tablename__ = "match"
    __table_args__ = (
        sa.UniqueConstraint("block", "rotation"),
        sa.Index(None, "tournament", "id"),
        {"sqlite_autoincrement": True},
    )
    id: int | None = Field(default=None, sa_type=BIG, primary_key=True)
    tournament: int = Field(foreign_key="tournament.key")
    block: int = Field(sa_type=BIG, foreign_key="block.key")
    rotation: int
    digest: bytes
    deals: int
    turns: int


class SeatRow(Model, table=True):
    """What a match brought to one seat."""

    __tablename__ = "seat"
    __table_args__ = (sa.Index(None, "bot", "match", "place", "points"), {"sqlite_with_rowid": False})
    match: int = Field(sa_type=BIG, primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True)
    bot: int = Field(foreign_key="bot.key")
    place: int
    points: int
    faults: int
    forfeited: bool


class RecordRow(Model, table=True):
    """The packed record of a match, apart from what listings read."""

    __tablename__ = "record"
    match: int = Field(sa_type=BIG, primary_key=True, foreign_key="match.id")
    data: bytes


class PairRow(Model, table=True):
    """How two bots finished against each other: the digest of `a` is the smaller one, `wins` are those of `a`.

    `n` counts pairs of seats in matches at tables of `seats`; `clean` ones come from blocks without any fault.
    `edge_micro` and `square_micro` are sums over blocks: see `arena.store.aggregates.PairSums`.
    """

    __tablename__ = "pair"
    __table_args__ = (sa.Index(None, "tournament", "b", "a"), {"sqlite_with_rowid": False})
    tournament: int = Field(primary_key=True, foreign_key="tournament.key")
    a: int = Field(primary_key=True, foreign_key="bot.key")
    b: int = Field(primary_key=True, foreign_key="bot.key")
    seats: int = Field(primary_key=True)
    clean: bool = Field(primary_key=True)
    n: int = Field(sa_type=BIG)
    wins: int = Field(sa_type=BIG)
    draws: int = Field(sa_type=BIG)
    blocks: int = Field(sa_type=BIG, sa_column_kwargs={"server_default": "0"})
    edge_micro: int = Field(sa_type=BIG, sa_column_kwargs={"server_default": "0"})
    square_micro: int = Field(sa_type=BIG, sa_column_kwargs={"server_default": "0"})


class TotalRow(Model, table=True):
    """What a tournament brought to a bot, in sums: see `arena.store.aggregates.BotSums`."""

    __tablename__ = "total"
    __table_args__ = ({"sqlite_with_rowid": False},)
    tournament: int = Field(primary_key=True, foreign_key="tournament.key")
    bot: int = Field(primary_key=True, foreign_key="bot.key")
    blocks: int = Field(sa_type=BIG)
    matches: int = Field(sa_type=BIG)
    seats: int = Field(sa_type=BIG)
    place_sum: int = Field(sa_type=BIG)
    lead_micro: int = Field(sa_type=BIG)
    faults: int = Field(sa_type=BIG)
    fault_matches: int = Field(sa_type=BIG)


class ChairRow(Model, table=True):
    """How a bot fared in one seat of a tournament, in sums: see `arena.store.aggregates.ChairSums`."""

    __tablename__ = "chair"
    __table_args__ = ({"sqlite_with_rowid": False},)
    tournament: int = Field(primary_key=True, foreign_key="tournament.key")
    bot: int = Field(primary_key=True, foreign_key="bot.key")
    seat: int = Field(primary_key=True)
    blocks: int = Field(sa_type=BIG)
    matches: int = Field(sa_type=BIG)
    place_sum: int = Field(sa_type=BIG)
    edge_micro: int = Field(sa_type=BIG)
    square_micro: int = Field(sa_type=BIG)


class HabitRow(Model, table=True):
    """How a bot played in a tournament: so many of a kind with a value, as `arena.tournament.habits` counts them."""

    __tablename__ = "habit"
    __table_args__ = ({"sqlite_with_rowid": False},)
    tournament: int = Field(primary_key=True, foreign_key="tournament.key")
    bot: int = Field(primary_key=True, foreign_key="bot.key")
    habit: str = Field(max_length=16, primary_key=True)
    value: int = Field(sa_type=BIG, primary_key=True)
    n: int = Field(sa_type=BIG)


class RatingListRow(Model, table=True):
    """The ratings of a tournament as they stood after so many finished `blocks`: of all blocks, or of the `clean` ones.

    Nothing but a cache of the results; `summary` is what is to be said of the whole list, `anchor` the digest of the
    bot that gave the scale. See `arena.store.ratings_lists.RatingList`.
    """

    __tablename__ = "rating_list"
    __table_args__ = ({"sqlite_with_rowid": False},)
    tournament: int = Field(primary_key=True, foreign_key="tournament.key")
    clean: bool = Field(primary_key=True)
    blocks: int = Field(sa_type=BIG)
    anchor: bytes | None = None
    summary: dict[str, Any] = Field(sa_type=sa.JSON)


class RatingRow(Model, table=True):
    """A bot of such a list, in the order of the list: see `arena.rating.report.BotReport`."""

    __tablename__ = "rating"
    __table_args__ = (sa.Index(None, "bot", "tournament"), {"sqlite_with_rowid": False})
    tournament: int = Field(primary_key=True, foreign_key="tournament.key")
    clean: bool = Field(primary_key=True)
    position: int = Field(primary_key=True)
    bot: int = Field(foreign_key="bot.key")
    rating: float | None = Field(default=None, sa_type=sa.Double)
    field: float | None = Field(default=None, sa_type=sa.Double)
    half_width: float | None = Field(default=None, sa_type=sa.Double)
    low: float | None = Field(default=None, sa_type=sa.Double)
    high: float | None = Field(default=None, sa_type=sa.Double)
    kind: str = Field(max_length=16)
    flag: str = Field(max_length=1)
    record: str = Field(max_length=16)
    place: int | None = None
    rank_from: int | None = None
    rank_to: int | None = None
    component: int | None = None
    blocks: int = Field(sa_type=BIG)
    matches: int = Field(sa_type=BIG)
    seats: int = Field(sa_type=BIG)
    mean_place: float | None = Field(default=None, sa_type=sa.Double)
    points_a_deal: float | None = Field(default=None, sa_type=sa.Double)
    points_half_width: float | None = Field(default=None, sa_type=sa.Double)
    faults: int = Field(sa_type=BIG)


class RatingMarkRow(Model, table=True):
    """A bot's rating after the first finished `blocks` of the plan: see `arena.store.ratings_marks`.

    Nothing but a cache, like the lists.
    """

    __tablename__ = "rating_mark"
    __table_args__ = ({"sqlite_with_rowid": False},)
    tournament: int = Field(primary_key=True, foreign_key="tournament.key")
    blocks: int = Field(sa_type=BIG, primary_key=True)
    bot: int = Field(primary_key=True, foreign_key="bot.key")
    rating: float = Field(sa_type=sa.Double)


class SubmissionRow(Model, table=True):
    """A version of a bot that was submitted: see `arena.store.submissions.Submission`."""

    __tablename__ = "submission"
    __table_args__ = (sa.UniqueConstraint("name", "version"),)
    key: int | None = Field(default=None, primary_key=True)
    name: str
    version: str
    digest: bytes = Field(index=True)
    owner: str
    address: str
    submitted: datetime
    retired: datetime | None = None


class PackageRow(Model, table=True):
    """The files of a submitted bot in one archive, under the digest of its content."""

    __tablename__ = "package"
    digest: bytes = Field(primary_key=True)
    data: bytes


def table_of(model: type[Model]) -> sa.Table:
    """The table behind a class."""
    return model.metadata.tables[str(model.__tablename__)]


# The tables behind the classes, for statements that move many rows at once.
TOURNAMENT = table_of(TournamentRow)
BOT = table_of(BotRow)
ENTRY = table_of(EntryRow)
BLOCK = table_of(BlockRow)
VOID = table_of(VoidRow)
EVENT = table_of(EventRow)
MATCH = table_of(MatchRow)
SEAT = table_of(SeatRow)
RECORD = table_of(RecordRow)
PAIR = table_of(PairRow)
TOTAL = table_of(TotalRow)
CHAIR = table_of(ChairRow)
HABIT = table_of(HabitRow)
RATING_LIST = table_of(RatingListRow)
RATING = table_of(RatingRow)
RATING_MARK = table_of(RatingMarkRow)
SUBMISSION = table_of(SubmissionRow)
PACKAGE = table_of(PackageRow)

DIGEST_BYTES = 32

OPEN = (BlockState.TODO, BlockState.RUNNING)
"""The states of blocks that are still to be played."""


def split_lineup(lineup: bytes) -> tuple[bytes, ...]:
    """The digests of a stored lineup."""
    return tuple(lineup[i : i + DIGEST_BYTES] for i in range(0, len(lineup), DIGEST_BYTES))
