"""The loop over the ledger, with an engine that fails as it is told and a real database."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.fleet.campaign import CampaignStopped
from arena.fleet.engine import BlockJob, Job, Outcome, OutcomeKind, Progress
from arena.store.engine import Store
from arena.store.events import EventLog
from arena.store.ledger import SqlLedger
from arena.store.repository import Repository
from arena.tournament.ports import (
    BlockState,
    BotEvent,
    BotEventKind,
    ClaimedBlock,
    PlannedBlock,
    StorageError,
    Tournament,
)
from tests.fleet.running import campaign
from tests.store import made

Judge = Callable[[BlockJob, bool], Outcome]


def ok(block: BlockJob, alone: bool = False) -> Outcome:
    lineup = tuple(sorted(set(block.rotations[0].seats)))
    result = made.result(ClaimedBlock(PlannedBlock(block.block_id, 0, lineup), block.attempt))
    return Outcome(block.block_id, block.attempt, OutcomeKind.OK, "w", alone, result)


def failed(block: BlockJob, alone: bool, kind: OutcomeKind, bot: bytes | None = None) -> Outcome:
    return Outcome(block.block_id, block.attempt, kind, "w", alone, reason="because", unstartable=bot)


class Scripted:
    """An engine that judges the blocks of a job as soon as it is asked for what came."""

    def __init__(self, judge: Judge = ok, room: int = 2) -> None:
        self.judge = judge
        self.room = room
        self.jobs: list[Job] = []
        self.waiting: deque[list[Outcome]] = deque()

    def capacity(self) -> int:
        return self.room - len(self.waiting)

    def submit(self, job: Job, timeout_s: float) -> None:
        self.jobs.append(job)
        alone = len(job.blocks) == 1
        self.waiting.append([self.judge(block, alone) for block in job.blocks])

    def next(self, timeout_s: float) -> Outcome | Progress | None:
        outcome = self.waiting[0].pop()
        if not self.waiting[0]:
            self.waiting.popleft()
        return outcome

    def cancel(self, block_id: bytes) -> None:
        raise AssertionError("nothing is cancelled here")

    def close(self) -> None: ...

    def runs(self) -> Counter[bytes]:
        return Counter(block.block_id for job in self.jobs for block in job.blocks)


@pytest.fixture
def cup() -> Tournament:
    return made.tournament(bots=5)


@pytest.fixture
def store(tmp_path: Path, cup: Tournament) -> Iterator[Store]:
    with made.opened(tmp_path / "arena.db", cup) as store:
        yield store


def counts(store: Store, cup: Tournament) -> dict[BlockState, int]:
    return {state: count for state, count in SqlLedger(store).counts(cup.id).items() if count}


def test_a_campaign_plays_every_block_once_and_finishes_the_tournament(store: Store, cup: Tournament) -> None:
    engine = Scripted()
    assert campaign(store, cup, engine).done == 20
    assert counts(store, cup) == {BlockState.DONE: 20}
    assert set(engine.runs().values()) == {1}
    assert Repository(store).tournament(cup.id).finished is not None


def test_no_more_than_the_capacity_is_handed_over(store: Store, cup: Tournament) -> None:
    class Strict(Scripted):
        def submit(self, job: Job, timeout_s: float) -> None:
            assert self.capacity() > 0
            super().submit(job, timeout_s)

    campaign(store, cup, Strict(room=1))


def test_jobs_shrink_so_that_all_workers_end_together(store: Store, cup: Tournament) -> None:
    engine = Scripted()
    campaign(store, cup, engine, workers=2)
    assert [len(job.blocks) for job in engine.jobs] == [5, 4, 4, 4, 3]


def test_a_job_holds_a_few_matches_for_each_table_at_most(store: Store, cup: Tournament) -> None:
    engine = Scripted()
    campaign(store, cup, engine, tables=5)
    assert max(len(job.blocks) for job in engine.jobs) == 4 * 5 // 3


def test_a_poisonous_block_is_quarantined_after_three_deaths_and_no_innocent_is_blamed(
    store: Store, cup: Tournament
) -> None:
    poison: set[bytes] = set()

    def judge(block: BlockJob, alone: bool) -> Outcome:
        if not poison:
            poison.add(block.block_id)
        return failed(block, alone, OutcomeKind.DIED) if block.block_id in poison else ok(block, alone)

    engine = Scripted(judge)
    campaign(store, cup, engine)
    assert counts(store, cup) == {BlockState.DONE: 19, BlockState.QUARANTINED: 1}
    assert engine.runs()[poison.copy().pop()] == 4  # once among others, then three times alone
    assert Repository(store).tournament(cup.id).finished is not None


def test_all_blocks_of_a_job_that_died_are_run_again_alone(store: Store, cup: Tournament) -> None:
    died: list[int] = []

    def judge(block: BlockJob, alone: bool) -> Outcome:
        if block.attempt == 1 and not alone and len(died) < 10:
            died.append(1)
            return failed(block, alone, OutcomeKind.DIED)
        return ok(block, alone)

    engine = Scripted(judge, room=1)
    campaign(store, cup, engine)
    assert counts(store, cup) == {BlockState.DONE: 20}
    again = [job for job in engine.jobs if any(block.attempt > 1 for block in job.blocks)]
    assert [len(job.blocks) for job in again] == [1] * 10


def test_an_attempt_is_counted_up_with_every_claim(store: Store, cup: Tournament) -> None:
    def judge(block: BlockJob, alone: bool) -> Outcome:
        return ok(block) if block.attempt == 2 else failed(block, alone, OutcomeKind.LOST)

    engine = Scripted(judge)
    campaign(store, cup, engine)
    assert counts(store, cup) == {BlockState.DONE: 20}
    assert set(engine.runs().values()) == {2}


def test_three_different_blocks_that_fail_for_the_arenas_own_reasons_stop_the_tournament(
    store: Store, cup: Tournament
) -> None:
    engine = Scripted(lambda block, alone: failed(block, alone, OutcomeKind.ERROR), room=1)
    with pytest.raises(CampaignStopped, match=f"because.*resume {cup.id}"):
        campaign(store, cup, engine, tables=1)
    assert counts(store, cup)[BlockState.TODO] >= 16
    assert Repository(store).tournament(cup.id).finished is None


def test_failures_with_successes_between_them_do_not_stop_a_tournament(store: Store, cup: Tournament) -> None:
    failures: Counter[bytes] = Counter()

    def judge(block: BlockJob, alone: bool) -> Outcome:
        failures[block.block_id] += 1
        return ok(block) if failures[block.block_id] == 2 else failed(block, alone, OutcomeKind.ERROR)

    campaign(store, cup, Scripted(judge, room=1), tables=1)
    assert counts(store, cup) == {BlockState.DONE: 20}


def test_a_bot_that_cannot_be_started_is_withdrawn_and_the_others_play_on(store: Store, cup: Tournament) -> None:
    bad = cup.entries[2].digest

    def judge(block: BlockJob, alone: bool) -> Outcome:
        present = bad in block.rotations[0].seats
        return failed(block, alone, OutcomeKind.ERROR, bad) if present else ok(block, alone)

    engine = Scripted(judge)
    report = campaign(store, cup, engine)
    assert report.withdrawn == {bad: "because"}
    assert counts(store, cup) == {BlockState.DONE: 8, BlockState.WITHDRAWN: 12}
    withdrawn = {state.entry.digest: state.withdrawn for state in Repository(store).entries(cup.id)}
    assert {digest for digest, reason in withdrawn.items() if reason} == {bad}
    assert all(state.voids == 0 for state in Repository(store).entries(cup.id))
    assert Repository(store).tournament(cup.id).finished is None, "its cards stay secret, since it may be restored"


def test_a_restored_bots_blocks_are_played_and_the_tournament_is_finished(store: Store, cup: Tournament) -> None:
    bad = cup.entries[2].digest
    ledger = SqlLedger(store)
    with ledger.lead(cup.id) as epoch:
        ledger.withdraw(cup.id, epoch, bad, "because")
    assert campaign(store, cup, Scripted()).done == 8
    with ledger.lead(cup.id) as epoch:
        ledger.restore(cup.id, epoch, bad)
    assert campaign(store, cup, Scripted()).done == 12
    assert Repository(store).tournament(cup.id).finished is not None


def test_what_happened_to_bots_is_logged_however_a_run_ends(store: Store, cup: Tournament) -> None:
    unlucky, bad = cup.entries[0], cup.entries[2]

    def event(bot: bytes, block: BlockJob, kind: BotEventKind) -> BotEvent:
        return BotEvent(bot, kind, datetime.now(UTC), reason=f"attempt {block.attempt}", block_id=block.block_id)

    def judge(block: BlockJob, alone: bool) -> Outcome:
        if bad.digest in block.rotations[0].seats:
            outcome = failed(block, alone, OutcomeKind.ERROR, bad.digest)
            return outcome._replace(events=(event(bad.digest, block, BotEventKind.NOT_STARTED),))
        done = ok(block, alone) if block.attempt == 2 else failed(block, alone, OutcomeKind.DIED)
        return done._replace(events=(event(unlucky.digest, block, BotEventKind.FAULT),))

    report = campaign(store, cup, Scripted(judge))
    assert report.withdrawn == {bad.digest: "attempt 1"}, "what the bot said itself, for whoever runs the campaign"
    log = EventLog(store)
    mine = [(event.kind, event.reason) for event in log.page(unlucky.name, limit=100).events]
    assert {reason for kind, reason in mine if kind == "fault"} == {"attempt 1", "attempt 2"}
    assert {reason for kind, reason in mine if kind == "void"} == {"died: because"}
    assert {event.kind for event in log.page(bad.name, limit=100).events} == {"not started", "withdrawn"}


def test_a_result_that_could_not_be_stored_is_void_and_played_again(
    store: Store, cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete, calls = SqlLedger.complete, []

    def fails_once(ledger: SqlLedger, *arguments: object) -> bool:
        calls.append(1)
        if len(calls) == 3:
            raise StorageError("the disk is full")
        return complete(ledger, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(SqlLedger, "complete", fails_once)
    engine = Scripted()
    campaign(store, cup, engine)
    assert counts(store, cup) == {BlockState.DONE: 20}
    assert sorted(engine.runs().values()) == [1] * 19 + [2]


def test_a_second_campaign_has_nothing_left_to_do(store: Store, cup: Tournament) -> None:
    campaign(store, cup, Scripted())
    engine = Scripted()
    assert campaign(store, cup, engine).done == 0
    assert engine.jobs == []
