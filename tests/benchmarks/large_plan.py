"""The coordinator's memory while it opens a tournament of a million matches, and while it plays on in one."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil

from arena.fleet.campaign import Campaign
from arena.fleet.engine import BlockJob, Job, Outcome, OutcomeKind
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.planning import next_round
from arena.tournament.ports import ClaimedBlock, PlannedBlock
from tests.store import made

CUP = replace(made.tournament("large", bots=16, seats=4), deals=138)
"""All 1,820 lineups of four: 251,160 blocks, 1,004,640 matches."""

PLAYED = 3_000
"""Blocks after which the play is stopped."""


class Enough(BaseException):
    """So many blocks are stored that the rest would be like them."""


class AtOnce:
    """An engine that has made-up results for every block at once."""

    def __init__(self) -> None:
        self.blocks: deque[BlockJob] = deque()

    def capacity(self) -> int:
        return not self.blocks

    def submit(self, job: Job, timeout_s: float) -> None:
        self.blocks.extend(job.blocks)

    def next(self, timeout_s: float) -> Outcome:
        block_id, attempt, rotations = self.blocks.popleft()
        claimed = ClaimedBlock(PlannedBlock(block_id, 0, tuple(sorted(rotations[0].seats))), attempt)
        return Outcome(block_id, attempt, OutcomeKind.OK, "made up", False, made.result(claimed))

    def cancel(self, block_id: bytes) -> None:
        raise AssertionError("nothing is cancelled here")

    def close(self) -> None: ...


def run() -> dict[str, Any]:
    """Megabytes, each part in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        found = {"blocks": len(next_round(CUP)), "matches": CUP.seats * len(next_round(CUP))}
        for part in PARTS:
            program = f"from tests.benchmarks import large_plan; large_plan.measure({part!r}, {folder!r})"
            done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
            found |= {f"{part}, {name}": value for name, value in json.loads(done.stdout).items()}
        return found


def opening(path: Path) -> int:
    """Plan and store."""
    blocks = next_round(CUP)
    with open_store(made.url(path), write=True) as store:
        Repository(store).create_tournament(CUP, blocks)
    return len(blocks)


def playing(path: Path) -> int:
    """Play on in the stored plan."""
    done = 0

    def watch(_: object) -> None:
        nonlocal done
        done += 1
        if done == PLAYED:
            raise Enough

    with open_store(made.url(path), write=True, create=False) as store:
        try:
            Campaign(CUP, SqlLedger(store), AtOnce(), workers=2, tables=256, watch=watch).run()
        except Enough:
            return done
    raise AssertionError("the plan was too short")


PARTS = {"opening": opening, "playing": playing}


def measure(part: str, folder: str) -> None:
    """Print what one part took of memory and time."""
    before = psutil.Process().memory_info().rss
    began = time.perf_counter()
    blocks = PARTS[part](Path(folder) / "arena.db")
    took = time.perf_counter() - began
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    found = {"before, MB": before >> 20, "at most, MB": most >> 20, "ms a block": round(took / blocks * 1e3, 3)}
    sys.stdout.write(json.dumps(found))
