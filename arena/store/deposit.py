"""Storing a finished block: matches, seats, records and sums, in bulk and inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from arena.store.sums import OF_BLOCK, block_rows
from arena.store.tables import BLOCK, MATCH, RECORD, SEAT, split_lineup
from arena.tournament.ports import BlockResult, BlockState


def _adding(target: sa.Table) -> sa.Insert:
    """The statement that adds rows of sums to those with the same primary key, or puts them there."""
    statement = insert(target)
    sums = {column.name: column + statement.excluded[column.name] for column in target.c if not column.primary_key}
    return statement.on_conflict_do_update(index_elements=list(target.primary_key.columns), set_=sums)


MARK_DONE = (
    BLOCK.update()
    .where(
        BLOCK.c.block_id == sa.bindparam("the_block"),
        BLOCK.c.tournament == sa.bindparam("the_tournament"),
        BLOCK.c.state.in_((BlockState.TODO, BlockState.RUNNING)),
    )
    .values(state=BlockState.DONE, played=sa.bindparam("the_attempt"))
    .returning(BLOCK.c.key, BLOCK.c.lineup, BLOCK.c.attempts)
)
INSERT_MATCHES = MATCH.insert().returning(MATCH.c.rotation, MATCH.c.id)
ADD_SUMS = {table: _adding(table) for table, _ in OF_BLOCK}


def deposit(connection: sa.Connection, tournament: int, result: BlockResult, bots: Mapping[bytes, int]) -> bool:
    """Store a block of the tournament with this key once; False when it is stored already or no longer wanted.

    `bots` holds the keys of those that entered, by digest. Raises ValueError when the result does not fit the block:
    another lineup, an attempt that was never made, rotations out of order.
    """
    sought = {"the_block": result.block_id, "the_tournament": tournament, "the_attempt": result.attempt}
    block = connection.execute(MARK_DONE, sought).one_or_none()
    if block is None:
        return False
    lineup = split_lineup(block.lineup)
    _check(result, lineup, block.attempts)
    ids = _insert_matches(connection, tournament, block.key, result)
    seats = [
        {"match": ids[match.rotation], "seat": number} | seat._asdict() | {"bot": bots[seat.bot]}
        for match in result.matches
        for number, seat in enumerate(match.seats)
    ]
    connection.execute(SEAT.insert(), seats)
    records = [{"match": ids[match.rotation], "data": match.record} for match in result.matches]
    connection.execute(RECORD.insert(), records)
    _add_up(connection, tournament, bots, result)
    return True


def _check(result: BlockResult, lineup: tuple[bytes, ...], attempts: int) -> None:
    where = f"result of block {result.block_id.hex()}"
    if not 1 <= result.attempt <= attempts:
        raise ValueError(f"{where}: attempt {result.attempt} of {attempts}")
    if not result.matches or [match.rotation for match in result.matches] != list(range(len(result.matches))):
        raise ValueError(f"{where}: its rotations are {[match.rotation for match in result.matches]}")
    if any(sorted(seat.bot for seat in match.seats) != list(lineup) for match in result.matches):
        raise ValueError(f"{where}: other bots sat than its lineup names")


def _insert_matches(connection: sa.Connection, tournament: int, block: int, result: BlockResult) -> dict[int, int]:
    """Insert the matches; returns their ids by rotation."""
    rows = [
        {
            "tournament": tournament,
            "block": block,
            "rotation": match.rotation,
            "digest": match.digest,
            "deals": match.deals,
            "turns": match.turns,
        }
        for match in result.matches
    ]
    return dict(connection.execute(INSERT_MATCHES, rows).all())


def _add_up(connection: sa.Connection, tournament: int, bots: Mapping[bytes, int], result: BlockResult) -> None:
    """Add the block to the sums; rows go in order of keys, so that two writers never wait for each other."""
    for table, rows in block_rows(result.matches, bots):
        if rows:
            connection.execute(ADD_SUMS[table], [row | {"tournament": tournament} for row in rows])
