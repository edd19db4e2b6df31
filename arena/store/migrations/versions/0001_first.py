"""The first schema: tournaments, bots, the ledger of blocks, what went wrong, matches with seats and records, sums.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create all tables."""
    _tournaments()
    _blocks()
    _attempts()
    _matches()
    _aggregates()


def _number(name: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _big(name: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=nullable)


def _text(name: str, length: int | None = None) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), nullable=False)


def _bytes(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=False)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def _refers(column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to])


def _tournaments() -> None:
    op.create_table(
        "tournament",
        _number("key"),
        _text("id", 64),
        _text("name"),
        _text("format", 16),
        _number("seats"),
        _number("deals"),
        sa.Column("variant", sa.JSON(), nullable=False),
        sa.Column("limits", sa.JSON(), nullable=False),
        _bytes("secret"),
        _text("beacon"),
        _text("beacon_text"),
        _text("sandbox", 16),
        sa.Column("opened", sa.DateTime(), nullable=False),
        sa.Column("finished", sa.DateTime(), nullable=True),
        _number("epoch"),
        sa.PrimaryKeyConstraint("key"),
        sa.UniqueConstraint("id"),
    )
    op.create_table(
        "bot",
        _number("key"),
        _bytes("digest"),
        _text("name"),
        _text("version"),
        _flag("remote"),
        _big("forgiven"),
        sa.PrimaryKeyConstraint("key"),
        sa.UniqueConstraint("digest", "name", "version"),
    )
    op.create_index("ix_bot_name", "bot", ["name"])
    op.create_table(
        "entry",
        _number("tournament"),
        _number("position"),
        _number("bot"),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("withdrawn", sa.String(), nullable=True),
        _number("voids"),
        sa.PrimaryKeyConstraint("tournament", "position"),
        _refers("tournament", "tournament.key"),
        _refers("bot", "bot.key"),
    )
    op.create_index("ix_entry_bot_tournament", "entry", ["bot", "tournament"])


def _blocks() -> None:
    op.create_table(
        "block",
        _big("key"),
        _number("tournament"),
        _number("ordinal"),
        _bytes("block_id"),
        _number("number"),
        _bytes("lineup"),
        _text("state", 16),
        _number("attempts"),
        _number("played", nullable=True),
        _number("voids"),
        _number("losses"),
        _flag("suspect"),
        _big("begun", nullable=True),
        sa.PrimaryKeyConstraint("key"),
        sa.UniqueConstraint("block_id", "tournament"),
        _refers("tournament", "tournament.key"),
    )
    op.create_index("ix_block_tournament_state_ordinal", "block", ["tournament", "state", "ordinal"])


def _attempts() -> None:
    op.create_table(
        "void",
        _big("key"),
        _big("block"),
        _number("attempt"),
        _text("cause", 16),
        _flag("alone"),
        _text("reason"),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
        _refers("block", "block.key"),
    )
    op.create_index("ix_void_block", "void", ["block"])
    op.create_table(
        "event",
        _big("key"),
        _number("tournament"),
        _number("bot"),
        _big("block", nullable=True),
        _text("kind", 16),
        sa.Column("at", sa.DateTime(), nullable=False),
        _text("fault", 16),
        _text("reason"),
        _bytes("output"),
        _number("rotation", nullable=True),
        _number("turn", nullable=True),
        sa.PrimaryKeyConstraint("key"),
        _refers("tournament", "tournament.key"),
        _refers("bot", "bot.key"),
        _refers("block", "block.key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_event_bot_tournament_key", "event", ["bot", "tournament", "key"])


def _matches() -> None:
    op.create_table(
        "match",
        _big("id"),
        _number("tournament"),
        _big("block"),
        _number("rotation"),
        _bytes("digest"),
        _number("deals"),
        _number("turns"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("block", "rotation"),
        _refers("tournament", "tournament.key"),
        _refers("block", "block.key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_match_tournament_id", "match", ["tournament", "id"])
    op.create_table(
        "seat",
        _big("match"),
        _number("seat"),
        _number("bot"),
        _number("place"),
        _number("points"),
        _number("faults"),
        _flag("forfeited"),
        sa.PrimaryKeyConstraint("match", "seat"),
        _refers("match", "match.id"),
        _refers("bot", "bot.key"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seat_bot_match_place_points", "seat", ["bot", "match", "place", "points"])
    op.create_table(
        "record",
        _big("match"),
        _bytes("data"),
        sa.PrimaryKeyConstraint("match"),
        _refers("match", "match.id"),
    )


def _aggregates() -> None:
    op.create_table(
        "pair",
        _number("tournament"),
        _number("a"),
        _number("b"),
        _number("seats"),
        _flag("clean"),
        *map(_big, ("n", "wins", "draws")),
        sa.PrimaryKeyConstraint("tournament", "a", "b", "seats", "clean"),
        _refers("tournament", "tournament.key"),
        _refers("a", "bot.key"),
        _refers("b", "bot.key"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_pair_tournament_b_a", "pair", ["tournament", "b", "a"])
    op.create_table(
        "total",
        _number("tournament"),
        _number("bot"),
        *map(_big, ("blocks", "matches", "seats", "place_sum", "lead_micro", "faults", "fault_matches")),
        sa.PrimaryKeyConstraint("tournament", "bot"),
        _refers("tournament", "tournament.key"),
        _refers("bot", "bot.key"),
        sqlite_with_rowid=False,
    )
