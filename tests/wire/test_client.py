"""The client against real little servers: every way a call can end has one name."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

import grpc
import pytest

from arena.game.actions import Declare
from arena.match.player import Answer
from arena.wire.client import MOST_DETAIL, MOST_REPLY_BYTES, BotClient, CallError, CallErrorKind
from arena.wire.v1 import bot_pb2 as pb

Start = Callable[..., BotClient]
Handle = Callable[[bytes, grpc.ServicerContext], bytes]
Methods: TypeAlias = "dict[str, grpc.RpcMethodHandler[bytes, bytes]]"
REPLY = pb.TakeTurnResponse(table=7, turn=3, declare=pb.Declare())


@pytest.fixture
def bot() -> Iterator[Start]:
    """Start a bot that handles the given methods, and return a client of it."""
    opened: list[tuple[grpc.Server, BotClient]] = []

    def start(compression: grpc.Compression | None = None, **methods: Handle) -> BotClient:
        server = grpc.server(ThreadPoolExecutor(1), compression=compression)
        handlers: Methods = {name: grpc.unary_unary_rpc_method_handler(handle) for name, handle in methods.items()}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("arena.v1.BotService", handlers),))
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        opened.append((server, BotClient(f"127.0.0.1:{port}")))
        return opened[-1][1]

    yield start
    for server, client in opened:
        client.close()
        server.stop(None)


def saying(status: grpc.StatusCode, text: str = "") -> Handle:
    def handle(_: bytes, context: grpc.ServicerContext) -> bytes:
        context.abort(status, text)

    return handle


def failure(call: Callable[[], object]) -> CallError:
    with pytest.raises(CallError) as caught:
        call()
    return caught.value


def test_a_turn_is_sent_as_it_is_and_its_answer_read(bot: Start) -> None:
    seen: list[bytes] = []

    def handle(raw: bytes, _: grpc.ServicerContext) -> bytes:
        seen.append(raw)
        return REPLY.SerializeToString()

    client = bot(TakeTurn=handle)
    assert client.take_turn(b"prepared", 5) == (Answer(7, 3, Declare(), ""),)
    assert seen == [b"prepared"]
    assert 0 < client.elapsed_s < 5


def test_many_turns_travel_in_one_call(bot: Start) -> None:
    client = bot(TakeTurns=lambda _, __: pb.TakeTurnsResponse(turns=[REPLY] * 3).SerializeToString())
    assert client.take_turns(b"", 5) == (Answer(7, 3, Declare(), ""),) * 3


def test_a_description_has_defaults_where_the_bot_says_nothing(bot: Start) -> None:
    described = bot(Describe=lambda _, __: pb.DescribeResponse(name="β", authors=["A", "B"]).SerializeToString())
    description = described.describe(5)
    assert (description.name, description.authors) == ("β", ("A", "B"))
    assert (description.max_batch, description.protocol_versions) == (1, (1,))
    assert not description.wants_conclude
    assert not description.wants_legal_discards


def test_a_description_is_waited_for_until_the_bot_listens(tmp_path: Path) -> None:
    client = BotClient(f"unix:{tmp_path}/bot")
    assert failure(lambda: client.take_turn(b"", 5)).kind is CallErrorKind.UNAVAILABLE
    server = grpc.server(ThreadPoolExecutor(1))
    methods: Methods = {"Describe": grpc.unary_unary_rpc_method_handler(lambda _, __: b"")}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("arena.v1.BotService", methods),))
    server.add_insecure_port(f"unix:{tmp_path}/bot")
    server.start()
    assert client.describe(10).max_batch == 1
    client.close()
    server.stop(None)


def test_a_conclusion_is_told_and_its_answer_ignored(bot: Start) -> None:
    seen: list[bytes] = []

    def handle(raw: bytes, _: grpc.ServicerContext) -> bytes:
        seen.append(raw)
        return b"\xff\xff"

    bot(Conclude=handle).conclude(b"the end", 5)
    assert seen == [b"the end"]


def test_no_reply_in_time_is_a_missed_deadline(bot: Start) -> None:
    released = threading.Event()
    client = bot(TakeTurn=lambda _, __: released.wait(10) and b"")
    error = failure(lambda: client.take_turn(b"", 0.1))
    released.set()
    assert error.kind is CallErrorKind.DEADLINE
    assert client.elapsed_s >= 0.09


def test_a_bot_that_claims_a_missed_deadline_before_it_has_merely_refused(bot: Start) -> None:
    client = bot(TakeTurn=saying(grpc.StatusCode.DEADLINE_EXCEEDED, "too hard"))
    assert failure(lambda: client.take_turn(b"", 10)).kind is CallErrorKind.STATUS


def test_nobody_listening_is_unavailable(tmp_path: Path) -> None:
    client = BotClient(f"unix:{tmp_path}/nobody")
    assert failure(lambda: client.take_turn(b"", 5)).kind is CallErrorKind.UNAVAILABLE
    client.close()


def test_a_listener_that_hangs_up_is_unavailable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def hang_up() -> None:
            listener.accept()[0].close()

        caller = threading.Thread(target=hang_up)
        caller.start()
        client = BotClient(f"127.0.0.1:{listener.getsockname()[1]}")
        assert failure(lambda: client.take_turn(b"", 5)).kind is CallErrorKind.UNAVAILABLE
        caller.join()
        client.close()


def test_a_listener_that_speaks_another_protocol_is_unavailable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        connections = []

        def speak() -> None:
            connections.append(listener.accept()[0])
            connections[0].sendall(b"HTTP/1.1 200 OK\r\n\r\n")

        speaker = threading.Thread(target=speak)
        speaker.start()
        client = BotClient(f"127.0.0.1:{listener.getsockname()[1]}")
        assert failure(lambda: client.take_turn(b"", 5)).kind is CallErrorKind.UNAVAILABLE
        speaker.join()
        client.close()
        connections[0].close()


def test_a_missing_method_is_unimplemented(bot: Start) -> None:
    client = bot(TakeTurn=lambda _, __: b"")
    assert failure(lambda: client.take_turns(b"", 5)).kind is CallErrorKind.UNIMPLEMENTED


def test_any_other_status_is_the_bots_own(bot: Start) -> None:
    client = bot(TakeTurn=saying(grpc.StatusCode.INTERNAL, "choose raised"))
    error = failure(lambda: client.take_turn(b"", 5))
    assert (error.kind, error.detail) == (CallErrorKind.STATUS, "INTERNAL choose raised")


def test_little_is_kept_of_a_long_error_text(bot: Start) -> None:
    client = bot(TakeTurn=saying(grpc.StatusCode.UNKNOWN, "y\n" * 2500))
    detail = failure(lambda: client.take_turn(b"", 5)).detail
    assert len(detail) < MOST_DETAIL + 20
    assert "\n" not in detail


def test_an_undecodable_reply_is_unreadable(bot: Start) -> None:
    client = bot(TakeTurn=lambda _, __: b"\xff\xff", TakeTurns=lambda _, __: b"\xff", Describe=lambda _, __: b"\xff")
    for call in (lambda: client.take_turn(b"", 5), lambda: client.take_turns(b"", 5), lambda: client.describe(5)):
        assert failure(call).kind is CallErrorKind.UNREADABLE


def test_a_reply_that_is_too_large_is_unreadable(bot: Start) -> None:
    client = bot(TakeTurn=lambda _, __: bytes(MOST_REPLY_BYTES + 1))
    assert failure(lambda: client.take_turn(b"", 5)).kind is CallErrorKind.UNREADABLE


def test_a_small_reply_that_unpacks_to_a_large_one_is_unreadable(bot: Start) -> None:
    client = bot(compression=grpc.Compression.Gzip, TakeTurn=lambda _, __: bytes(16 * MOST_REPLY_BYTES))
    assert failure(lambda: client.take_turn(b"", 10)).kind is CallErrorKind.UNREADABLE


def test_metadata_without_measure_is_unreadable(bot: Start) -> None:
    def handle(_: bytes, context: grpc.ServicerContext) -> bytes:
        context.set_trailing_metadata((("k", "v" * 3_000_000),))
        return REPLY.SerializeToString()

    client = bot(TakeTurn=handle)
    assert failure(lambda: client.take_turn(b"", 10)).kind is CallErrorKind.UNREADABLE


def test_after_a_failed_call_the_next_one_works(bot: Start) -> None:
    replies = iter([bytes(MOST_REPLY_BYTES + 1), REPLY.SerializeToString()])
    client = bot(TakeTurn=lambda _, __: next(replies))
    failure(lambda: client.take_turn(b"", 5))
    assert client.take_turn(b"", 5)[0].action == Declare()


def test_closing_ends_the_call_in_flight_and_refuses_the_next(bot: Start) -> None:
    called, released = threading.Event(), threading.Event()

    def handle(_: bytes, __: grpc.ServicerContext) -> bytes:
        called.set()
        released.wait(10)
        return b""

    client = bot(TakeTurn=handle)

    def close() -> None:
        called.wait(10)
        client.close()

    closer = threading.Thread(target=close)
    closer.start()
    began = time.monotonic()
    assert failure(lambda: client.take_turn(b"", 10)).kind is CallErrorKind.UNAVAILABLE
    assert time.monotonic() - began < 9
    assert failure(lambda: client.take_turn(b"", 10)).kind is CallErrorKind.UNAVAILABLE
    released.set()
    closer.join()
