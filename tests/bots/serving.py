"""Bots at an address: served by this process, where a test can reach into them, or by a process of their own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc

from arena.wire.v1 import bot_pb2 as pb

Handle = Callable[[bytes, grpc.ServicerContext], bytes]

SECONDS = 10.0


class ServedBot:
    """Throws the greatest card and takes from the closed deck. Serves one call at a time, at one port for life.

    `before` is called with the number of each turn, from 1, before it is answered; `token`, if any, must come with
    every call.
    """

    def __init__(
        self,
        tls: grpc.ServerCredentials | None = None,
        *,
        host: str = "127.0.0.1",
        token: str = "",
        description: pb.DescribeResponse | None = None,
        before: Callable[[int], object] = lambda _: None,
    ) -> None:
        self.described = 0
        self.turns = 0
        self.concluded = 0
        self._tls, self._host, self._token, self._before = tls, host, token, before
        self._description = description or pb.DescribeResponse(name="served", version="2", max_batch=64)
        self._port = 0
        self._server: grpc.Server | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"grpc{'s' if self._tls else ''}://{self._host}:{self._port}"

    def start(self) -> None:
        methods = {
            "Describe": self._describe, "TakeTurn": self._take_turn, "TakeTurns": self._take_turns,
            "Conclude": self._conclude,
        }  # fmt: skip
        handlers: dict[str, Any] = {
            name: grpc.unary_unary_rpc_method_handler(self._checked(do)) for name, do in methods.items()
        }
        self._server = grpc.server(ThreadPoolExecutor(1), options=[("grpc.so_reuseport", 0)])
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("arena.v1.BotService", handlers),))
        place = f"{self._host}:{self._port}"
        add = self._server.add_insecure_port
        self._port = self._server.add_secure_port(place, self._tls) if self._tls else add(place)
        self._server.start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop(None).wait(SECONDS)

    def _checked(self, handle: Handle) -> Handle:
        def checked(raw: bytes, context: grpc.ServicerContext) -> bytes:
            sent = dict(context.invocation_metadata()).get("authorization", "")
            if sent != (f"Bearer {self._token}" if self._token else ""):
                context.abort(grpc.StatusCode.UNAUTHENTICATED, "the token is wrong")
            return handle(raw, context)

        return checked

    def _describe(self, _: bytes, __: grpc.ServicerContext) -> bytes:
        self.described += 1
        return self._description.SerializeToString()

    def _take_turn(self, raw: bytes, _: grpc.ServicerContext) -> bytes:
        return self._answer(pb.TakeTurnRequest.FromString(raw)).SerializeToString()

    def _take_turns(self, raw: bytes, _: grpc.ServicerContext) -> bytes:
        turns = pb.TakeTurnsRequest.FromString(raw).turns
        return pb.TakeTurnsResponse(turns=[self._answer(turn) for turn in turns]).SerializeToString()

    def _answer(self, request: pb.TakeTurnRequest) -> pb.TakeTurnResponse:
        self.turns += 1
        self._before(self.turns)
        reply = pb.TakeTurnResponse(table=request.table, turn=request.turn)
        reply.play.discard.append(max(request.observation.hand, key=lambda card: min((card - 1) % 13 + 1, 10)))
        reply.play.closed.SetInParent()
        return reply

    def _conclude(self, _: bytes, __: grpc.ServicerContext) -> bytes:
        self.concluded += 1
        return b""


class Gate:
    """Blocks one turn until it is opened."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self.reached, self.opened = threading.Event(), threading.Event()

    def __call__(self, turn: int) -> None:
        if turn == self.turn:
            self.reached.set()
            self.opened.wait(SECONDS)


def free_port() -> int:
    """A port of the loopback at which nobody listens now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def bot_process(main: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A bot written with the kit, as a program of its own that listens at `port`; from when it listens."""
    environment = {**os.environ, "ARENA_BOT_ADDRESS": f"127.0.0.1:{port}"}
    process = subprocess.Popen([sys.executable, str(main)], env=environment)
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            grpc.channel_ready_future(channel).result(SECONDS)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS)
