"""Ratings with their intervals, kept so that a page need not fit them; there are none until they are computed.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "rating_list",
        _number("tournament"),
        sa.Column("clean", sa.Boolean(), nullable=False),
        _big("blocks"),
        sa.Column("anchor", sa.LargeBinary(), nullable=True),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("tournament", "clean"),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.key"]),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rating",
        _number("tournament"),
        sa.Column("clean", sa.Boolean(), nullable=False),
        _number("position"),
        _number("bot"),
        *map(_real, ("rating", "field", "half_width", "low", "high")),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("flag", sa.String(1), nullable=False),
        sa.Column("record", sa.String(16), nullable=False),
        *(_number(name, nullable=True) for name in ("place", "rank_from", "rank_to", "component")),
        *map(_big, ("blocks", "matches", "seats")),
        *map(_real, ("mean_place", "points_a_deal", "points_half_width")),
        _big("faults"),
        sa.PrimaryKeyConstraint("tournament", "clean", "position"),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.key"]),
        sa.ForeignKeyConstraint(["bot"], ["bot.key"]),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_rating_bot_tournament", "rating", ["bot", "tournament"])


def _number(name: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _big(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False)


def _real(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Double(), nullable=True)
