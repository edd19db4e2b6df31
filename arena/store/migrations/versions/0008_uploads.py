"""What owners sent to be taken in, and what became of it.

Revision ID: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "upload",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("steps", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_upload"),
        sa.UniqueConstraint("id", name="uq_upload_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_upload_owner_key", "upload", ["owner", "key"])
