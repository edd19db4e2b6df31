"""Bots that were submitted: who owns them, since when, and their files as one archive.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "submission",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("submitted", sa.DateTime(), nullable=False),
        sa.Column("retired", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("key", name="pk_submission"),
        sa.UniqueConstraint("name", "version", name="uq_submission_name_version"),
    )
    op.create_index("ix_submission_digest", "submission", ["digest"])
    op.create_table(
        "package",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_package"),
    )
