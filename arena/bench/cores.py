"""What a second core gives programs that share nothing, so that workers can be held to it: two that play in process,
each pinned to a core of its own, against one."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context

from arena.bench.in_process import load, play
from arena.fleet.setups import usable_cores
from arena.game.variant import Variant


def measure(seats: int, seconds: float) -> Generator[dict[str, float]]:
    """How many times as many turns two pinned programs get done as one, with `greedy` in every seat."""
    with ExitStack() as opened:
        programs = [opened.enter_context(_program(core)) for core in usable_cores()[:2]]
        while True:
            alone = programs[0].submit(turns_a_second, seats, seconds).result()
            together = [program.submit(turns_a_second, seats, seconds) for program in programs]
            yield {f"cores/{seats}": sum(one.result() for one in together) / alone}


def turns_a_second(seats: int, seconds: float) -> float:
    """Of whole matches, by the clock on the wall, since another program may take the core away."""
    chooses = [load("greedy").choose] * seats
    turns, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds or not turns:
        turns += play(chooses, os.urandom(32), Variant()).turn
    return turns / spent


def _program(core: int) -> Executor:
    """A process that runs on this core only; started anew, since a copy of this one would share its memory."""
    context = get_context("spawn")
    return ProcessPoolExecutor(1, mp_context=context, initializer=os.sched_setaffinity, initargs=(0, {core}))
