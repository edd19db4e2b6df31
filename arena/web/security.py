"""What stands between a stranger and every page: which hosts are answered, how slow a request may be, and what a
browser is told to forbid.

Plain ASGI, so that streams stay streams.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from urllib.parse import urlsplit

from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("localhost", "127.0.0.1", "::1")

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def is_encrypted(request: HTTPConnection) -> bool:
    """Whether the browser speaks TLS, with us or with a proxy before us. A lie spoils nothing but own cookies."""
    return "https" in (request.url.scheme, request.headers.get("x-forwarded-proto", ""))


class SafeHeaders:
    """Adds to every answer what a browser must not do with it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the inner application does."""

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        await self._app(scope, receive, send_safely)


class KnownHosts:
    """Answers only under the names it goes by: else a page elsewhere could point its own name here and read all
    (DNS rebinding); and takes what changes something only from its own pages, or from no page at all."""

    def __init__(self, app: ASGIApp, allowed: Sequence[str]) -> None:
        self._app = app
        self._allowed = frozenset(host.lower() for host in allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the inner application does, or refuse in one line."""
        if scope["type"] == "http" and (refused := self._refusal(scope["method"], Headers(scope=scope))):
            await PlainTextResponse(f"{refused}\n", 403)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _refusal(self, method: str, headers: Headers) -> str:
        host = headers.get("host", "")
        if host_name(host) not in self._allowed:
            return "This server does not go by that name: start it with --allow-host NAME if it should."
        origin = headers.get("origin")
        if method not in SAFE_METHODS and origin is not None and origin.partition("://")[2].lower() != host.lower():
            return "This came from a page of another site: open the page here and try again."
        return ""


def host_name(host: str) -> str:
    """The name in a Host header, without the port and the brackets of an IPv6 address; "" for nonsense."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class Utf8Forms:
    """Takes the parts of a form in UTF-8 only, as every browser sends them: they would be decoded by whatever encoding
    a stranger names, and Python has one that takes hours for as much as a form may hold, and some that fail."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the inner application does, or refuse in one line."""
        if scope["type"] == "http" and not self._is_readable(Headers(scope=scope).get("content-type")):
            await PlainTextResponse("A form of several parts is taken in UTF-8 only.\n", 415)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_readable(self, content_type: str | None) -> bool:
        """Judged by the parser that would read the form, too."""
        kind, options = parse_options_header(content_type)
        return not kind.startswith(b"multipart/") or options.get(b"charset", b"utf-8").lower() in (b"utf-8", b"utf8")


class Timely:
    """Ends requests whose body takes too long to arrive."""

    def __init__(self, app: ASGIApp, body_s: float) -> None:
        self._app = app
        self._body_s = body_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the inner application does; waiting too long raises in whoever reads the body."""
        until = asyncio.get_running_loop().time() + self._body_s
        complete = False

        async def receive_in_time() -> Message:
            nonlocal complete
            if complete:
                return await receive()  # what comes after the body: that the reader has left
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408) from None
            complete = not message.get("more_body", False)
            return message

        await self._app(scope, receive_in_time if scope["type"] == "http" else receive, send)
