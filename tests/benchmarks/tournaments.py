"""Whole tournaments of `greedy` bots with their store: microseconds a turn, with one worker and with a pinned one for
each core, at tables of two and of four."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from arena.bots.folders import BotFolder, open_folder
from arena.bots.launcher import Launcher
from arena.bots.probe import offered
from arena.bots.sandbox import Level
from arena.fleet.campaign import Campaign
from arena.fleet.engine import Outcome, Progress
from arena.fleet.local import LocalEngine
from arena.fleet.setups import default_tables, setups
from arena.game.variant import Variant
from arena.match.limits import ProcessLimits
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from tests.fleet.running import open_tournament, sample, slots

ROUNDS = 3
DEALS = {2: 1200, 4: 400}
"""Blocks of the one lineup, by the seats of a table: some hundred thousand turns."""


class Spent(NamedTuple):
    """What one tournament took, in microseconds a turn.

    `wall_us` is from the end of the first match, `whole_us` from the very beginning, with the start of all processes.
    The others are times of a core: of the workers, of the coordinator with the store, of all bots with their starts.
    """

    turns: int
    wall_us: float
    whole_us: float
    workers_us: float
    coordinator_us: float
    bots_us: float


def run() -> dict[str, Any]:
    """Medians over interleaved rounds, each with cards of its own."""
    cores = len(os.sched_getaffinity(0))
    level = offered().level
    kinds = [(seats, workers) for seats in DEALS for workers in (1, cores)]
    rounds = [{kind: play(*kind, level) for kind in kinds} for _ in range(ROUNDS)]
    found: dict[str, Any] = {"sandbox": level, "load before": round(os.getloadavg()[0], 1)}
    for seats, workers in kinds:
        spent = [one[seats, workers] for one in rounds]
        name = f"{seats} seats, {workers} worker{'s' * (workers > 1)}"
        for field in Spent._fields:
            found[f"{name}, {field}"] = round(median(getattr(one, field) for one in spent), 1)
    for seats in DEALS:
        times = median(one[seats, 1].wall_us / one[seats, cores].wall_us for one in rounds)
        found[f"{seats} seats, {cores} workers are faster, times"] = round(times, 2)
    return found


def play(seats: int, workers: int, level: Level) -> Spent:
    """One tournament with as many copies of `greedy` as seats."""
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        bots = [copy(folder / f"greedy-{number}") for number in range(seats)]
        store = opened.enter_context(open_store(f"sqlite:///{folder}/arena.db", write=True))
        launcher = opened.enter_context(Launcher(ProcessLimits(), level))
        cup = open_tournament(store, bots, seats, DEALS[seats], variant=Variant(), secret=secrets.token_bytes(32))
        cup = replace(cup, sandbox=level)
        tables = default_tables(seats)
        prepared = {bot.digest: launcher.prepare(bot).folder for bot in bots}
        engine = opened.enter_context(
            closing(LocalEngine(setups(cup, prepared, workers=workers, tables=tables, limits=ProcessLimits())))
        )
        seen = Seen()
        began, cpu = time.perf_counter(), time.process_time()
        Campaign(cup, SqlLedger(store), engine, workers=workers, tables=tables, watch=seen).run()
        return spent(began, time.process_time() - cpu, seen)


class Seen:
    """When the first match ended, and how many turns were stored."""

    def __init__(self) -> None:
        self.first = 0.0
        self.turns = 0

    def __call__(self, came: object) -> None:
        if isinstance(came, Outcome):
            assert came.result is not None, came.reason
            self.turns += sum(match.turns for match in came.result.matches)
        elif not self.first and isinstance(came, Progress) and came.matches:
            self.first = time.perf_counter()


def spent(began: float, coordinator_s: float, seen: Seen) -> Spent:
    """Add up, while the processes still live."""
    ended = time.perf_counter()
    own = sum(sum(slot.cpu_times()[:2]) for slot in slots())
    bots = sum(sum(bot.cpu_times()[:2]) for slot in slots() for bot in slot.children(recursive=True))
    took = (ended - seen.first, ended - began, own, coordinator_s, bots)
    return Spent(seen.turns, *(1e6 * seconds / seen.turns for seconds in took))


def copy(folder: Path) -> BotFolder:
    """`greedy` under another name, and so with another digest."""
    (greedy,) = sample("greedy")
    shutil.copytree(greedy.path, folder)
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace('name = "greedy"', f'name = "{folder.name}"'))
    return open_folder(folder)
