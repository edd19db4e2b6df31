"""All seats of a tournament's finished blocks as columns, straight from the rows, for statistics that need more than
sums."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from arena.rating.counts import PairTable
from arena.rating.results import Results
from arena.store.tables import BLOCK, BOT, ENTRY, MATCH, PAIR, SEAT
from arena.tournament.ports import BlockState

Integers = NDArray[np.int64]


class SeatColumns(NamedTuple):
    """One row a seat; `block` and `bot` are keys of the database, `deals` is that of the match, `faults` a count."""

    block: Integers
    rotation: Integers
    seat: Integers
    bot: Integers
    place: Integers
    faults: Integers
    points: Integers
    deals: Integers


def read_columns(connection: sa.Connection, tournament: int) -> SeatColumns:
    """The seats of the tournament with this key; only finished blocks have any."""
    matches = sa.select(MATCH.c.id, MATCH.c.block, MATCH.c.rotation, MATCH.c.deals)
    match, *of_match = _columns(connection, matches.where(MATCH.c.tournament == tournament).order_by(MATCH.c.id), 4)
    columns = (SEAT.c.match, SEAT.c.seat, SEAT.c.bot, SEAT.c.place, SEAT.c.faults, SEAT.c.points)
    seats = sa.select(*columns).join_from(MATCH, SEAT).where(MATCH.c.tournament == tournament)
    sat_at, seat, bot, place, faults, points = _columns(connection, seats, 6)
    row = np.searchsorted(match, sat_at)
    block, rotation, deals = (column[row] for column in of_match)
    return SeatColumns(block, rotation, seat, bot, place, faults, points, deals)


def read_pairs(connection: sa.Connection, tournament: int, bots: Sequence[int]) -> PairTable:
    """The pair counts of the tournament with this key, of all blocks; `bots` are keys in the order of their digests."""
    columns = (PAIR.c.a, PAIR.c.b, PAIR.c.seats, PAIR.c.n, PAIR.c.wins, PAIR.c.draws)
    a, b, *counts = _columns(connection, sa.select(*columns).where(PAIR.c.tournament == tournament), len(columns))
    keys = np.array(bots, dtype=np.int64)
    order = np.argsort(keys)
    first, second = (order[np.searchsorted(keys, column, sorter=order)] for column in (a, b))
    return PairTable(first, second, *counts)


def results_of(connection: sa.Connection, tournament: int, columns: SeatColumns) -> Results[bytes]:
    """The columns under the names that the world knows: ids of blocks and digests of bots, all entries among them."""
    used = np.unique(columns.block)
    blocks = sa.select(BLOCK.c.key, BLOCK.c.block_id).where(
        BLOCK.c.tournament == tournament, BLOCK.c.state == BlockState.DONE
    )
    ids = dict(connection.execute(blocks).all())
    entered = sa.select(BOT.c.key, BOT.c.digest).join(ENTRY, ENTRY.c.bot == BOT.c.key)
    bots = dict(connection.execute(entered.where(ENTRY.c.tournament == tournament)).all())
    keys = np.array(sorted(bots), dtype=np.int64)
    return Results.from_columns(
        [bots[key] for key in keys.tolist()],
        [ids[key] for key in used.tolist()],
        block=np.searchsorted(used, columns.block),
        match=columns.rotation,
        seat=columns.seat,
        bot=np.searchsorted(keys, columns.bot),
        place=columns.place,
        faulted=columns.faults > 0,
        points=columns.points,
        deals=columns.deals,
    )


def _columns(connection: sa.Connection, statement: sa.Select[Any], width: int) -> Integers:
    """The rows of a statement that selects `width` whole numbers, turned into columns; no row becomes an object."""
    rows = connection.execute(statement)
    return np.ascontiguousarray(np.fromiter(chain.from_iterable(rows), dtype=np.int64).reshape(-1, width).T)
