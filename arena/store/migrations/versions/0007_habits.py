"""How pairs fared block by block, how bots fared seat by seat, and how they play.

The first two are counted here from the seats; how bots play is in the records, from which `arena rate` counts it.

Revision ID: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

DUELS = """
CREATE TEMPORARY TABLE duel AS
SELECT m.tournament AS tournament, m.block AS block, x.bot AS bot, x.seat AS seat, m.id AS "match", x.place AS place,
  y.bot AS other, da.digest < db.digest AS is_first,
  (y.place > x.place) + 0.5 * (y.place = x.place) AS score,
  (SELECT count(*) FROM seat z WHERE z."match" = m.id) AS seats,
  NOT EXISTS (SELECT 1 FROM "match" n JOIN seat z ON z."match" = n.id WHERE n.block = m.block AND z.faults > 0) AS clean
FROM "match" m JOIN seat x ON x."match" = m.id JOIN seat y ON y."match" = m.id AND y.bot <> x.bot
JOIN bot da ON da."key" = x.bot JOIN bot db ON db."key" = y.bot
"""

PAIRS = """
UPDATE pair SET blocks = found.blocks, edge_micro = found.edge, square_micro = found.square FROM (
  SELECT tournament, bot AS a, other AS b, seats, clean, count(*) AS blocks,
    CAST(sum(round(1e6 * edge)) AS INTEGER) AS edge, CAST(sum(round(1e6 * edge * edge)) AS INTEGER) AS square
  FROM (SELECT tournament, bot, other, seats, clean, avg(score) - 0.5 AS edge FROM duel WHERE is_first
        GROUP BY tournament, block, bot, other, seats, clean)
  GROUP BY tournament, bot, other, seats, clean
) AS found
WHERE pair.tournament = found.tournament AND pair.a = found.a AND pair.b = found.b AND pair.seats = found.seats
  AND pair.clean = found.clean
"""

CHAIRS = """
INSERT INTO chair (tournament, bot, seat, blocks, matches, place_sum, edge_micro, square_micro)
SELECT tournament, bot, seat, count(*), sum(matches), sum(places),
  CAST(sum(round(1e6 * edge)) AS INTEGER), CAST(sum(round(1e6 * edge * edge)) AS INTEGER)
FROM (SELECT tournament, block, bot, seat, count(*) AS matches, sum(place) AS places, avg(share) - 0.5 AS edge
      FROM (SELECT tournament, block, bot, seat, "match", place, avg(score) AS share FROM duel
            GROUP BY tournament, block, bot, seat, "match", place)
      GROUP BY tournament, block, bot, seat)
GROUP BY tournament, bot, seat
"""


def upgrade() -> None:
    """Add the columns, create the tables, and count what the seats tell."""
    with op.batch_alter_table("pair") as pair:
        for name in ("blocks", "edge_micro", "square_micro"):
            pair.add_column(sa.Column(name, _BIG, server_default="0", nullable=False))
    op.create_table(
        "chair",
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("tournament", "bot", "seat")),
        *map(_big, ("blocks", "matches", "place_sum", "edge_micro", "square_micro")),
        sa.PrimaryKeyConstraint("tournament", "bot", "seat"),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.key"]),
        sa.ForeignKeyConstraint(["bot"], ["bot.key"]),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "habit",
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("tournament", "bot")),
        sa.Column("habit", sa.String(16), nullable=False),
        *map(_big, ("value", "n")),
        sa.PrimaryKeyConstraint("tournament", "bot", "habit", "value"),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.key"]),
        sa.ForeignKeyConstraint(["bot"], ["bot.key"]),
        sqlite_with_rowid=False,
    )
    for statement in (DUELS, PAIRS, CHAIRS, "DROP TABLE duel"):
        op.execute(statement)


_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _big(name: str) -> sa.Column[int]:
    return sa.Column(name, _BIG, nullable=False)
