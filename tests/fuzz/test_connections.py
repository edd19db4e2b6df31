"""Garbage, broken frames and endless messages on the connection end in a verdict, and the match in a result."""

from __future__ import annotations

import gc
import itertools
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import SimpleQueue

import psutil
import pytest

from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.game.variant import Variant
from arena.match.faults import FaultKind
from arena.match.limits import Limits, ProcessLimits
from arena.match.player import CallResult
from arena.match.referee import Finished, Referee
from arena.match.table import Chair, Match
from arena.wire.client import BotClient, CallError
from arena.wire.codec import TableEncoder
from tests.arena_bots.test_player import question
from tests.bots.making import make_bot
from tests.fuzz import babble

Make = Callable[[str, int], ProcessPlayer]
MB = 2**20
MOST_GROWN = 64 * MB
"""What this process may have gained when it has listened to all ways of babbling, again and again."""

ROOT = Path(__file__).parents[2]
QUICK_S = 0.1
VERDICTS = {FaultKind.CRASHED, FaultKind.TIMEOUT, FaultKind.BAD_REPLY, FaultKind.REFUSED, FaultKind.NOT_STARTED}


@contextmanager
def babbler(folder: Path, way: str, seed: int) -> Iterator[BotClient]:
    """A client of a babbler that serves in this process, at a socket file."""
    with socket.socket(socket.AF_UNIX) as server:
        path = folder / f"{way}-{seed}"
        server.bind(str(path))
        server.listen()
        served = threading.Thread(target=babble.Babbler(server, way, seed).run, daemon=True)
        served.start()
        client = BotClient(f"unix:{path}")
        try:
            yield client
        finally:
            client.close()
            server.shutdown(socket.SHUT_RDWR)
            served.join()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Players of babblers that are processes; whatever they say, the arena itself does nothing wrong."""
    errors: list[Exception] = []
    with ExitStack() as stack:
        launcher = stack.enter_context(Launcher(ProcessLimits(start_ms=3000)))

        def player(way: str, seed: int) -> ProcessPlayer:
            bot = make_bot(tmp_path / f"{way}-{seed}", ["python3", "-I", "-S", "babble.py", way, str(seed)])
            shutil.copy(babble.__file__, bot)
            made = ProcessPlayer(launcher.prepare(open_folder(bot)), launcher, errors.append)
            stack.callback(made.close)
            return made

        yield player
    assert errors == []


def listen_to(client: BotClient) -> int:
    """Call it several times in every way; returns how many calls failed, as calls may."""
    assert client.describe(10.0).max_batch == 1
    failures = 0
    for ask in (client.take_turn, client.take_turns):
        try:
            ask(b"", QUICK_S)
        except CallError as error:
            failures += 1
            assert len(str(error)) < 400 and "\n" not in str(error)
    return failures


def ask(player: ProcessPlayer, *requests: bytes) -> CallResult:
    results: SimpleQueue[CallResult] = SimpleQueue()
    player.call(requests or (question(),), QUICK_S, results.put)
    return results.get(timeout=60)


HARMLESS = {"no-head", "two-replies", "pings", "a-promise"}
"""Ways that gRPC takes for a reply all the same."""

DRAWN = {"mutated", "any-frames", "noise", "strange-settings"}
"""Ways that may come to anything."""

UNSURVIVED = "go-away-for-no-known-reason"
"""The gRPC library itself ends the process that hears it."""

WAYS = [way for way in babble.WAYS if way not in (UNSURVIVED, "death")]


@pytest.mark.parametrize("way", WAYS)
def test_garbage_on_the_wire_is_an_answer_or_a_declared_error(tmp_path: Path, way: str) -> None:
    with babbler(tmp_path, way, 1) as client:
        failures = listen_to(client)
    assert way in DRAWN or failures == (0 if way in HARMLESS else 2)


def test_a_goodbye_for_no_known_reason_is_survived(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.test_connections", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, errors="replace", timeout=60, check=False,
    )  # fmt: skip
    assert said.returncode == 0


def play(make: Make, ways: list[str]) -> Finished:
    """A match of babblers, of one way a seat."""
    players: dict[bytes, ProcessPlayer] = {bytes([n]) * 32: make(way, n) for n, way in enumerate(ways)}

    class Hall:
        def player(self, chair: Chair) -> ProcessPlayer:
            return players[chair.bot]

        def leave(self, chair: Chair) -> None:
            raise AssertionError("no chair is of a single match")

    numbers = itertools.count(1)
    limits = Limits(turn_ms=100, bank_ms=0, strikes=2)
    referee = Referee(Hall(), lambda _: TableEncoder(), limits, tables=4, calls=2, draw=lambda: next(numbers))
    chairs = tuple(Chair(bot, 0, 0) for bot in players)
    match = Match(bytes(32), 0, Variant(deal_cap=3), limits, chairs, bytes(32))
    (finished,) = referee.play([match])
    assert isinstance(finished, Finished)
    return finished


def test_garbage_on_the_wire_ends_in_a_verdict(make: Make) -> None:
    ways = ["mutated", "noise", "a-long-message", "reset"]
    record = play(make, ways).record
    assert len(record.places) == len(ways)
    faults = [turn.fault for deal in record.deals for turn in deal.turns if turn.fault is not None]
    assert faults
    assert {fault.kind for fault in faults} <= VERDICTS | {FaultKind.STALE_TURN, FaultKind.ILLEGAL_ACTION}


@pytest.mark.slow
def test_all_garbage_ends_in_verdicts_and_leaves_no_memory_behind(make: Make, tmp_path: Path) -> None:
    def hear_all(seed: int) -> None:
        for way in WAYS:
            with babbler(tmp_path, way, seed) as client:
                listen_to(client)

    hear_all(2)
    gc.collect()
    before = psutil.Process().memory_info().rss
    for seed in range(3, 6):
        hear_all(seed)
    for way in WAYS:
        player = make(way, 9)
        for requests in ((question(),), (question(1), question(2)), (question(),)):
            failure = ask(player, *requests).failure
            assert failure is None or (failure.kind in VERDICTS and len(failure.detail) <= 200), way
        player.close()
    gc.collect()
    assert psutil.Process().memory_info().rss - before < MOST_GROWN


if __name__ == "__main__":
    with babbler(Path(sys.argv[1]), UNSURVIVED, 1) as heard:
        listen_to(heard)
