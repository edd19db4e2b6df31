"""The ledger: what a running tournament writes. Every method is one transaction, and each first makes sure that the
writer still leads, so that a block is counted exactly once, whoever dies whenever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import takewhile

import sqlalchemy as sa

from arena.store.bots import entered_keys
from arena.store.deposit import deposit
from arena.store.engine import Store
from arena.store.events import log_events
from arena.store.lock import LockTakenError, exclusive, lock_file
from arena.store.rounds import add_round, gone_bots, read_rounds
from arena.store.tables import BLOCK, BOT, ENTRY, EVENT, OPEN, TOURNAMENT, VOID, split_lineup
from arena.tournament.ports import (
    BlockResult,
    BlockState,
    BotEvent,
    BotEventKind,
    ClaimedBlock,
    LedgerError,
    PlannedBlock,
    VoidCause,
)
from arena.tournament.rounds import Round

MOST_VOIDS = 3
"""So often a block is void before it is quarantined."""

MOST_LOSSES = 10
"""So often a block is lost on the way, which is nobody's fault, before it is quarantined."""

FAILURES = (VoidCause.ERROR, VoidCause.DIED, VoidCause.TIMEOUT)

_LEADER = sa.select(TOURNAMENT.c.key, TOURNAMENT.c.epoch).where(TOURNAMENT.c.id == sa.bindparam("the_tournament"))


class SqlLedger:
    """`arena.tournament.ports.Ledger` over a store; what the methods promise stands there.

    LedgerError is raised when there is no such tournament or another leads it, StoreError when the database fails.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._bots: dict[int, Mapping[bytes, int]] = {}  # of each tournament, since every block asks for them

    @contextmanager
    def lead(self, tournament: str) -> Iterator[int]:
        """Hold the lock file of the tournament, beside the database; yields the new epoch."""
        with self._store.reading() as connection:
            key = self._key(connection, tournament)
        lock = lock_file(self._store.path, key)
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
            logged = sa.select(sa.func.coalesce(sa.func.max(EVENT.c.key), 0)).scalar_subquery()
            claimed = BLOCK.update().where(BLOCK.c.key.in_([row.key for row in taken]))
            counted = {"attempts": BLOCK.c.attempts + 1, "begun": sa.func.coalesce(BLOCK.c.begun, logged)}
            connection.execute(claimed.values(state=BlockState.RUNNING, **counted))
        return tuple(
            ClaimedBlock(PlannedBlock(row.block_id, row.number, split_lineup(row.lineup)), row.attempts + 1)
            for row in taken
        )

    def complete(self, tournament: str, epoch: int, result: BlockResult, events: Sequence[BotEvent] = ()) -> bool:
        """Store a block with its matches, records and sums; ValueError when the result does not fit the block."""
        with self._leading(tournament, epoch) as (connection, key):
            bots = self._bots.get(key)
            if bots is None:
                bots = self._bots[key] = entered_keys(connection, key)
            stored = deposit(connection, key, result, bots)
            log_events(connection, key, events if stored else _of_no_block(events))
            return stored

    def void(
        self,
        tournament: str,
        epoch: int,
        block_id: bytes,
        cause: VoidCause,
        reason: str,
        events: Sequence[BotEvent] = (),
        *,
        alone: bool,
    ) -> BlockState:
        """Take back a claim and log why; a block that is not running stays as it is."""
        with self._leading(tournament, epoch) as (connection, key):
            found = sa.select(BLOCK).where(BLOCK.c.block_id == block_id, BLOCK.c.tournament == key)
            block = connection.execute(found).one()
            if block.state is not BlockState.RUNNING:
                log_events(connection, key, _of_no_block(events))
                return BlockState(block.state)
            log_events(connection, key, events)
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

    def withdraw(self, tournament: str, epoch: int, bot: bytes, reason: str, events: Sequence[BotEvent] = ()) -> int:
        """Withdraw a bot with the reason that was given first, and its blocks that are to be played or running."""
        with self._leading(tournament, epoch) as (connection, key):
            log_events(connection, key, events)
            if _withdrawn(connection, key, bot, tournament) is None:
                _mark_entry(connection, key, bot, reason)
                now = datetime.now(UTC)
                log_events(connection, key, [BotEvent(bot, BotEventKind.WITHDRAWN, now, reason=reason)])
            unplayed = sa.select(BLOCK.c.key, BLOCK.c.lineup).where(BLOCK.c.tournament == key, BLOCK.c.state.in_(OPEN))
            rows = connection.execute(unplayed).all()
            gone = [row.key for row in rows if bot in split_lineup(row.lineup)]
            return _move(connection, gone, BlockState.WITHDRAWN)

    def restore(self, tournament: str, epoch: int, bot: bytes) -> int:
        """Let a withdrawn bot play again: its blocks are to be played, but for those with another withdrawn bot.

        Returns how many. LedgerError when the tournament is finished, since its secret may have been shown, and when
        its plan has gone on without the bot.
        """
        with self._leading(tournament, epoch) as (connection, key):
            if connection.execute(sa.select(TOURNAMENT.c.finished).where(TOURNAMENT.c.key == key)).scalar() is not None:
                raise LedgerError(
                    f"tournament {tournament} is finished and the secret behind its cards is free: "
                    "no bot can be restored any more, play a new tournament"
                )
            if _withdrawn(connection, key, bot, tournament) is None:
                return 0
            _mark_entry(connection, key, bot, None)
            log_events(connection, key, [BotEvent(bot, BotEventKind.RESTORED, datetime.now(UTC))])
            others = gone_bots(connection, key)
            gone = sa.select(BLOCK.c.key, BLOCK.c.lineup, BLOCK.c.round)
            rows = connection.execute(gone.where(BLOCK.c.tournament == key, BLOCK.c.state == BlockState.WITHDRAWN))
            back = [row for row in rows if others.isdisjoint(split_lineup(row.lineup))]
            last = connection.execute(sa.select(sa.func.max(BLOCK.c.round)).where(BLOCK.c.tournament == key)).scalar()
            if any(row.round != last for row in back):
                raise LedgerError(
                    f"tournament {tournament} has gone on without this bot, its later rounds were planned so: "
                    "it cannot be restored there any more, play a new tournament"
                )
            return _move(connection, [row.key for row in back], BlockState.TODO)

    def rounds(self, tournament: str) -> tuple[Round, ...]:
        """What is settled of each round, in the order of the plan; places and faults come from the stored seats."""
        with self._store.reading() as connection:
            return read_rounds(connection, self._key(connection, tournament))

    def withdrawn(self, tournament: str) -> frozenset[bytes]:
        """The digests of the bots that were withdrawn."""
        with self._store.reading() as connection:
            return gone_bots(connection, self._key(connection, tournament))

    def extend(self, tournament: str, epoch: int, blocks: Collection[PlannedBlock], round_number: int) -> int:
        """Add a round; ValueError when it does not follow the last one or names a bot that is no entry."""
        with self._leading(tournament, epoch) as (connection, key):
            return add_round(connection, key, blocks, round_number)

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

    def _key(self, connection: sa.Connection, tournament: str) -> int:
        """The key of the tournament with this id; LedgerError when there is none."""
        key = connection.execute(sa.select(TOURNAMENT.c.key).where(TOURNAMENT.c.id == tournament)).scalar()
        if key is None:
            raise LedgerError(f"there is no tournament {tournament} in {self._store.path}")
        return int(key)

    @contextmanager
    def _leading(self, tournament: str, epoch: int) -> Iterator[tuple[sa.Connection, int]]:
        """A write transaction of the leader with this epoch, and the tournament's key."""
        with self._store.writing() as connection:
            row = connection.execute(_LEADER, {"the_tournament": tournament}).one_or_none()
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


def _of_no_block(events: Sequence[BotEvent]) -> list[BotEvent]:
    """What is to be logged of a run that came too late: another run of its block counts."""
    return [event for event in events if event.block_id is None]


def _withdrawn(connection: sa.Connection, key: int, bot: bytes, tournament: str) -> str | None:
    """Why a bot was withdrawn from the tournament, None if it was not; LedgerError when it did not enter it."""
    entered = sa.select(ENTRY.c.withdrawn).join(BOT, BOT.c.key == ENTRY.c.bot)
    reasons: Sequence[str | None] = (
        connection.execute(entered.where(ENTRY.c.tournament == key, BOT.c.digest == bot)).scalars().all()
    )
    if not reasons:
        raise LedgerError(f"bot {bot.hex()} is not in tournament {tournament}")
    return reasons[0]


def _mark_entry(connection: sa.Connection, tournament: int, bot: bytes, reason: str | None) -> None:
    own = ENTRY.c.bot.in_(sa.select(BOT.c.key).where(BOT.c.digest == bot))
    connection.execute(ENTRY.update().where(ENTRY.c.tournament == tournament, own).values(withdrawn=reason))


def _move(connection: sa.Connection, blocks: Sequence[int], state: BlockState) -> int:
    """Put these blocks into a state; returns how many they are."""
    if blocks:
        moved = BLOCK.update().where(BLOCK.c.key == sa.bindparam("one")).values(state=state)
        connection.execute(moved, [{"one": block} for block in blocks])
    return len(blocks)
