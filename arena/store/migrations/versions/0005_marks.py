"""The course of each rating, kept with the ratings so that a page need not fit them again and again.

Revision ID: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "rating_mark",
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("blocks", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("bot", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("tournament", "blocks", "bot"),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.key"]),
        sa.ForeignKeyConstraint(["bot"], ["bot.key"]),
        sqlite_with_rowid=False,
    )
