"""Finished blocks read from their records: what each counts for, checked for being whole, and where its rows differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.store.errors import RecordError
from arena.store.ratings_changes import Change, Row
from arena.store.tables import BLOCK, MATCH, RECORD, SEAT, split_lineup
from arena.tournament.counting import counts_of
from arena.tournament.draw import draw_block
from arena.tournament.ports import MatchResult, PlannedBlock, Tournament
from arena.wire.codec import Undecodable, decode_record, play_digest, unpack_record

OF_MATCH = ("digest", "deals", "turns")


class RecordedBlock(NamedTuple):
    """A block with what its records say of its matches (their `record` is left out), and the rows that say otherwise.

    `key` is the block's in the database.
    """

    key: int
    matches: tuple[MatchResult, ...]
    changes: tuple[Change, ...]


def read_blocks(
    connection: sa.Connection, tournament: Tournament, bots: Mapping[bytes, int], keys: Sequence[int]
) -> Iterator[RecordedBlock]:
    """The finished blocks with these keys, in plan order; `bots` are keys by digest.

    Raises RecordError when a record is damaged, missing or another match's.
    """
    blocks = connection.execute(sa.select(BLOCK).where(BLOCK.c.key.in_(keys)).order_by(BLOCK.c.ordinal)).all()
    recorded = sa.select(MATCH, RECORD.c.data).join_from(MATCH, RECORD).where(MATCH.c.block.in_(keys))
    rows: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(recorded.order_by(MATCH.c.rotation)):
        rows[row.block].append(row)
    sat = sa.select(SEAT).join(MATCH, MATCH.c.id == SEAT.c.match).where(MATCH.c.block.in_(keys))
    seats: dict[int, dict[int, Row]] = defaultdict(dict)
    for row in connection.execute(sat):
        values = dict(row._mapping)
        seats[values.pop("match")][values.pop("seat")] = values
    for block in blocks:
        address = f"{tournament.id}/{block.block_id.hex()}"
        matches = _matches(tournament, address, block, rows[block.key])
        changes = [
            change
            for row, match in zip(rows[block.key], matches, strict=True)
            for change in _compared(f"match {address}/{row.rotation}", row, match, seats[row.id], bots)
        ]
        yield RecordedBlock(block.key, matches, tuple(changes))


def _matches(tournament: Tournament, address: str, block: Any, rows: Sequence[Any]) -> tuple[MatchResult, ...]:
    planned = PlannedBlock(block.block_id, block.number, split_lineup(block.lineup))
    rotations = len(draw_block(tournament, planned, block.played or 1))
    if [row.rotation for row in rows] != list(range(rotations)):
        there = ", ".join(str(row.rotation) for row in rows) or "none"
        raise RecordError(
            f"block {address} is finished, but the records of its {rotations} rotations are not all there "
            f"(there: {there}): restore a backup"
        )
    return tuple(_read(f"{address}/{row.rotation}", planned, row) for row in rows)


def _read(address: str, block: PlannedBlock, row: Any) -> MatchResult:
    """What the record of a match counts for; RecordError when it is not the record of that match."""
    try:
        raw = unpack_record(row.data)
        record, digest = decode_record(raw), play_digest(raw)
    except Undecodable as error:
        raise RecordError(f"the record of match {address} is damaged ({error}): restore a backup") from error
    if (record.block_id, record.rotation, sorted(record.seats)) != (block.block_id, row.rotation, list(block.lineup)):
        raise RecordError(f"the record of match {address} is that of another match: restore a backup")
    return MatchResult(row.rotation, digest, b"", *counts_of(record))


def _compared(
    where: str, row: Any, match: MatchResult, stored: Mapping[int, Row], bots: Mapping[bytes, int]
) -> Iterator[Change]:
    was, now = ({field: getattr(source, field) for field in OF_MATCH} for source in (row, match))
    if was != now:
        yield Change(where, MATCH, {"id": row.id}, was, now)
    rebuilt = {number: seat._asdict() | {"bot": bots[seat.bot]} for number, seat in enumerate(match.seats)}
    for seat in sorted({*stored, *rebuilt}):
        if stored.get(seat) != rebuilt.get(seat):
            key = {"match": row.id, "seat": seat}
            yield Change(f"{where}, seat {seat}", SEAT, key, stored.get(seat), rebuilt.get(seat))
