"""The coordinator's memory while it opens a tournament of a million matches, and while it plays on in one; and the same
for one of some thousand matches.

Made-up results come at once, so that only the coordinator works. Each part is a process of its own.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Generator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from arena.fleet.campaign import Campaign
from arena.fleet.engine import BlockJob, Job, Outcome, OutcomeKind
from arena.fleet.setups import default_tables
from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.settings import url_of
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.planning import next_round
from arena.tournament.ports import BlockResult, MatchResult, SeatResult, Tournament

BOTS, SEATS = 16, 4
LARGE, SMALL = 138, 1
"""Blocks of each of the 1,820 lineups: 251,160 and 1,820 blocks, 1,004,640 and 7,280 matches."""

PLAYED = 1_500
"""Blocks after which the play is stopped."""

RECORD_BYTES = 1_300


class Enough(BaseException):
    """So many blocks are stored that the rest would be like them."""


class AtOnce:
    """An engine that has made-up results for every block at once."""

    def __init__(self) -> None:
        self.blocks: deque[BlockJob] = deque()

    def capacity(self) -> int:
        """It takes a job when it has none."""
        return not self.blocks

    def submit(self, job: Job, timeout_s: float) -> None:  # noqa: ARG002  the port's
        """Take a job."""
        self.blocks.extend(job.blocks)

    def next(self, timeout_s: float) -> Outcome:  # noqa: ARG002  the port's
        """The result of the next block."""
        block = self.blocks.popleft()
        return Outcome(block.block_id, block.attempt, OutcomeKind.OK, "made up", False, _result(block))

    def cancel(self, block_id: bytes) -> None:
        """Nothing is cancelled here."""
        raise AssertionError(block_id)

    def close(self) -> None:
        """Nothing runs."""


def measure(_seconds: float, large: int = LARGE, small: int = SMALL) -> Generator[dict[str, float]]:
    """Megabytes at most, once: nothing of it is up to chance, and it takes as long as it takes."""
    found: dict[str, float] = {}
    for size, deals in (("large", large), ("small", small)):
        with tempfile.TemporaryDirectory() as folder:
            for part in ("opening", "playing"):
                program = f"from arena.bench import memory; memory.{part}({deals}, {folder!r})"
                done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
                found[f"{part}/{size}"] = float(done.stdout)
    yield found


def opening(deals: int, folder: str) -> None:
    """Plan and store."""
    cup = _tournament(deals)
    with open_store(url_of(Path(folder, "arena.db")), write=True) as store:
        Repository(store).create_tournament(cup, next_round(cup))
    _tell()


def playing(deals: int, folder: str) -> None:
    """Play on in the stored plan."""
    done = 0

    def watch(_: object) -> None:
        nonlocal done
        done += 1
        if done == PLAYED:
            raise Enough

    with open_store(url_of(Path(folder, "arena.db")), write=True, create=False) as store:
        campaign = Campaign(
            _tournament(deals), SqlLedger(store), AtOnce(), workers=2, tables=default_tables(SEATS), watch=watch
        )
        try:
            campaign.run()
        except Enough:
            _tell()


def _tell() -> None:
    """Write the most megabytes that this process had."""
    lines = Path("/proc/self/status").read_text().splitlines()
    most_kb = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    sys.stdout.write(str(most_kb / 1024))


def _tournament(deals: int) -> Tournament:
    return Tournament(
        id="million",
        name="",
        format="round-robin",
        seats=SEATS,
        deals=deals,
        variant=Variant(),
        limits=Limits(),
        secret=bytes(range(32)),
        beacon="",
        beacon_text="",
        entries=sort_entries(Entry(f"bot{bot}", "1.0", sha256(b"%d" % bot).digest()) for bot in range(BOTS)),
        sandbox="none",
        opened=datetime(2026, 1, 1, tzinfo=UTC),
    )


def _result(block: BlockJob) -> BlockResult:
    chance = random.Random(block.block_id)  # noqa: S311  nobody has to be unable to guess it
    matches = []
    for number, rotation in enumerate(block.rotations):
        record = chance.randbytes(RECORD_BYTES)
        places = chance.sample(range(1, SEATS + 1), SEATS)
        seats = [
            SeatResult(bot, place, 12 * place, 0, False) for bot, place in zip(rotation.seats, places, strict=True)
        ]
        matches.append(MatchResult(number, sha256(record).digest(), record, 9, 120, tuple(seats)))
    return BlockResult(block.block_id, block.attempt, tuple(matches))
