"""The loop over the ledger: claim blocks, hand them to an engine, store what comes back, until nothing is left and the
format plans no further round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.fleet.engine import BlockJob, Engine, Job, Outcome, Progress
from arena.tournament.draw import draw_block
from arena.tournament.planning import grows, next_round
from arena.tournament.ports import BlockState, BotEventKind, ClaimedBlock, Ledger, StorageError, Tournament, VoidCause

SILENCE_S = 60.0
"""A job is given up after so many seconds without a sign of life, beyond what its longest call may take."""

LONGEST_BATCH = 256
"""No call carries more turns."""

MATCHES_A_TABLE = 4
"""A job holds at most so many matches for each table: the more of them sit in the chairs of one rotation at a time, the
fuller are the batches, and the later are the first blocks complete."""

LEAST_BLOCKS = 4
"""A job holds so many blocks while there are enough: a single one would have to be played alone."""

VOIDS_IN_A_ROW = 3
"""So many different blocks that failed for a reason of the arena, with no success between them, stop a tournament."""


class CampaignStopped(Exception):  # noqa: N818  reads as what it is
    """The tournament cannot go on; the message says why. What is done is stored, and it can be resumed."""


class Planned(NamedTuple):
    """The plan has grown by a round of so many blocks."""

    blocks: int


@dataclass(slots=True)
class CampaignReport:
    """What a campaign did: blocks that it completed and their matches, and the bots that it had to withdraw with the
    reasons.

    These reasons are for whoever runs the campaign: they may end in a line that the bot printed.
    """

    done: int = 0
    matches: int = 0
    withdrawn: dict[bytes, str] = field(default_factory=dict)


class Campaign:
    """Plays what a tournament's ledger holds to do, and what its format plans from the results.

    `workers` is how many jobs run at once and `tables` how many matches a slot has in progress; both only shape the
    jobs. `watch` is told of every outcome, sign of life and new round after it is stored, and `leads` is called as soon
    as nobody else can play the tournament.
    """

    def __init__(
        self,
        tournament: Tournament,
        ledger: Ledger,
        engine: Engine,
        *,
        workers: int,
        tables: int,
        watch: Callable[[Outcome | Progress | Planned], None],
        leads: Callable[[], None] = lambda: None,
    ) -> None:
        self._tournament = tournament
        self._ledger = ledger
        self._engine = engine
        self._workers = workers
        self._tables = tables
        self._watch = watch
        self._leads = leads
        self._failed: set[bytes] = set()
        self._start_problems: dict[bytes, str] = {}
        self._pending = 0
        self._todo = 0  # blocks to be played that nobody has, as far as is known
        self.report = CampaignReport()

    def run(self) -> CampaignReport:
        """Play until nothing is left. Raises CampaignStopped, and LedgerError when somebody else leads."""
        name = self._tournament.id
        with self._ledger.lead(name) as epoch:
            self._leads()
            self._play(epoch)
            while self._grow(epoch):
                self._play(epoch)
            if not self._waits():
                self._ledger.finish(name, epoch)
        return self.report

    def _play(self, epoch: int) -> None:
        """Play until no block of the plan is left."""
        self._count()
        while self._feed(epoch) or self._pending:
            came = self._engine.next(1.0)
            if isinstance(came, Outcome):
                self._pending -= 1
                self._settle(epoch, came)
            if came is not None:
                self._watch(came)

    def _grow(self, epoch: int) -> bool:
        """Add the next round to the plan; False when the tournament is over."""
        name = self._tournament.id
        if not grows(self._tournament):
            return False
        rounds = self._ledger.rounds(name)
        blocks = next_round(self._tournament, rounds, self._ledger.withdrawn(name))
        if blocks:
            self._watch(Planned(self._ledger.extend(name, epoch, blocks, len(rounds))))
        return bool(blocks)

    def _waits(self) -> bool:
        """Whether blocks of withdrawn bots are left that are played once these are restored: so the secret is kept.

        What was left in an earlier round never is, since the plan went on without it.
        """
        name = self._tournament.id
        if not self._ledger.counts(name).get(BlockState.WITHDRAWN, 0):
            return False
        gone, rounds = self._ledger.withdrawn(name), self._ledger.rounds(name)
        return any(not (block.results or gone.isdisjoint(block.lineup)) for block in rounds[-1])

    def _feed(self, epoch: int) -> bool:
        """Hand jobs to free workers; whether blocks are left that wait for one.

        A job is small enough that all workers end together, and as large as that allows.
        """
        while self._todo and self._engine.capacity():
            claimed = self._ledger.claim(self._tournament.id, epoch, self._blocks_a_job())
            if not claimed:
                self._count()
                continue
            self._todo -= len(claimed)
            self._pending += len(claimed)
            self._engine.submit(Job(tuple(self._block_job(claim) for claim in claimed)), self._silence_s())
        return self._todo > 0

    def _blocks_a_job(self) -> int:
        shares = 2 * self._workers if self._workers > 1 else 1  # nobody waits for the last job of an only worker
        fair = -(-self._todo // shares)
        return max(1, min(max(LEAST_BLOCKS, fair), MATCHES_A_TABLE * self._tables // self._tournament.seats))

    def _count(self) -> None:
        """Look up what is left; it takes as long as the plan is large, so not at every step."""
        self._todo = self._ledger.counts(self._tournament.id).get(BlockState.TODO, 0)

    def _silence_s(self) -> float:
        limits = self._tournament.limits
        return SILENCE_S + (LONGEST_BATCH * limits.turn_ms + limits.bank_ms) / 1000

    def _block_job(self, claim: ClaimedBlock) -> BlockJob:
        return BlockJob(claim.block.block_id, claim.attempt, draw_block(self._tournament, claim.block, claim.attempt))

    def _settle(self, epoch: int, outcome: Outcome) -> None:
        name = self._tournament.id
        for event in outcome.events:
            if event.kind is BotEventKind.NOT_STARTED:
                self._start_problems[event.bot] = event.reason
        if outcome.result is not None:
            try:
                stored = self._ledger.complete(name, epoch, outcome.result, outcome.events)
            except StorageError as error:
                self._void(epoch, outcome, VoidCause.ERROR, str(error))
            else:
                self.report.done += stored
                self.report.matches += len(outcome.result.matches) * stored
                self._failed.clear()
        elif outcome.unstartable is not None:
            bot = outcome.unstartable
            self.report.withdrawn[bot] = self._start_problems.get(bot, outcome.reason)
            self._ledger.withdraw(name, epoch, bot, outcome.reason, outcome.events)
            self._count()
        else:
            self._void(epoch, outcome, VoidCause(outcome.kind.value), outcome.reason)

    def _void(self, epoch: int, outcome: Outcome, cause: VoidCause, reason: str) -> None:
        name, events = self._tournament.id, outcome.events
        state = self._ledger.void(name, epoch, outcome.block_id, cause, reason, events, alone=outcome.alone)
        self._todo += state is BlockState.TODO
        if cause is not VoidCause.ERROR or not (outcome.alone or outcome.result):
            return  # a death is the block's own matter; of a job's many blocks each is tried alone before it counts
        self._failed.add(outcome.block_id)
        if len(self._failed) >= VOIDS_IN_A_ROW:
            raise CampaignStopped(
                f"{VOIDS_IN_A_ROW} different blocks in a row failed for a reason of the arena's own, the last one: "
                f"{reason}; mend that and go on with `arena tournament resume {self._tournament.id}`"
            )
