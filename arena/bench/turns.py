"""One turn a call: the turns of one table alone, and those of many, with as many calls in flight as there are cores."""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from arena.bench.bots import copies
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.fleet.setups import default_tables, usable_cores
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits
from arena.match.referee import Finished, Referee
from arena.match.table import Chair, Match
from arena.wire.codec import TableEncoder

DEAL = Variant(threshold=0, deal_cap=1)


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
        playing(seats, 1, 1, seconds) as alone,
        playing(seats, default_tables(seats), len(usable_cores()), seconds) as many,
    ):
        next(alone), next(many)
        while True:
            yield {f"turn/{seats}": next(alone), f"turns/{seats}": next(many)}


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
