"""Real workers with real bots: what they report, and what is left when they are gone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from arena.bots.folders import open_folder
from arena.fleet.engine import BlockJob, Job, Outcome, OutcomeKind, Progress
from arena.fleet.local import LocalEngine
from arena.match.faults import FaultKind
from arena.match.limits import Limits
from arena.settings import url_of
from arena.store.archive import Archive
from arena.store.engine import Store
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.draw import draw_block
from arena.tournament.ports import BlockState, PlannedBlock, Tournament
from arena.wire.codec import decode_record, unpack_record
from tests.bots.making import make_bot, make_scripted
from tests.fleet.running import QUICK, campaign, descendants, local_engine, open_tournament, sample, slots


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(url_of(tmp_path / "arena.db"), write=True) as store:
        yield store


def counts(store: Store, tournament: Tournament) -> dict[BlockState, int]:
    return {state: count for state, count in SqlLedger(store).counts(tournament.id).items() if count}


def digests(store: Store, tournament: Tournament) -> set[tuple[bytes, int, bytes]]:
    return {(match.block.block_id, match.rotation, match.digest) for match in Archive(store).records(tournament.id)}


def test_two_workers_and_one_play_the_same_matches(store: Store) -> None:
    bots = sample("greedy", "random")
    found = []
    for workers, tables in ((1, 64), (2, 2)):
        tournament = open_tournament(store, bots, seats=2, deals=4)
        with local_engine(tournament, bots, workers, tables) as engine:
            campaign(store, tournament, engine, workers, tables)
        assert counts(store, tournament) == {BlockState.DONE: 4}
        found.append(digests(store, tournament))
    assert found[0] == found[1]
    assert len(found[0]) == 8


def test_nothing_runs_after_the_engine_is_closed(store: Store) -> None:
    bots = sample("greedy", "random")
    before = descendants()
    tournament = open_tournament(store, bots, seats=2, deals=2)
    with local_engine(tournament, bots, workers=2) as engine:
        campaign(store, tournament, engine, workers=2)
        assert len(descendants() - before) > 4
    assert descendants() == before


def test_a_bot_that_exits_at_once_is_withdrawn_with_its_last_words(store: Store, tmp_path: Path) -> None:
    bad = open_folder(make_scripted(tmp_path / "bad", "exit-at-import:3"))
    bots = [*sample("greedy", "random"), bad]
    tournament = open_tournament(store, bots, seats=2, deals=1)
    with local_engine(tournament, bots) as engine:
        report = campaign(store, tournament, engine)
    assert list(report.withdrawn) == [bad.digest]
    assert "exited with status 3" in report.withdrawn[bad.digest]
    assert "this bot gives up" in report.withdrawn[bad.digest]
    assert counts(store, tournament) == {BlockState.DONE: 1, BlockState.WITHDRAWN: 2}


def test_a_killed_worker_costs_nobody_anything(store: Store) -> None:
    bots = sample("greedy", "random")
    tournament = open_tournament(store, bots, seats=2, deals=4)
    killed: list[int] = []
    causes: list[OutcomeKind] = []

    def kill_once(came: Outcome | Progress) -> None:
        if not killed:
            (slot,) = slots()
            killed.append(slot.pid)
            slot.kill()
        if isinstance(came, Outcome):
            causes.append(came.kind)

    before = descendants()
    with local_engine(tournament, bots) as engine:
        campaign(store, tournament, engine, watch=kill_once)
        assert slots()[0].pid != killed[0]
    assert counts(store, tournament) == {BlockState.DONE: 4}
    assert OutcomeKind.DIED in causes
    assert descendants() == before
    replayed = open_tournament(store, bots, seats=2, deals=4)
    with local_engine(replayed, bots) as engine:
        campaign(store, replayed, engine)
    assert digests(store, replayed) == digests(store, tournament)


def test_a_cancelled_block_comes_back_and_the_worker_is_usable_again(store: Store, tmp_path: Path) -> None:
    hanging = open_folder(make_scripted(tmp_path / "hanging", "hang"))
    bots = [*sample("greedy", "random"), hanging]
    tournament = open_tournament(store, bots, seats=2, deals=1, limits=Limits(turn_ms=60_000))
    blocks = [entry.block for entry in Repository(store).missing(tournament.id)]
    stuck = next(block for block in blocks if hanging.digest in block.lineup)
    fine = next(block for block in blocks if hanging.digest not in block.lineup)
    with local_engine(tournament, bots) as engine:
        engine.submit(job(tournament, stuck), 60)
        wait_for(lambda: bool(slots()) and any("scripted.py" in p.cmdline() for p in psutil.Process().children(True)))
        engine.cancel(stuck.block_id)
        assert outcome(engine).kind is OutcomeKind.CANCELLED
        assert not any("scripted.py" in " ".join(p.cmdline()) for p in alive())
        wait_for(lambda: engine.capacity() == 1)
        engine.submit(job(tournament, fine), 60)
        assert outcome(engine).kind is OutcomeKind.OK


def test_a_worker_that_falls_silent_is_given_up(store: Store, tmp_path: Path) -> None:
    hanging = open_folder(make_scripted(tmp_path / "hanging", "hang"))
    bots = [*sample("greedy"), hanging]
    tournament = open_tournament(store, bots, seats=2, deals=1, limits=Limits(turn_ms=60_000))
    (block,) = [entry.block for entry in Repository(store).missing(tournament.id)]
    with local_engine(tournament, bots) as engine:
        engine.submit(job(tournament, block), 0.5)
        assert outcome(engine).kind is OutcomeKind.TIMEOUT


def test_a_worker_with_tables_left_plays_another_job_but_a_single_block_waits_to_be_alone(
    store: Store, tmp_path: Path
) -> None:
    hanging = open_folder(make_scripted(tmp_path / "hanging", "hang"))
    bots = [*sample("greedy", "random"), hanging]
    tournament = open_tournament(store, bots, seats=2, deals=3, limits=Limits(turn_ms=60_000))
    blocks = [entry.block for entry in Repository(store).missing(tournament.id)]
    stuck = [block for block in blocks if hanging.digest in block.lineup]
    first, second, last = (block for block in blocks if hanging.digest not in block.lineup)
    with local_engine(tournament, bots) as engine:
        engine.submit(job(tournament, *stuck), 60)
        wait_for(lambda: engine.capacity() == 1)
        engine.submit(job(tournament, first, second), 60)
        assert {outcome(engine).block_id for _ in range(2)} == {first.block_id, second.block_id}
        wait_for(lambda: engine.capacity() == 1)
        engine.submit(job(tournament, last), 60)
        assert engine.capacity() == 0
        engine.cancel(stuck[0].block_id)
        came = [outcome(engine) for _ in range(len(stuck) + 1)]
    assert [one.kind for one in came] == [OutcomeKind.CANCELLED] * len(stuck) + [OutcomeKind.OK]
    assert came[-1].alone


def job(tournament: Tournament, *blocks: PlannedBlock) -> Job:
    return Job(tuple(BlockJob(block.block_id, 1, draw_block(tournament, block, 1)) for block in blocks))


def outcome(engine: LocalEngine) -> Outcome:
    """The next outcome of a block."""
    while not isinstance(came := engine.next(0.1), Outcome):
        pass
    return came


def wait_for(condition: Callable[[], bool]) -> None:
    """Until the condition holds; the test's own time limit ends a wait in vain."""
    while not condition():
        os.sched_yield()


def alive() -> list[psutil.Process]:
    return [child for child in psutil.Process().children(recursive=True) if child.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (["hang"], FaultKind.TIMEOUT),
        (["exit:1"], FaultKind.CRASHED),
        (["raise"], FaultKind.REFUSED),
        (["empty"], FaultKind.BAD_REPLY),
        (["illegal:CARD_NOT_HELD"], FaultKind.ILLEGAL_ACTION),
        (["stale"], FaultKind.STALE_TURN),
    ],
)
def test_a_bot_that_misbehaves_loses_by_forfeit_and_the_others_play_on(
    store: Store, tmp_path: Path, words: list[str], kind: FaultKind
) -> None:
    bad = open_folder(make_scripted(tmp_path / "bad", *words))
    bots = [*sample("greedy", "random"), bad]
    tournament = open_tournament(store, bots, seats=3, deals=1, limits=Limits(turn_ms=150, bank_ms=100))
    with local_engine(tournament, bots) as engine:
        campaign(store, tournament, engine)
    records = [decode_record(unpack_record(match.record)) for match in Archive(store).records(tournament.id)]
    assert len(records) == 3
    for record in records:
        seat = record.seats.index(bad.digest)
        faults = [turn.fault for turn in record.turns() if turn.fault is not None]
        assert [(fault.kind, fault.strike) for fault in faults] == [(kind, 1), (kind, 2), (kind, 3)]
        assert {turn.seat for turn in record.turns() if turn.fault} == {seat}
        assert record.places[seat] == 3
        assert len(record.deals) == QUICK.deal_cap


def test_running_a_bot_does_not_change_its_digest(store: Store, tmp_path: Path) -> None:
    writer = make_bot(tmp_path / "writer", ["sh", "-c", "echo > left-behind; exec python scripted.py"])
    shutil.copy(Path(make_scripted(tmp_path / "source")) / "scripted.py", writer)
    bot = open_folder(writer)
    bots = [*sample("greedy"), bot]
    tournament = open_tournament(store, bots, seats=2, deals=1)
    with local_engine(tournament, bots) as engine:
        assert campaign(store, tournament, engine).done == 1
    assert open_folder(writer).digest == bot.digest
    assert sorted(path.name for path in writer.iterdir()) == ["bot.toml", "scripted.py"]


STARTS = """
import sys
from arena.sdk import Play, serve
with open(sys.argv[1], "a") as file:
    file.write("started\\n")
serve(lambda seen: Play(seen.hand[:1], None))
"""


@pytest.mark.parametrize(("fresh", "starts"), [(False, 2), (True, 6)])
def test_a_bot_may_have_a_new_process_for_each_match(store: Store, tmp_path: Path, fresh: bool, starts: int) -> None:
    file = tmp_path / "starts"
    folder = make_bot(tmp_path / "counted", ["python", "main.py", str(file)], fresh=fresh)
    (folder / "main.py").write_text(STARTS)
    bots = [*sample("greedy"), open_folder(folder)]
    tournament = open_tournament(store, bots, seats=2, deals=3)
    with local_engine(tournament, bots) as engine:
        assert campaign(store, tournament, engine).done == 3
    assert len(file.read_text().splitlines()) == starts


def test_a_bot_that_wants_to_know_is_told_how_its_matches_ended(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "conclusions"
    curious = open_folder(make_scripted(tmp_path / "curious", f"wants-conclude:{file}"))
    bots = [*sample("greedy"), curious]
    tournament = open_tournament(store, bots, seats=2, deals=2)
    with local_engine(tournament, bots) as engine:
        campaign(store, tournament, engine)
        wait_for(lambda: file.exists() and len(file.read_text().splitlines()) == 4)


def test_a_bot_that_changes_between_rotations_cannot_tell_the_next_process(store: Store, tmp_path: Path) -> None:
    """Each process has its own copy of the bot: what one writes into its folder, no other finds."""
    folder = make_bot(tmp_path / "writer", ["python", "main.py", str(tmp_path / "found")])
    (folder / "main.py").write_text(
        "import sys\n"
        "from pathlib import Path\n"
        "from arena.sdk import Play, serve\n"
        "if Path('note').exists():\n"
        "    Path(sys.argv[1]).write_text('found')\n"
        "Path('note').write_text('I was here')\n"
        "serve(lambda seen: Play(seen.hand[:1], None))\n"
    )
    bots = [*sample("greedy"), open_folder(folder)]
    tournament = open_tournament(store, bots, seats=2, deals=2)
    with local_engine(tournament, bots, workers=2) as engine:
        campaign(store, tournament, engine, workers=2)
    assert not (tmp_path / "found").exists()
