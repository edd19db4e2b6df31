"""Whole tournaments with their store, `greedy` in every seat: microseconds a turn, and what of a core it took."""

from __future__ import annotations

import os
import secrets
import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from arena.bench.bots import copies
from arena.bots.folders import BotFolder
from arena.bots.launcher import Launcher
from arena.bots.probe import offered
from arena.bots.usage import tree
from arena.fleet.campaign import Campaign
from arena.fleet.engine import Outcome, Progress
from arena.fleet.local import LocalEngine
from arena.fleet.setups import default_tables, setups, usable_cores
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits
from arena.settings import url_of
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.planning import next_round
from arena.tournament.ports import Tournament

BLOCKS_A_SECOND = {2: 800, 4: 400}
"""Blocks of the one lineup for each second that is asked for, by the seats: some hundred thousand turns in all, for
which it takes little that the processes of later rotations start while the first play."""

LEAST_BLOCKS = 8


def measure(seats: int, workers: int, pinned: int, seconds: float) -> Generator[dict[str, float]]:
    """Microseconds a turn, each time of a new tournament with cards of its own.

    If `pinned`, each worker has a core, and its bots no other; else all have all cores.
    `wall` is from the first answer of a bot, `whole` from the very beginning, with the start of all processes. The
    others are times of a core from that answer on: of the arena (its workers, and the coordinator with the store), of
    the coordinator alone, and of all bots with the starts of those that come later.
    """
    blocks = max(LEAST_BLOCKS, round(BLOCKS_A_SECOND[seats] * seconds))
    ending = f"{seats}/{workers}{' pinned' * pinned}"
    while True:
        with tempfile.TemporaryDirectory() as folder:
            figures = play(Path(folder), seats, workers, bool(pinned), blocks)
        yield {f"{name}/{ending}": figure for name, figure in figures.items()}


def play(folder: Path, seats: int, workers: int, pinned: bool, blocks: int) -> dict[str, float]:
    """One tournament with as many bots as seats; they and the database lie in an empty folder."""
    with ExitStack() as opened:
        bots = copies(folder / "bots", seats)
        cup, limits, tables = _tournament(bots, blocks), ProcessLimits(), default_tables(seats)
        store = opened.enter_context(open_store(url_of(folder / "arena.db"), write=True))
        Repository(store).create_tournament(cup, next_round(cup))
        launcher = opened.enter_context(Launcher(limits, offered().level))
        prepared = {bot.digest: launcher.prepare(bot).folder for bot in bots}
        made = setups(cup, prepared, workers=workers, tables=tables, limits=limits)
        if pinned:
            made = [replace(one, core=core, calls=1) for one, core in zip(made, usable_cores(), strict=False)]
        engine = opened.enter_context(closing(LocalEngine(made)))
        seen = Seen()
        began = time.perf_counter()
        Campaign(cup, SqlLedger(store), engine, workers=workers, tables=tables, watch=seen).run()
        return seen.spent(began)


def _tournament(bots: list[BotFolder], blocks: int) -> Tournament:
    return Tournament(
        id=secrets.token_hex(6),
        name="",
        format="round-robin",
        seats=len(bots),
        deals=blocks,
        variant=Variant(),
        limits=Limits(),
        secret=secrets.token_bytes(32),
        beacon="",
        beacon_text="",
        entries=sort_entries(Entry(bot.name, bot.version, bot.digest) for bot in bots),
        sandbox=offered().level,
        opened=datetime.now(UTC),
    )


class Clocks(NamedTuple):
    """Seconds: on the wall, and of a core by whom they served."""

    wall: float
    coordinator: float
    workers: float
    bots: float


class Seen:
    """What was spent until the first answer of a bot, which is when the first sign of life comes, and how many turns
    were stored."""

    def __init__(self) -> None:
        self.first: Clocks | None = None
        self.turns = 0

    def __call__(self, came: object) -> None:  # noqa: D102
        if isinstance(came, Outcome):
            assert came.result is not None, came.reason
            self.turns += sum(match.turns for match in came.result.matches)
        elif self.first is None and isinstance(came, Progress):
            self.first = _clocks()

    def spent(self, began: float) -> dict[str, float]:
        """Microseconds a turn, while the processes still live."""
        assert self.first is not None
        ended = _clocks()
        wall, coordinator, workers, bots = (now - then for now, then in zip(ended, self.first, strict=True))
        took = {"wall": wall, "whole": ended.wall - began, "arena": coordinator + workers}
        took |= {"coordinator": coordinator, "bots": bots}
        return {name: 1e6 * seconds / self.turns for name, seconds in took.items()}


def _clocks() -> Clocks:
    workers = [pid for pid in tree(os.getpid()) if b"arena.fleet.slot" in _command(pid)]
    bots = sum(_core_s(pid) for worker in workers for pid in tree(worker))
    return Clocks(time.perf_counter(), time.process_time(), sum(map(_core_s, workers)), bots)


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def _core_s(pid: int) -> float:
    """What a process took of a core; the kernel counts it in hundredths of a second."""
    fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
