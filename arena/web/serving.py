"""The pages as a server: uvicorn on one socket, with an end to connections that never ask for anything, and to those
that never take what they asked for."""

from __future__ import annotations

import socket
from asyncio import AbstractEventLoop, BaseTransport, TimerHandle
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 10.0
"""A whole request head has to be there by then, counted from the connection or the last answer."""

TAKE_S = 30.0
"""Of an answer that waits to be sent, three quarters have to be taken by then, counted from when there was too much of
it to wait (64 KiB)."""

MOST_CONNECTIONS = 500
"""More are told to come back later."""

SHUTDOWN_S = 2
"""Live pages are streams without an end, so they are ended."""


class PunctualProtocol(H11Protocol):
    """HTTP/1.1 in which nobody can hold a connection open by sending a head byte after byte, or by not reading: uvicorn
    begins to count after its first answer only, stops at the first byte, and waits for readers without an end."""

    _deadline: TimerHandle | None = None
    _taken_by: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._wait()

    def handle_events(self) -> None:
        """Stop waiting when a request begins to be answered."""
        super().handle_events()
        if self._deadline is not None and self.cycle is not None and not self.cycle.response_complete:
            self._deadline.cancel()
            self._deadline = None

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the last of this answer to be taken."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self._wait()

    def pause_writing(self) -> None:
        """Begin to wait for the reader."""
        super().pause_writing()
        self._taken_by = self.loop.call_later(TAKE_S, self.transport.abort)

    def resume_writing(self) -> None:
        """The reader has taken most of it."""
        super().resume_writing()
        _stop(self._taken_by)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        _stop(self._deadline)
        _stop(self._taken_by)
        super().connection_lost(exc)

    def _wait(self) -> None:
        _stop(self._deadline)
        loop: AbstractEventLoop = self.loop
        self._deadline = loop.call_later(HEAD_S, self.transport.abort)


def _stop(timer: TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def listen(host: str, port: int) -> socket.socket:
    """A socket at this address, port 0 for any that is free. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024)


def address_of(listening: socket.socket) -> str:
    """Where a browser finds what listens there."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def server(app: FastAPI, **changes: Any) -> uvicorn.Server:
    """A server for the application; `run(sockets=[…])` serves until it is told to stop."""
    config = uvicorn.Config(
        app,
        http=PunctualProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=SHUTDOWN_S,
        **changes,
    )
    return uvicorn.Server(config)
