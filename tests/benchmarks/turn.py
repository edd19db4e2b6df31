"""One turn taken apart: what each step of it takes of a core, at tables of two, with `greedy` in every seat."""

from __future__ import annotations

import gc
import itertools
import os
import time
from collections import defaultdict
from collections.abc import Callable
from statistics import median
from typing import Any, TypeVar

from arena.fleet.results import match_result
from arena.game.chance import choice_seed
from arena.game.variant import Variant
from arena.game.view import own_view
from arena.match.adjudicate import adjudicate
from arena.match.faults import Verdict
from arena.match.limits import Limits
from arena.match.table import Chair, Match, Table
from arena.sdk import Observation
from arena.sdk.server import _answer as answer  # what a bot does with a request, without its server
from arena.wire.codec import TableEncoder, decode_turns, encode_turns
from arena.wire.v1 import bot_pb2 as pb
from tests.sample_bots.loading import load

T = TypeVar("T")

SEATS = 2
TABLES = 64
ROUNDS = 60
WARM_UP = 300
"""Calls before those that count: tables are then at different points of their matches."""


class Stopwatch:
    """Adds up what steps take of a core."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def __call__(self, step: str, work: Callable[[], T]) -> T:
        began = time.thread_time()
        result = work()
        self.seconds[step] += time.thread_time() - began
        return result


def run() -> dict[str, Any]:
    """Medians over batches of 64 turns, in microseconds of a core a turn."""
    gc.disable()
    choose = load("greedy").choose
    tables: list[Table] = []
    rounds: list[dict[str, float]] = []
    ends: list[float] = []
    for _ in range(ROUNDS + WARM_UP):
        tables += [new_table() for _ in range(TABLES - len(tables))]
        watch = Stopwatch()
        one_call(tables, choose, watch)
        rounds.append({step: seconds / TABLES * 1e6 for step, seconds in watch.seconds.items()})
        for table in [table for table in tables if table.outcome is not None]:
            watch = Stopwatch()
            watch("end", lambda table=table: match_result(table.record()))  # type: ignore[misc]
            ends.append(watch.seconds["end"] / table.state.turn * 1e6)
            tables.remove(table)
    gc.enable()
    found = {f"{step}, us": round(median(one[step] for one in rounds[WARM_UP:]), 2) for step in rounds[0]}
    return found | {"arena: the record, packed, once a match, us": round(median(ends), 2)}


def new_table() -> Table:
    chairs = tuple(Chair(bytes([seat]) * 32, 0, 0) for seat in range(SEATS))
    match = Match(bytes(32), 0, Variant(), Limits(), chairs, os.urandom(32))
    return Table(match, TableEncoder(), itertools.count(int.from_bytes(os.urandom(7), "big")).__next__)


def one_call(tables: list[Table], choose: Callable[[Observation], Any], watch: Stopwatch) -> None:
    """One turn at each table, as it goes through the arena and a bot."""
    states = [table.state for table in tables]
    watch("of which: what only the seat may know", lambda: [own_view(state) for state in states])
    watch("of which: the seed for its choice", lambda: [choice_seed(bytes(32), 1, 0, state.turn) for state in states])
    requests = watch("arena: a request from the state", lambda: [table.request(1e4) for table in tables])
    raw = watch("arena: many requests as one", lambda: encode_turns(requests))
    asked = watch("bot: protobuf reads them", lambda: list(pb.TakeTurnsRequest.FromString(raw).turns))
    replies = pb.TakeTurnsResponse()
    watch("bot: observes, chooses, answers", lambda: respond(choose, asked, replies))
    back = watch("bot: protobuf writes them", replies.SerializeToString)
    answers = watch("arena: reads the replies", lambda: decode_turns(back))
    pairs = list(zip(tables, answers, strict=True))
    verdicts = watch("arena: judges", lambda: [adjudicate(table.state, None, [reply]) for table, reply in pairs])
    watch("arena: charges, changes the state, notes the turn", lambda: settle(tables, verdicts))


def respond(
    choose: Callable[[Observation], Any], asked: list[pb.TakeTurnRequest], replies: pb.TakeTurnsResponse
) -> None:
    for one in asked:
        answer(choose, one, replies.turns.add())


def settle(tables: list[Table], verdicts: list[Any]) -> None:
    for table, verdict in zip(tables, verdicts, strict=True):
        assert not isinstance(verdict, Verdict)
        table.settle(verdict, 10, 0.0)
