"""Games that people played against bots.

Revision ID: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "game",
        sa.Column("key", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("player", sa.LargeBinary(), nullable=False),
        sa.Column("ended", sa.DateTime(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_game"),
        sa.UniqueConstraint("id", name="uq_game_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_game_player_key", "game", ["player", "key"])
