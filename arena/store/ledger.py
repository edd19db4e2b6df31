"""The ledger: what a running tournament writes. Every method is one transaction, and each first makes sure that the
writer still leads, so that a block is counted exactly once, whoever dies whenever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import takewhile

import sqlalchemy as sa

from arena.store.deposit import deposit
from arena.store.engine import Store
from arena.store.lock import LockTakenError, exclusive
from arena.store.tables import BLOCK, BOT, ENTRY, TOURNAMENT, VOID, split_lineup
from arena.tournament.ports import BlockResult, BlockState, ClaimedBlock, LedgerError, PlannedBlock, VoidCause

MOST_VOIDS = 3
"""So often a block is void before it is quarantined."""

MOST_LOSSES = 10
"""So often a block is lost on the way, which is nobody's fault, before it is quarantined."""

OPEN = (BlockState.TODO, BlockState.RUNNING)
FAILURES = (VoidCause.ERROR, VoidCause.DIED, VoidCause.TIMEOUT)


class SqlLedger:
    """`arena.tournament.ports.Ledger` over a store; what the methods promise stands there.

    LedgerError is raised when there is no such tournament or another leads it, StoreError when the database fails.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    @contextmanager
    def lead(self, tournament: str) -> Iterator[int]:
        """Hold the lock file of the tournament, beside the database; yields the new epoch."""
        with self._store.reading() as connection:
            key = connection.execute(sa.select(TOURNAMENT.c.key).where(TOURNAMENT.c.id == tournament)).scalar()
        if key is None:
            raise LedgerError(f"there is no tournament {tournament} in {self._store.path}")
        path = self._store.path
        lock = path.with_name(f"{path.stem}-{key}{path.suffix}.lock")
        with ExitStack() as held:
            try:
                held.enter_context(exclusive(lock))
            except LockTakenError as error:
                raise LedgerError(
                    f"tournament {tournament} is being played already, by process {error}: "
                    "wait until that is finished, or end it"
                ) from None
            except OSError as error:
                raise LedgerError(f"{lock} cannot be made ({error.strerror}): make its folder writable") from error
            yield self._begin_epoch(key)

    def _begin_epoch(self, key: int) -> int:
        with self._store.writing() as connection:
            left = (BLOCK.c.tournament == key, BLOCK.c.state == BlockState.RUNNING)
            connection.execute(BLOCK.update().where(*left).values(state=BlockState.TODO))
            raised = TOURNAMENT.update().where(TOURNAMENT.c.key == key).values(epoch=TOURNAMENT.c.epoch + 1)
            return int(connection.execute(raised.returning(TOURNAMENT.c.epoch)).scalar_one())

    def claim(self, tournament: str, epoch: int, most: int) -> tuple[ClaimedBlock, ...]:
        """Take the next blocks; a suspect one is taken alone."""
        with self._leading(tournament, epoch) as (connection, key):
            todo = (
                sa.select(BLOCK)
                .where(BLOCK.c.tournament == key, BLOCK.c.state == BlockState.TODO)
                .order_by(BLOCK.c.ordinal)
                .limit(most)
            )
            rows = connection.execute(todo).all()
            taken = rows[:1] if rows and rows[0].suspect else list(takewhile(lambda row: not row.suspect, rows))
            claimed = BLOCK.update().where(BLOCK.c.key.in_([row.key for row in taken]))
            connection.execute(claimed.values(state=BlockState.RUNNING, attempts=BLOCK.c.attempts + 1))
        return tuple(
            ClaimedBlock(PlannedBlock(row.block_id, row.number, split_lineup(row.lineup)), row.attempts + 1)
            for row in taken
        )

    def complete(self, tournament: str, epoch: int, result: BlockResult) -> bool:
        """Store a block with its matches, records and sums; ValueError when the result does not fit the block."""
        with self._leading(tournament, epoch) as (connection, key):
            return deposit(connection, key, result)

    def void(
        self, tournament: str, epoch: int, block_id: bytes, cause: VoidCause, reason: str, *, alone: bool
    ) -> BlockState:
        """Take back a claim and log why; a block that is not running stays as it is."""
        with self._leading(tournament, epoch) as (connection, key):
            found = sa.select(BLOCK).where(BLOCK.c.block_id == block_id, BLOCK.c.tournament == key)
            block = connection.execute(found).one()
            if block.state is not BlockState.RUNNING:
                return BlockState(block.state)
            failed = cause in FAILURES
            voids = block.voids + (cause is VoidCause.ERROR or (failed and alone))
            losses = block.losses + (cause is VoidCause.LOST)
            state = BlockState.QUARANTINED if voids >= MOST_VOIDS or losses >= MOST_LOSSES else BlockState.TODO
            suspect = block.suspect or (failed and not alone)
            changed = BLOCK.update().where(BLOCK.c.key == block.key)
            connection.execute(changed.values(state=state, voids=voids, losses=losses, suspect=suspect))
            now = datetime.now(UTC)
            logged = {"attempt": block.attempts, "cause": cause, "alone": alone, "reason": reason, "at": now}
            connection.execute(VOID.insert().values(block=block.key, **logged))
            if cause is not VoidCause.CANCELLED:
                _count_void(connection, key, split_lineup(block.lineup))
            return state

    def withdraw(self, tournament: str, epoch: int, bot: bytes, reason: str) -> int:
        """Withdraw a bot with the reason that was given first, and its blocks that are to be played or running."""
        with self._leading(tournament, epoch) as (connection, key):
            entered = connection.execute(
                ENTRY.update()
                .where(ENTRY.c.tournament == key, ENTRY.c.bot.in_(sa.select(BOT.c.key).where(BOT.c.digest == bot)))
                .values(withdrawn=sa.func.coalesce(ENTRY.c.withdrawn, reason))
            )
            if not entered.rowcount:
                raise LedgerError(f"bot {bot.hex()} is not in tournament {tournament}")
            unplayed = sa.select(BLOCK.c.key, BLOCK.c.lineup).where(BLOCK.c.tournament == key, BLOCK.c.state.in_(OPEN))
            rows = connection.execute(unplayed).all()
            keys = [{"one": row.key} for row in rows if bot in split_lineup(row.lineup)]
            if keys:
                gone = BLOCK.update().where(BLOCK.c.key == sa.bindparam("one"))
                connection.execute(gone.values(state=BlockState.WITHDRAWN), keys)
            return len(keys)

    def counts(self, tournament: str) -> Mapping[BlockState, int]:
        """How many blocks stand in each state; states without a block are there with 0."""
        with self._store.reading() as connection:
            counted = (
                sa.select(BLOCK.c.state, sa.func.count())
                .join(TOURNAMENT, TOURNAMENT.c.key == BLOCK.c.tournament)
                .where(TOURNAMENT.c.id == tournament)
                .group_by(BLOCK.c.state)
            )
            found: dict[BlockState, int] = dict(connection.execute(counted).all())
        return {state: found.get(state, 0) for state in BlockState}

    def finish(self, tournament: str, epoch: int) -> None:
        """Mark the tournament as finished; LedgerError as long as blocks are left, since its secret is free then."""
        with self._leading(tournament, epoch) as (connection, key):
            left = sa.select(sa.func.count()).where(BLOCK.c.tournament == key, BLOCK.c.state.in_(OPEN))
            if count := connection.execute(left).scalar_one():
                raise LedgerError(f"tournament {tournament} is not finished: {count} blocks are still to be played")
            finished = TOURNAMENT.update().where(TOURNAMENT.c.key == key, TOURNAMENT.c.finished.is_(None))
            connection.execute(finished.values(finished=datetime.now(UTC)))
        self._store.analyze()

    @contextmanager
    def _leading(self, tournament: str, epoch: int) -> Iterator[tuple[sa.Connection, int]]:
        """A write transaction of the leader with this epoch, and the tournament's key."""
        with self._store.writing() as connection:
            sought = sa.select(TOURNAMENT.c.key, TOURNAMENT.c.epoch).where(TOURNAMENT.c.id == tournament)
            row = connection.execute(sought).one_or_none()
            if row is None:
                raise LedgerError(f"there is no tournament {tournament} in {self._store.path}")
            if row.epoch != epoch:
                raise LedgerError(
                    f"tournament {tournament} was taken over by another process (epoch {row.epoch}, this is {epoch}): "
                    "nothing more is stored from here"
                )
            yield connection, row.key


def _count_void(connection: sa.Connection, tournament: int, lineup: tuple[bytes, ...]) -> None:
    present = sa.select(BOT.c.key).where(BOT.c.digest.in_(lineup))
    counted = ENTRY.update().where(ENTRY.c.tournament == tournament, ENTRY.c.bot.in_(present))
    connection.execute(counted.values(voids=ENTRY.c.voids + 1))
