"""A player over a connection to a bot elsewhere: the verdicts are those of a process, and it plays on likewise."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from queue import Empty, SimpleQueue

import grpc
import pytest
import trustme

from arena.bots.calling import close_players
from arena.bots.credentials import Credentials
from arena.bots.deadlines import Deadlines
from arena.bots.remote import Access, parse_address
from arena.bots.remote_player import RemotePlayer
from arena.bots.watchdog import Watchdog
from arena.match.faults import FaultKind
from arena.match.limits import ProcessLimits
from arena.match.player import CallResult
from arena.wire.v1 import bot_pb2 as pb
from tests.arena_bots.conftest import resources
from tests.arena_bots.test_player import LONG_S, answered, ask, question
from tests.bots.serving import Gate, ServedBot, free_port

Serve = Callable[..., ServedBot]
Make = Callable[..., RemotePlayer]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def serve(stack: ExitStack) -> Serve:
    """Serve bots that stop after the test."""

    def start(*words: grpc.ServerCredentials, **more: object) -> ServedBot:
        bot = ServedBot(*words, **more)  # type: ignore[arg-type]
        stack.callback(bot.stop)
        return bot

    return start


@pytest.fixture
def noted() -> list[str]:
    """What was wrong with each start."""
    return []


@pytest.fixture
def make(stack: ExitStack, noted: list[str]) -> Make:
    """Make a player for an address."""
    errors: list[Exception] = []
    stack.callback(lambda: errors and pytest.fail(f"the arena failed: {errors}"))
    deadlines = Deadlines()
    stack.callback(deadlines.close)
    watchdog = Watchdog()
    stack.callback(watchdog.close)

    def player(address: str, credentials: Credentials | None = None, start_ms: int = 10_000) -> RemotePlayer:
        limits = ProcessLimits(start_ms=start_ms, conclude_ms=300)
        access = Access(parse_address(address), credentials or Credentials())
        made = RemotePlayer(access, limits, deadlines, watchdog, errors.append, lambda _, why, __: noted.append(why))
        stack.callback(made.close)
        return made

    return player


class Authority:
    """Issues the certificates of a test."""

    def __init__(self) -> None:
        self._ca = trustme.CA()
        self._server = self._ca.issue_cert("127.0.0.1")
        self._client = self._ca.issue_cert("arena.example.org")
        self.pem = self._ca.cert_pem.bytes().decode()

    def server(self, *, ask_client: bool = False) -> grpc.ServerCredentials:
        pair = (self._server.private_key_pem.bytes(), self._server.cert_chain_pems[0].bytes())
        return grpc.ssl_server_credentials([pair], self.pem.encode() if ask_client else None, ask_client)

    def client(self) -> Credentials:
        key, certificate = self._client.private_key_pem.bytes(), self._client.cert_chain_pems[0].bytes()
        return Credentials(self.pem, certificate.decode(), key.decode())


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


def failure(result: CallResult) -> tuple[FaultKind, str]:
    assert result.failure is not None
    return result.failure.kind, result.failure.reason


def test_turns_are_answered_alone_and_together(serve: Serve, make: Make, noted: list[str]) -> None:
    bot = serve()
    player = make(bot.address)
    assert player.remote
    assert answered(ask(player)) == [(1, 3)]
    assert player.max_batch == 64
    assert answered(ask(player, question(5, 0), question(9, 7))) == [(5, 0), (9, 7)]
    assert (bot.described, noted) == (1, [""])


def test_a_bot_is_reached_by_ipv6(serve: Serve, make: Make) -> None:
    answered(ask(make(serve(host="[::1]").address)))


def test_a_bot_with_a_certificate_of_the_given_authority_is_believed(
    serve: Serve, make: Make, authority: Authority
) -> None:
    bot = serve(authority.server())
    assert bot.address.startswith("grpcs://")
    answered(ask(make(bot.address, Credentials(authority.pem))))


@pytest.mark.parametrize("authorities", ["", Authority().pem])
def test_a_bot_with_another_certificate_is_not(
    serve: Serve, make: Make, authority: Authority, noted: list[str], authorities: str
) -> None:
    bot = serve(authority.server())
    result = ask(make(bot.address, Credentials(authorities), start_ms=300))
    reason = "cannot be reached: its certificate is not one that we trust"
    assert failure(result) == (FaultKind.NOT_STARTED, reason)
    assert noted[0].startswith(reason)
    assert bot.described == 0


def test_a_bot_may_ask_for_the_arenas_certificate(serve: Serve, make: Make, authority: Authority) -> None:
    bot = serve(authority.server(ask_client=True))
    answered(ask(make(bot.address, authority.client())))
    assert failure(ask(make(bot.address, Credentials(authority.pem), start_ms=300)))[0] is FaultKind.NOT_STARTED


def test_a_bot_may_ask_for_a_token(serve: Serve, make: Make, authority: Authority) -> None:
    bot = serve(authority.server(), token="open-sesame")
    answered(ask(make(bot.address, Credentials(authority.pem, token="open-sesame"))))
    result = ask(make(bot.address, Credentials(authority.pem, token="guessed")))
    assert failure(result) == (FaultKind.NOT_STARTED, "did not answer Describe: STATUS")


def test_an_unreachable_bot_is_not_started_each_time_it_is_asked(make: Make, noted: list[str]) -> None:
    player = make(f"grpc://127.0.0.1:{free_port()}", start_ms=200)
    player.prepare()
    for _ in range(2):
        result = ask(player)
        assert failure(result) == (FaultKind.NOT_STARTED, "cannot be reached: nobody listens there")
        assert result.elapsed_s == 0
    assert all("Connection refused" in problem for problem in noted)


def test_a_bot_is_waited_for_while_it_comes_up(make: Make, serve: Serve) -> None:
    bot = serve()
    bot.stop()
    player = make(bot.address)
    results: SimpleQueue[CallResult] = SimpleQueue()
    player.call((question(),), LONG_S, results.put)
    bot.start()
    result = results.get(timeout=LONG_S)
    answered(result)
    assert result.elapsed_s < 1


def test_a_bot_that_dies_in_a_call_has_crashed_and_plays_on_when_it_is_back(serve: Serve, make: Make) -> None:
    gate = Gate(2)
    bot = serve(before=gate)
    player = make(bot.address)
    answered(ask(player))
    results: SimpleQueue[CallResult] = SimpleQueue()
    player.call((question(),), LONG_S, results.put)
    assert gate.reached.wait(LONG_S)
    bot.stop()
    assert failure(results.get(timeout=LONG_S))[0] is FaultKind.CRASHED
    gate.opened.set()
    bot.start()
    answered(ask(player))


def test_a_bot_that_hangs_once_is_asked_who_it_is_until_it_answers_and_not_charged_for_it(
    serve: Serve, make: Make
) -> None:
    gate = Gate(2)
    bot = serve(before=gate)
    player = make(bot.address)
    answered(ask(player))
    assert failure(ask(player, deadline_s=0.1)) == (FaultKind.TIMEOUT, "")
    results: SimpleQueue[CallResult] = SimpleQueue()
    player.call((question(8, 8),), 0.5, results.put)
    with pytest.raises(Empty):  # longer than the next call may take: it must not have begun
        results.get(timeout=0.6)
    gate.opened.set()
    assert answered(results.get(timeout=LONG_S)) == [(8, 8)]
    assert bot.described == 2


def test_a_bot_that_never_answers_again_is_not_started(serve: Serve, make: Make) -> None:
    gate = Gate(1)
    player = make(serve(before=gate).address, start_ms=300)
    assert failure(ask(player, deadline_s=0.1))[0] is FaultKind.TIMEOUT
    assert failure(ask(player)) == (FaultKind.NOT_STARTED, "did not answer Describe: DEADLINE")
    gate.opened.set()


def test_outcomes_are_told_to_those_who_want_them(serve: Serve, make: Make) -> None:
    wanting, other = serve(description=pb.DescribeResponse(wants_conclude=True)), serve()
    for bot in (wanting, other):
        player = make(bot.address)
        player.conclude(b"")
        answered(ask(player))
        player.conclude(b"")
        player.close()
    assert (wanting.concluded, other.concluded) == (1, 0)


def test_chairs_that_share_an_address_do_not_share_a_connection(serve: Serve, make: Make) -> None:
    bot = serve()
    one, other = make(bot.address), make(bot.address)
    answered(ask(one))
    answered(ask(other))
    one.close()
    answered(ask(other))
    assert bot.described == 2


def test_closing_waits_neither_for_a_call_nor_for_a_start(serve: Serve, make: Make) -> None:
    gate = Gate(1)
    results: SimpleQueue[CallResult] = SimpleQueue()
    players = [make(serve(before=gate).address), make(f"grpc://127.0.0.1:{free_port()}")]
    for player in players:
        player.call((question(),), 60.0, results.put)
    assert gate.reached.wait(LONG_S)
    began = time.monotonic()
    close_players(players)
    assert time.monotonic() - began < 2
    kinds = {failure(results.get(timeout=1))[0] for _ in players}
    assert kinds == {FaultKind.CRASHED, FaultKind.NOT_STARTED}
    gate.opened.set()


def test_failures_leak_nothing(serve: Serve, make: Make) -> None:
    player = make(f"grpc://127.0.0.1:{free_port()}", start_ms=50)
    ask(player)
    before = resources()
    for _ in range(20):
        ask(player)
    until = time.monotonic() + LONG_S  # gRPC gives back what it had a little later
    while any(now > then for now, then in zip(resources(), before, strict=True)):
        assert time.monotonic() < until, (before, resources())
