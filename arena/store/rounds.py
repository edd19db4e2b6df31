"""The rounds of a plan that grows: reading them with their results, and adding the next one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
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
    """What is settled of each round of the tournament with this key; blocks that were not played, and will not be,
    have no results."""
    columns = (BLOCK.c.key, BLOCK.c.round, BLOCK.c.lineup, BLOCK.c.number)
    settled = sa.select(*columns).where(BLOCK.c.tournament == tournament, BLOCK.c.state.not_in(OPEN))
    results = _results(connection, tournament)
    found: dict[int, list[SettledBlock]] = defaultdict(list)
    for key, round_number, lineup, number in connection.execute(settled.order_by(BLOCK.c.ordinal)):
        found[round_number].append(SettledBlock(split_lineup(lineup), number, results.get(key, ())))
    return tuple(tuple(found[number]) for number in sorted(found))


def _results(connection: sa.Connection, tournament: int) -> dict[int, tuple[MatchResult[bytes], ...]]:
    """The matches of each block by its key, in the order of the rotations, from one pass over the seats."""
    entered = _entered(tournament, BOT.c.key, BOT.c.digest)
    digests: dict[int, bytes] = dict(connection.execute(entered).all())
    columns = (MATCH.c.block, MATCH.c.rotation, SEAT.c.bot, SEAT.c.place, SEAT.c.faults)
    sat = sa.select(MATCH.c.id, *columns).join_from(MATCH, SEAT).where(MATCH.c.tournament == tournament)
    matches: dict[int, list[tuple[int, MatchResult[bytes]]]] = defaultdict(list)
    for _, seats in groupby(connection.execute(sat.order_by(MATCH.c.id, SEAT.c.seat)).all(), key=itemgetter(0)):
        _, blocks, rotations, bots, places, faults = zip(*seats, strict=True)
        result = MatchResult(tuple(map(digests.__getitem__, bots)), places, tuple(map(bool, faults)))
        matches[blocks[0]].append((rotations[0], result))
    return {block: tuple(result for _, result in sorted(its, key=itemgetter(0))) for block, its in matches.items()}


def add_round(connection: sa.Connection, tournament: int, blocks: Collection[PlannedBlock], round_number: int) -> int:
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
    digests = set(connection.execute(_entered(tournament, BOT.c.digest)).scalars())
    rows = block_rows(tournament, blocks, digests, first=last_ordinal + 1, round_number=round_number)
    connection.execute(BLOCK.insert(), list(rows))
    return len(blocks)


def gone_bots(connection: sa.Connection, tournament: int) -> frozenset[bytes]:
    """The digests of the bots that were withdrawn from the tournament with this key."""
    withdrawn = _entered(tournament, BOT.c.digest).where(ENTRY.c.withdrawn.is_not(None))
    return frozenset(connection.execute(withdrawn).scalars())


def _entered(tournament: int, *columns: sa.Column[Any]) -> sa.Select[Any]:
    """These columns of the bots that entered the tournament with this key."""
    return sa.select(*columns).join(ENTRY, ENTRY.c.bot == BOT.c.key).where(ENTRY.c.tournament == tournament)
