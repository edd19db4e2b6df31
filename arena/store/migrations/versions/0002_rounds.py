"""Plans that grow: the round of a block, the options of a format, and who owned a bot when its tournament opened.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns; everything that was planned before is of round 0."""
    with op.batch_alter_table("tournament") as tournament:
        tournament.add_column(sa.Column("options", sa.JSON(), server_default="{}", nullable=False))
    with op.batch_alter_table("entry") as entry:
        entry.add_column(sa.Column("owner", sa.String(), server_default="", nullable=False))
    with op.batch_alter_table("block") as block:
        block.add_column(sa.Column("round", sa.Integer(), server_default="0", nullable=False))
