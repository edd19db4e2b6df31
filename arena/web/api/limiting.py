"""What is refused before any work is done: who asks too often is told when to come back, and who sends too much is told
so in the way of all failures."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from math import ceil

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.web.errors import problem
from arena.web.rates import Allowance

NETWORK_BITS = 64
"""A household has so much of an IPv6 address to choose from, so that all of these are one client."""

TOO_LARGE = 413


class Limited:
    """Answers each client as often as its allowance lets it."""

    def __init__(self, app: ASGIApp, allowance: Allowance) -> None:
        self._app = app
        self._allowance = allowance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the inner application does, or with 429."""
        if scope["type"] == "http":
            wait_s = ceil(self._allowance.take(client_of(scope)))
            if wait_s:
                told = f"That was too often: ask again in {wait_s} s."
                refused = problem(scope, 429, told, {"retry-after": str(wait_s)})
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)


class Told:
    """Tells as a problem what the framework refuses in its own words: a body that is too large."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the inner application does, or in our words."""
        is_told = False

        async def send_told(message: Message) -> None:
            nonlocal is_told
            if message["type"] == "http.response.start" and message["status"] == TOO_LARGE:
                is_told = True
                await problem(scope, TOO_LARGE, "More was sent than may be sent here.")(scope, receive, send)
            elif not is_told:
                await send(message)

        await self._app(scope, receive, send_told)


def client_of(scope: Scope) -> str:
    """Whose requests are counted together: those of an IPv4 address, or of an IPv6 network."""
    host = scope["client"][0] if scope.get("client") else ""
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(int(address) >> NETWORK_BITS)
