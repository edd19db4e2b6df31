"""Who may do what, who is signed in, and who did what.

Revision ID: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "token",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("used", sa.DateTime(), nullable=True),
        sa.Column("revoked", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("key", name="pk_token"),
        sa.UniqueConstraint("digest", name="uq_token_digest"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_token_owner", "token", ["owner"])
    op.create_table(
        "session",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("token", sa.Integer(), nullable=False),
        sa.Column("until", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_session"),
        sa.ForeignKeyConstraint(["token"], ["token.key"], name="fk_session_token_token"),
    )
    op.create_index("ix_session_token", "session", ["token"])
    op.create_index("ix_session_until", "session", ["until"])
    op.create_table(
        "audit",
        sa.Column("key", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("token", sa.Integer(), nullable=True),
        sa.Column("deed", sa.String(24), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_audit"),
        sa.ForeignKeyConstraint(["token"], ["token.key"], name="fk_audit_token_token"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_owner_key", "audit", ["owner", "key"])
