"""A name for every request, so that whoever met a failure and whoever reads the log speak of the same one."""

from __future__ import annotations

from uuid import uuid4

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "x-request-id"

KEY = "arena.request_id"
"""Where it stands in the scope of a request."""


class RequestIds:
    """Names each request, and tells its name in the head of the answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the inner application does."""
        name = request_id(scope)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).setdefault(HEADER, name)
            await send(message)

        await self._app(scope, receive, send_named)


def request_id(scope: Scope) -> str:
    """The name of a request, which it is given when it is asked for first."""
    return str(scope.setdefault(KEY, str(uuid4())))
