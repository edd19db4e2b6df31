"""What the arena adds to the clock of a bot that answers at once, with one call in flight and with many."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import SimpleQueue
from statistics import quantiles
from typing import Any

from arena.bench.in_process import requests
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits, deadline_s, most_waiting_s
from arena.match.player import CallResult
from tests.bots.making import make_scripted
from tests.sample_bots.loading import load

CALLS = 4_000
WARM_UP = 100
LIMITS = Limits(bank_ms=0)


def run() -> dict[str, Any]:
    """Faults, and percentiles of what is charged beyond the bot's own measure, by the number of calls in flight."""
    cores = len(os.sched_getaffinity(0))
    found: dict[str, Any] = {"calls": CALLS}
    for players in sorted({1, cores, 4 * cores}):
        found |= {f"{players} in flight, {name}": value for name, value in measure(players).items()}
    return found


def measure(players: int) -> dict[str, Any]:
    """`players` bots, each with a call in flight at all times."""
    request = first_request()
    limit_s, most_s = deadline_s(1, LIMITS, [0.0]), most_waiting_s(1, LIMITS)
    returned: SimpleQueue[tuple[int, CallResult]] = SimpleQueue()
    with bots(players) as (made, clocks):
        results: list[list[CallResult]] = [[] for _ in made]

        def ask(number: int) -> None:
            made[number].call((request,), limit_s, lambda result: returned.put((number, result)), most_s=most_s)

        for number in range(players):
            ask(number)
        each = CALLS // players
        left = each * players
        while left:
            number, result = returned.get()
            results[number].append(result)
            left -= 1
            if len(results[number]) < each:
                ask(number)
        own = [[float(line) for line in clock.read_text().split()] for clock in clocks]
    faults = sum(result.failure is not None for answers in results for result in answers)
    pairs = [
        pair
        for answers, times in zip(results, own, strict=True)
        for pair in list(zip(answers, times, strict=False))[WARM_UP:]
    ]
    added = quantiles([(answer.charged_s - its) * 1e6 for answer, its in pairs], n=1000)
    return {
        "faults": faults,
        "added, median, us": round(added[499]),
        "added, 99th percentile, us": round(added[989]),
        "added, 99.9th percentile, us": round(added[998]),
        "most charged, ms": round(max(answer.charged_s for answer, _ in pairs) * 1e3, 1),
    }


@contextmanager
def bots(players: int) -> Iterator[tuple[list[ProcessPlayer], list[Path]]]:
    """Bots that answer at once and write down how long they took, and the files in which they do."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        launcher = stack.enter_context(Launcher(ProcessLimits(start_ms=60_000)))
        clocks = [folder / f"clock{number}" for number in range(players)]
        made = []
        for number, clock in enumerate(clocks):
            bot = open_folder(make_scripted(folder / f"bot{number}", f"clock-file:{clock}"))
            made.append(ProcessPlayer(launcher.prepare(bot), launcher, fail))
            stack.callback(made[-1].close)
        ready: SimpleQueue[None] = SimpleQueue()
        for player in made:
            player.prepare(lambda: ready.put(None))
        for _ in made:
            ready.get()
        yield made, clocks


def fail(error: Exception) -> None:
    """The measurement is void."""
    sys.exit(f"the arena itself failed: {error}")


def first_request() -> bytes:
    """The first turn of a match of two."""
    choose = load("greedy").choose
    return next(requests((choose, choose), bytes(32), Variant()))
