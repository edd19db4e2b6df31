"""Floods on connections: who sends what answers nothing is found, also at a pace; who answers is left in peace."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.bots import connections
from arena.bots.connections import CALL_BYTES, CROWDED_LOOKS, LONGEST_QUEUE, SIGNS, Connections, Known
from arena.bots.deadlines import Deadlines
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.bots.remote import Access, parse_address
from arena.bots.remote_player import RemotePlayer
from arena.bots.traffic import Traffic
from arena.bots.usage import Exceeded
from arena.bots.watchdog import Watchdog
from arena.match.faults import FaultKind
from arena.match.limits import ProcessLimits
from tests.arena_bots.sandboxes import LEVELS, level
from tests.arena_bots.test_player import ask
from tests.bots.flooding import Relay
from tests.bots.making import make_flooding
from tests.bots.serving import ServedBot

NONE = pytest.param("none", id="none")


class Bot:
    """A bot that is this process."""

    def __init__(self, *addresses: tuple[str, int]) -> None:
        self.traffic = Traffic(frozenset(addresses))

    def owns(self, pid: int, uid: int) -> bool:
        return (pid, uid) == (os.getpid(), os.geteuid())


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


Pair = tuple[socket.socket, socket.socket]


def test_a_queue_that_never_empties_is_a_flood(pair: Pair) -> None:
    bot, watch = Bot(), Connections()
    pair[1].send(bytes(LONGEST_QUEUE + 1))
    looks = [watch.look([bot]) for _ in range(CROWDED_LOOKS)]
    assert looks == [{}] * (CROWDED_LOOKS - 1) + [
        {bot: f"{LONGEST_QUEUE + 1} bytes on its connection, which never empties"}
    ]


def test_long_answers_that_are_read_are_none(pair: Pair) -> None:
    bot, watch = Bot(), Connections()
    for _ in range(2 * CROWDED_LOOKS):
        pair[1].send(bytes(LONGEST_QUEUE + 1))
        assert watch.look([bot]) == {}
        pair[0].recv(1 << 20)
        assert watch.look([bot]) == {}


def signs(watch: Connections) -> float:
    return max(line.signs for line in watch._lines.values())


@pytest.fixture
def suspicious(monkeypatch: pytest.MonkeyPatch) -> Connections:
    """It looks closely, as when gRPC works more than the calls explain."""
    watch = Connections()
    watch._excess = watch._most_excess = 0.5
    monkeypatch.setattr(connections, "WINDOW_S", 3600.0)
    monkeypatch.setattr(connections, "BURST_LOOKS", 1)
    monkeypatch.setattr(connections, "BURST_EVERY_S", 0.0)
    return watch


def test_bytes_that_come_again_and_again_while_nothing_was_asked_are_signs(
    pair: Pair, suspicious: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.bots.traffic.AFTERMATH_S", 0.0)
    bot = Bot()
    bot.traffic.end()
    floods: Mapping[Known, str] = {}
    for size in range(1, int(SIGNS) + 1):
        assert floods == {}
        pair[1].send(bytes(size))
        floods = suspicious.look([bot])
        pair[0].recv(1 << 20)
        floods = suspicious.look([bot]) or floods
    assert floods == {bot: "bytes that answer nothing, 8 times, which took 50.0 % of a core to read"}


def test_an_answer_to_each_call_is_no_sign(pair: Pair, suspicious: Connections) -> None:
    bot = Bot()
    for size in range(1, 50):
        bot.traffic.begin()
        pair[1].send(bytes(size))
        suspicious.look([bot])
        suspicious.look([bot])
        pair[0].recv(1 << 20)
        suspicious.look([bot])
        bot.traffic.end()
    assert signs(suspicious) == 0


def test_more_than_an_answer_in_a_call_is_a_sign(pair: Pair, suspicious: Connections) -> None:
    bot = Bot()
    bot.traffic.begin()
    for size in (5, 6, 7):
        pair[1].send(bytes(size))
        suspicious.look([bot])
        pair[0].recv(1 << 20)
        suspicious.look([bot])
    assert signs(suspicious) == 2


@pytest.fixture
def stream() -> Iterator[Pair]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        ours = socket.create_connection(server.getsockname())
        theirs, _ = server.accept()
        with ours, theirs:
            yield ours, theirs


def receive(pair: Pair, size: int) -> None:
    for _ in range(size >> 10):
        pair[1].send(bytes(1024))
        pair[0].recv(1024, socket.MSG_WAITALL)


@pytest.mark.parametrize(("calls", "flood"), [(0, True), (1, False), (3, False)])
def test_over_tcp_the_kernel_counts_what_came(
    stream: Pair, monkeypatch: pytest.MonkeyPatch, calls: int, flood: bool
) -> None:
    monkeypatch.setattr(connections, "WINDOW_S", 0.0)
    bot, watch = Bot(stream[0].getpeername()), Connections()
    bot.traffic.end()
    watch.look([bot])
    found: Mapping[Known, str] = {}
    for _ in range(2):
        for _ in range(calls):
            bot.traffic.begin()
            bot.traffic.end()
        receive(stream, CALL_BYTES * 3 // 4)
        found = watch.look([bot])
    assert (bot in found) == flood


@pytest.mark.slow
@pytest.mark.parametrize("kept", [NONE, *LEVELS])
@pytest.mark.parametrize("words", [("resting", "65536", "5"), ("asked", "65536", "5", "slow:100")])
def test_a_flood_that_keeps_pace_with_us_is_noticed_while_it_costs_little(
    tmp_path: Path, kept: str, words: tuple[str, ...]
) -> None:
    with Launcher(ProcessLimits(), level(kept)) as launcher:
        bot = launcher.prepare(open_folder(make_flooding(tmp_path / "bot", "unknown", *words)))
        player = ProcessPlayer(bot, launcher, lambda error: pytest.fail(str(error)))
        ready = threading.Event()
        player.prepare(ready.set)
        assert ready.wait(30)
        until = time.monotonic() + 60
        failure = None
        # On a busy machine the flood may begin, and end the process, before the start is over: then it starts again.
        while (failure is None or failure.kind is FaultKind.NOT_STARTED) and time.monotonic() < until:
            process = player._process
            if words[0] == "asked" or process is None or process.gone(0.1):
                failure = ask(player).failure
        player.close()
    assert failure is not None
    assert (failure.kind, failure.reason) == (FaultKind.CRASHED, "output")
    assert "bytes that answer nothing" in failure.detail


class DroppedPlayer(RemotePlayer):
    """One that says when its connection was dropped for a flood."""

    dropped: threading.Event

    def stop(self, exceeded: Exceeded) -> None:
        super().stop(exceeded)
        self.dropped.set()


@pytest.mark.slow
@pytest.mark.parametrize("when", ["resting", "asked"])
def test_a_flood_from_afar_costs_a_fault_and_the_connection(when: str) -> None:
    over = threading.Event()
    served = ServedBot(before=(lambda _: over.wait(30)) if when == "asked" else lambda _: None)
    with ExitStack() as stack:
        stack.callback(served.stop)
        stack.callback(over.set)
        relay = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        threading.Thread(target=serve_through, args=(relay, served.address, when), daemon=True).start()
        deadlines, watchdog = Deadlines(), Watchdog()
        stack.callback(deadlines.close)
        stack.callback(watchdog.close)
        access = Access(parse_address(f"grpc://127.0.0.1:{relay.getsockname()[1]}"))
        player = DroppedPlayer(access, ProcessLimits(), deadlines, watchdog, lambda error: pytest.fail(str(error)))
        player.dropped = threading.Event()
        stack.callback(player.close)
        ready = threading.Event()
        player.prepare(ready.set)
        assert ready.wait(30)
        assert when != "resting" or player.dropped.wait(60)
        failure = ask(player).failure
    assert failure is not None
    assert (failure.kind, failure.reason) == (FaultKind.CRASHED, "output")
    assert " kB of " in failure.detail


def serve_through(relay: socket.socket, address: str, when: str) -> None:
    """Put floods between every one who connects and the bot at `address`."""
    while True:
        try:
            asking, _ = relay.accept()
        except OSError:
            return
        host, port = address.removeprefix("grpc://").split(":")
        answering = socket.create_connection((host, int(port)))
        threading.Thread(target=Relay(asking, answering, "unknown", when).run, args=(65536, 0.01), daemon=True).start()
