"""The course of the ratings as it is kept: what `arena.store.ratings_history` fitted when a run ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from arena.store.ratings_history import Mark
from arena.store.tables import BOT, RATING_MARK


def read_marks(connection: sa.Connection, tournament: int) -> tuple[Mark, ...]:
    """The marks that were kept of the tournament with this key, in order; none before they were computed."""
    columns = (RATING_MARK.c.blocks, BOT.c.digest, RATING_MARK.c.rating)
    kept = sa.select(*columns).join_from(RATING_MARK, BOT).where(RATING_MARK.c.tournament == tournament)
    found: dict[int, dict[bytes, float]] = defaultdict(dict)
    for blocks, digest, rating in connection.execute(kept.order_by(RATING_MARK.c.blocks)):
        found[blocks][digest] = rating
    return tuple(Mark(blocks, ratings) for blocks, ratings in found.items())


def write_marks(connection: sa.Connection, tournament: int, marks: Sequence[Mark], bots: Mapping[bytes, int]) -> None:
    """Keep marks of the tournament with this key, unless newer ones are there; `bots` are keys by digest."""
    newest = sa.select(sa.func.max(RATING_MARK.c.blocks)).where(RATING_MARK.c.tournament == tournament)
    if marks and (connection.execute(newest).scalar() or 0) > marks[-1].blocks:
        return
    connection.execute(RATING_MARK.delete().where(RATING_MARK.c.tournament == tournament))
    rows = [
        {"tournament": tournament, "blocks": mark.blocks, "bot": bots[bot], "rating": rating}
        for mark in marks
        for bot, rating in mark.ratings.items()
    ]
    if rows:
        connection.execute(RATING_MARK.insert(), rows)
