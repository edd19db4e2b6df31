"""One turn a call: the turns of one table alone, and those of many, with as many calls in flight as there are cores;
and what such a turn costs where there is no arena, but only gRPC that puts its question to the same bots."""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import grpc

from arena.bench import in_process
from arena.bench.bots import copies
from arena.bench.pings import AT_ONCE, TIMEOUT_S, one_by_one
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.bots.ring import OutputRing
from arena.bots.traffic import Traffic
from arena.fleet.setups import default_tables, usable_cores
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits
from arena.match.referee import Finished, Referee
from arena.match.table import Chair, Match
from arena.wire.client import SERVICE
from arena.wire.codec import TableEncoder

DEAL = Variant(threshold=0, deal_cap=1)

MOST_A_SECOND = 20_000
"""More questions than a bot can be put one by one; they are made before the time begins."""


class OneByOne(ProcessPlayer):
    """A player whose bot takes one turn a call."""

    @property
    def max_batch(self) -> int:
        """Always one."""
        return 1


class Room:
    """Seats the one player of each chair."""

    def __init__(self, players: Mapping[bytes, ProcessPlayer]) -> None:
        self.players = players

    def player(self, chair: Chair) -> ProcessPlayer:
        """Who sits there."""
        return self.players[chair.bot]

    def leave(self, chair: Chair) -> None:
        """Nobody leaves before the end."""


def measure(seats: int, seconds: float) -> Generator[dict[str, float]]:
    """Microseconds a turn, with `greedy` in every seat."""
    with (
        asking(seats, seconds) as bare,
        playing(seats, 1, 1, seconds) as alone,
        playing(seats, default_tables(seats), len(usable_cores()), seconds) as many,
    ):
        next(bare), next(alone), next(many)
        while True:
            yield {f"question/{seats}": next(bare), f"turn/{seats}": next(alone), f"turns/{seats}": next(many)}


@contextmanager
def asking(seats: int, seconds: float) -> Iterator[Iterator[float]]:
    """Microseconds a question of new matches, one after the other; what the bots answer is not looked at."""
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        launcher = opened.enter_context(Launcher(ProcessLimits()))
        bots: list[tuple[Any, Traffic]] = []
        for bot in copies(folder, seats):
            process = launcher.start(launcher.prepare(bot), OutputRing(), threading.Event())
            opened.callback(process.end, 0.0)
            channel = opened.enter_context(grpc.insecure_channel(process.address.target))
            grpc.channel_ready_future(channel).result(TIMEOUT_S)
            bots.append((channel.unary_unary(SERVICE + "TakeTurn"), process.traffic))
        yield questions(bots, seconds)


def questions(bots: Sequence[tuple[Any, Traffic]], seconds: float) -> Iterator[float]:
    """Microseconds a question, again and again; never is a seed played twice."""
    chooses = [in_process.load("greedy").choose] * len(bots)
    matches = (in_process.requests(chooses, os.urandom(32), Variant()) for _ in itertools.count())
    asked = itertools.chain.from_iterable(matches)

    def put(ask: Any, traffic: Traffic, waiting: Iterator[bytes]) -> None:
        traffic.begin()  # else the bot would be taken for one that floods its connection
        ask(next(waiting), timeout=TIMEOUT_S)
        traffic.end()

    while True:
        waiting = iter(list(itertools.islice(asked, round(seconds * MOST_A_SECOND) + AT_ONCE)))
        yield one_by_one([partial(put, *bot, waiting) for bot in bots], seconds)


@contextmanager
def playing(seats: int, tables: int, calls: int, seconds: float) -> Iterator[Iterator[float]]:
    """Microseconds a turn of matches of one deal, with new processes."""
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        launcher = opened.enter_context(Launcher(ProcessLimits()))
        players = {bot.digest: OneByOne(launcher.prepare(bot), launcher, fail) for bot in copies(folder, seats)}
        for player in players.values():
            opened.callback(player.close)
        yield matches(Room(players), tables, calls, seconds)


def matches(room: Room, tables: int, calls: int, seconds: float) -> Iterator[float]:
    """Microseconds a turn, again and again; never is a seed played twice."""
    chairs = tuple(Chair(bot, 0, 0) for bot in room.players)
    limits = Limits()
    numbers = itertools.count().__next__
    referee = Referee(room, lambda _: TableEncoder(), limits, tables=tables, calls=calls, draw=numbers)

    def until(end: float) -> Iterator[Match]:
        yield from (new() for _ in range(tables))
        while time.perf_counter() < end:
            yield new()

    def new() -> Match:
        return Match(bytes(32), 0, DEAL, limits, chairs, os.urandom(32))

    while True:
        began = time.perf_counter()
        ends = [end.record for end in referee.play(until(began + seconds)) if isinstance(end, Finished)]
        took = time.perf_counter() - began
        yield took / sum(len(deal.turns) for record in ends for deal in record.deals) * 1e6


def fail(error: Exception) -> None:
    """The measurement is void."""
    sys.exit(f"the arena itself failed: {error}")
