"""Programs that take turns on one core, as a worker and its bots do: a turn costs each of them more than it costs one
that has the core for itself, since whoever comes back finds the caches full of what the others needed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import median
from typing import Any

from arena.bench.in_process import load, requests
from arena.fleet.setups import usable_cores
from arena.game.variant import Variant

TABLES = 64
"""Matches that a program plays at once: as many as a call carries turns."""
CALLS = (96, 32)
"""Turns that a program plays before the next one has the core."""
TURNS = 30_000
ROUNDS = 3


def run() -> dict[str, Any]:
    """Microseconds of a core a turn, at tables of two and of four: alone, and with as many programs as are pinned to a
    core when each chair of each rotation is a process."""
    found: dict[str, float] = {}
    for seats in (2, 4):
        programs = 1 + seats**2
        with ExitStack() as opened:
            crowd = [opened.enter_context(_program(seats)) for _ in range(programs)]
            _taking_turns(crowd, 1000, programs * 2000)
            ways = {f"{seats} seats, in process, alone on a core, us": (crowd[:1], TURNS)}
            for turns in CALLS:
                ways[f"{seats} seats, in process, {programs} programs, {turns} turns each in turn, us"] = crowd, turns
            rounds = [{what: _taking_turns(*how, TURNS) for what, how in ways.items()} for _ in range(ROUNDS)]
        found |= {what: round(median(one[what] for one in rounds), 1) for what in ways}
    return found


def _taking_turns(crowd: list[Connection], turns: int, total: int) -> float:
    """Microseconds of a core a turn when each program in turn plays so many."""
    played, spent = 0, 0.0
    while played < total:
        for program in crowd:
            program.send(turns)
            spent += program.recv()
            played += turns
    return spent / played * 1e6


@contextmanager
def _program(seats: int) -> Iterator[Connection]:
    """A program on the first core that plays as many turns as it is told."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_plays, args=(theirs, seats), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        process.join()


def _plays(orders: Connection, seats: int) -> None:
    """Play so many turns, and answer with the seconds of a core that they took, again and again."""
    os.sched_setaffinity(0, {usable_cores()[0]})
    tables = [_matches(seats) for _ in range(TABLES)]
    turn = count()
    while True:
        try:
            turns = orders.recv()
        except EOFError:
            return
        began = time.process_time()
        for _ in range(turns):
            next(tables[next(turn) % TABLES])
        orders.send(time.process_time() - began)


def _matches(seats: int) -> Iterator[bytes]:
    """Turn after turn of one match after the other."""
    chooses = [load("greedy").choose] * seats
    while True:
        yield from requests(chooses, os.urandom(32), Variant())
