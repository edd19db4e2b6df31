"""One turn a call, in turns with the least that gRPC can do: as many bytes to a program that answers at once.

The pings go to as many programs as a table has seats, one after the other. The turns are those of one table alone, and
those of many tables, of which as many calls may be in flight as a worker with the whole machine has.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import grpc

from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.fleet.setups import default_tables
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits
from arena.match.referee import Finished, Referee
from arena.match.table import Chair, Match
from arena.wire.codec import TableEncoder
from tests.fleet.running import sample

SEATS = (2, 4)
ROUNDS = 7
DEAL = Variant(threshold=0, deal_cap=1)
LEAST = 30
PINGS = 400
REQUEST, REPLY = bytes(350), bytes(24)

PING = f"""
import os, threading
from concurrent.futures import ThreadPoolExecutor
import grpc
answer = grpc.unary_unary_rpc_method_handler(lambda raw, context: bytes({len(REPLY)}))
handler = grpc.method_handlers_generic_handler("ping", {{"Ping": answer}})
server = grpc.server(ThreadPoolExecutor(1), handlers=[handler])
server.add_insecure_port(os.environ["ADDRESS"])
server.start()
threading.Event().wait()
"""


class OneByOne(ProcessPlayer):
    """A player whose bot takes one turn a call."""

    @property
    def max_batch(self) -> int:
        return 1


class Room:
    """Seats the one player of each chair."""

    def __init__(self, players: dict[bytes, ProcessPlayer]) -> None:
        self.players = players

    def player(self, chair: Chair) -> ProcessPlayer:
        return self.players[chair.bot]

    def leave(self, chair: Chair) -> None: ...


def run() -> dict[str, Any]:
    """Medians over interleaved rounds, in microseconds a turn and a ping; never is a seed played twice."""
    cores = len(os.sched_getaffinity(0))
    found: dict[str, Any] = {"load before": round(os.getloadavg()[0], 1)}
    for seats in SEATS:
        with (
            pinging(seats) as ping,
            playing(seats, 1, 1) as alone,
            playing(seats, default_tables(seats), cores) as many,
        ):
            sources = {"a ping": ping, "a turn of one table": alone, "a turn of many tables": many}
            rounds = [{name: next(source) for name, source in sources.items()} for _ in range(1 + ROUNDS)][1:]
        for name in sources:
            found[f"{seats} seats, {name}, us"] = round(median(one[name] for one in rounds))
        for name in list(sources)[1:]:
            found[f"{seats} seats, {name}, times a ping"] = round(
                median(one[name] / one["a ping"] for one in rounds), 2
            )
    return found


@contextmanager
def playing(seats: int, tables: int, calls: int) -> Iterator[Iterator[float]]:
    """Microseconds a turn of many matches of one deal, with `greedy` in every seat."""
    with Launcher(ProcessLimits()) as launcher:
        bot = launcher.prepare(*sample("greedy"))
        room = Room({bytes([seat]) * 32: OneByOne(bot, launcher, print) for seat in range(seats)})
        try:
            yield matches(room, tables, calls)
        finally:
            for player in room.players.values():
                player.close()


def matches(room: Room, tables: int, calls: int) -> Iterator[float]:
    chairs = tuple(Chair(bot, 0, 0) for bot in room.players)
    limits = Limits()
    referee = Referee(
        room, lambda _: TableEncoder(), limits, tables=tables, calls=calls, draw=itertools.count().__next__
    )
    while True:
        play = [Match(bytes(32), 0, DEAL, limits, chairs, os.urandom(32)) for _ in range(max(tables, LEAST))]
        began = time.perf_counter()
        ends = [end.record for end in referee.play(play) if isinstance(end, Finished)]
        took = time.perf_counter() - began
        yield took / sum(len(deal.turns) for record in ends for deal in record.deals) * 1e6


@contextmanager
def pinging(programs: int) -> Iterator[Iterator[float]]:
    """Microseconds a ping, going round so many programs."""
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        calls: list[Any] = []
        for number in range(programs):
            address = f"unix:{folder}/{number}"
            program = subprocess.Popen([sys.executable, "-c", PING], env={**os.environ, "ADDRESS": address})
            opened.callback(program.wait)
            opened.callback(program.kill)
            channel = opened.enter_context(grpc.insecure_channel(address))
            call: Any = channel.unary_unary("/ping/Ping")
            call(REQUEST, timeout=30, wait_for_ready=True)
            calls.append(call)
        yield pings(calls)


def pings(calls: list[Any]) -> Iterator[float]:
    while True:
        began = time.perf_counter()
        for call in itertools.islice(itertools.cycle(calls), PINGS):
            call(REQUEST, timeout=30)
        yield (time.perf_counter() - began) / PINGS * 1e6
