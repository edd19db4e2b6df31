"""A tournament at full speed with and without 50 readers, each of whom opens a page in five seconds: what they cost it,
and how long their pages take meanwhile. Tournament, server and readers share this machine."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import psutil

from arena.bench.tournaments import play
from arena.fleet.setups import usable_cores
from tests.end_to_end.arena import Arena
from tests.web.readers import EVERY_S, LISTENERS, READERS, Reading, reading
from tests.web.serving import served_by_command

SEATS = 4
BLOCKS = 500
ROUNDS = 4


class Round(NamedTuple):
    """A tournament: figures of `arena.bench.tournaments`, what readers saw, seconds of a core, and what was logged."""

    turn_us: float
    seen: Reading
    server_s: float
    readers_s: float
    wall_s: float
    log: str


def run() -> dict[str, Any]:
    """Medians over rounds, each of a tournament with readers and one without, in turn."""
    alone, read = [], []
    for number in range(ROUNDS):
        pair = {with_readers: asyncio.run(_round(READERS * with_readers)) for with_readers in _order(number)}
        alone.append(pair[False])
        read.append(pair[True])
    ratios = [one.turn_us / other.turn_us for one, other in zip(read, alone, strict=True)]
    pages = [page for one in read for page in one.seen.pages]
    found = {
        "readers": f"{READERS}, each a page in {EVERY_S:g} s; {LISTENERS} follow the tournament live",
        "tournaments": f"{ROUNDS} pairs, {BLOCKS} blocks at tables of {SEATS}, {_workers()} workers",
        "a turn without readers, us": round(median(one.turn_us for one in alone), 1),
        "a turn with readers, us": round(median(one.turn_us for one in read), 1),
        "with ÷ without (goal: at most 1.10)": round(median(ratios), 3),
        "of single pairs": ", ".join(f"{ratio:.3f}" for ratio in ratios),
        "the server without readers, % of a core": _share(alone, lambda one: one.server_s),
        "the server, % of a core": _share(read, lambda one: one.server_s),
        "the readers themselves, % of a core": _share(read, lambda one: one.readers_s),
        "pages opened": len(pages),
        "events to those who follow": sum(one.seen.events for one in read),
        "errors of the server": sum(page.status >= 500 for page in pages),
        "pages that failed, or a locked database, in the server's log": sum(map(_complaints, (*alone, *read))),
    }
    for kind in sorted({page.kind for page in pages}):
        times = [page.ms for page in pages if page.kind == kind]
        found[f"{kind}, median and p95, ms"] = " and ".join(f"{np.percentile(times, share):.0f}" for share in (50, 95))
    return found


def _order(number: int) -> tuple[bool, bool]:
    """What comes first changes with every round."""
    return (False, True) if number % 2 else (True, False)


def _workers() -> int:
    return len(usable_cores())


def _complaints(one: Round) -> int:
    return sum(" failed: " in line or "locked" in line for line in one.log.splitlines())


def _share(rounds: list[Round], seconds: Callable[[Round], float]) -> float:
    return round(100 * median(seconds(one) / one.wall_s for one in rounds), 1)


async def _round(readers: int) -> Round:
    """One tournament, in a process of its own, whose database is served from its beginning."""
    loop = asyncio.get_running_loop()
    with tempfile.TemporaryDirectory() as made, ProcessPoolExecutor(1, get_context("spawn")) as pool:
        folder = Path(made)
        with served_by_command(Arena(folder)) as served:
            server = psutil.Process(served.process.pid)
            async with reading(served.address, readers=readers, listeners=LISTENERS if readers else 0) as seen:
                its, own, began = server.cpu_times(), process_time(), loop.time()
                took = await loop.run_in_executor(pool, play, folder, SEATS, _workers(), _workers() > 1, BLOCKS)
                ended, wall_s = server.cpu_times(), loop.time() - began
                server_s = ended.user + ended.system - its.user - its.system
                readers_s = process_time() - own
        return Round(took["wall"], seen, server_s, readers_s, wall_s, served.log.read_text())
