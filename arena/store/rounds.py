"""The rounds of a plan that grows: reading them with their results, and adding the next one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from arena.rating.counts import MatchResult
from arena.store.tables import BLOCK, BOT, ENTRY, MATCH, OPEN, SEAT, split_lineup
from arena.tournament.ports import BlockState, PlannedBlock
from arena.tournament.rounds import Round, SettledBlock


def block_rows(
    tournament: int, plan: Iterable[PlannedBlock], digests: set[bytes], *, first: int = 0, round_number: int = 0
) -> Iterator[dict[str, Any]]:
    """The rows of planned blocks, all to be played; `first` is the place of the first one in the whole plan.

    Raises ValueError for a block that names a bot which is none of `digests`.
    """
    fresh = {"state": BlockState.TODO, "attempts": 0, "voids": 0, "losses": 0, "suspect": False, "round": round_number}
    for ordinal, block in enumerate(plan, first):
        if not digests.issuperset(block.lineup):
            raise ValueError(f"block {block.block_id.hex()} of the plan names a bot that is no entry")
        lineup = b"".join(block.lineup)
        placed = {"tournament": tournament, "ordinal": ordinal, "lineup": lineup}
        yield {"block_id": block.block_id, "number": block.number} | placed | fresh


def read_rounds(connection: sa.Connection, tournament: int) -> tuple[Round, ...]:
    """What is settled of each round of the tournament with this key, in one pass; blocks that were not played, and will
    not be, have no results."""
    columns = (BLOCK.c.key, BLOCK.c.round, BLOCK.c.lineup, BLOCK.c.number)
    results = (MATCH.c.rotation, BOT.c.digest, SEAT.c.place, SEAT.c.faults)
    played = BLOCK.outerjoin(MATCH, MATCH.c.block == BLOCK.c.key)
    played = played.outerjoin(SEAT, SEAT.c.match == MATCH.c.id).outerjoin(BOT, BOT.c.key == SEAT.c.bot)
    wanted = sa.select(*columns, *results).select_from(played)
    wanted = wanted.where(BLOCK.c.tournament == tournament, BLOCK.c.state.not_in(OPEN))
    rows = connection.execute(wanted.order_by(BLOCK.c.ordinal, MATCH.c.rotation, SEAT.c.seat))
    found: dict[int, list[SettledBlock]] = defaultdict(list)
    for (_, number), seats in groupby(rows, key=lambda row: (row.key, row.round)):
        found[number].append(_settled(list(seats)))
    return tuple(tuple(found[number]) for number in sorted(found))


def _settled(seats: Sequence[Any]) -> SettledBlock:
    """A block from its rows, one a seat; a block without matches has a single one."""
    results = []
    for rotation, own in groupby(seats, key=lambda row: row.rotation):
        if rotation is not None:
            sat = list(own)
            faulted = tuple(row.faults > 0 for row in sat)
            results.append(MatchResult(tuple(row.digest for row in sat), tuple(row.place for row in sat), faulted))
    return SettledBlock(split_lineup(seats[0].lineup), seats[0].number, tuple(results))


def add_round(connection: sa.Connection, tournament: int, blocks: Sequence[PlannedBlock], round_number: int) -> int:
    """Put a round behind the plan of the tournament with this key; returns how many blocks were added.

    These are none when the round is there already. Raises ValueError for a round that does not follow the last one.
    """
    ends = sa.select(
        sa.func.coalesce(sa.func.max(BLOCK.c.round), -1), sa.func.coalesce(sa.func.max(BLOCK.c.ordinal), -1)
    )
    last_round, last_ordinal = connection.execute(ends.where(BLOCK.c.tournament == tournament)).one()
    if round_number <= last_round:
        return 0
    if round_number > last_round + 1:
        raise ValueError(f"round {round_number} cannot follow round {last_round}")
    entered = sa.select(BOT.c.digest).join(ENTRY, ENTRY.c.bot == BOT.c.key).where(ENTRY.c.tournament == tournament)
    digests = set(connection.execute(entered).scalars())
    rows = block_rows(tournament, blocks, digests, first=last_ordinal + 1, round_number=round_number)
    connection.execute(BLOCK.insert(), list(rows))
    return len(blocks)


def gone_bots(connection: sa.Connection, tournament: int) -> frozenset[bytes]:
    """The digests of the bots that were withdrawn from the tournament with this key."""
    left = sa.select(BOT.c.digest).join(ENTRY, ENTRY.c.bot == BOT.c.key)
    return frozenset(
        connection.execute(left.where(ENTRY.c.tournament == tournament, ENTRY.c.withdrawn.is_not(None))).scalars()
    )
