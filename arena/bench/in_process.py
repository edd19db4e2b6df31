"""Matches of `choose` functions without processes: real tables and requests, but no calls and no replies."""

from __future__ import annotations

import importlib.util
import itertools
import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from types import ModuleType

from arena.game.actions import Action
from arena.game.rules import decide
from arena.game.state import State
from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.match.table import Chair, Match, Table
from arena.sdk import Observation
from arena.settings import sample_bots
from arena.wire.codec import TableEncoder
from arena.wire.v1 import bot_pb2 as pb

Choose = Callable[[Observation], Action]


def measure(seats: int, seconds: float) -> Generator[dict[str, float]]:
    """Microseconds of a core a turn, with `greedy` in every seat; never is a seed played twice."""
    chooses = [load("greedy").choose] * seats
    turn_us(chooses, seconds)
    while True:
        yield {f"in process/{seats}": turn_us(chooses, seconds)}


def turn_us(chooses: Sequence[Choose], seconds: float) -> float:
    """Microseconds of a core a turn of whole matches."""
    turns, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        turns += play(chooses, os.urandom(32), Variant()).turn
    return (time.process_time() - began) / turns * 1e6


def load(name: str) -> ModuleType:
    """The `main.py` of a sample bot, imported but not served."""
    spec = importlib.util.spec_from_file_location(f"sample_bot_{name}", sample_bots() / name / "main.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def play(chooses: Sequence[Choose], seed: bytes, variant: Variant) -> State:
    """The state at the end of a match in which seat s is `chooses[s]`."""
    table = _table(len(chooses), seed, variant)
    for _ in _requests(table, chooses):
        pass
    return table.state


def requests(chooses: Sequence[Choose], seed: bytes, variant: Variant) -> Iterator[bytes]:
    """All that the seats of such a match are asked, in order."""
    return _requests(_table(len(chooses), seed, variant), chooses)


def _requests(table: Table, chooses: Sequence[Choose]) -> Iterator[bytes]:
    state = table.state
    while table.outcome is None:
        request = table.request(table.bank_ms)
        yield request
        action = chooses[state.seat](Observation(pb.TakeTurnRequest.FromString(request)))
        table.settle(decide(state, action), 0, 0.0)


def _table(seats: int, seed: bytes, variant: Variant) -> Table:
    chairs = tuple(Chair(bytes([seat]) * 32, 0, 0) for seat in range(seats))
    numbers = itertools.count(1 << 60).__next__  # as long as real ones
    return Table(Match(bytes(32), 0, variant, Limits(), chairs, seed), TableEncoder(), numbers)
