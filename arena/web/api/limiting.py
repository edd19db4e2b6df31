"""Who asks the API too often is told when to come back, before any work is done."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from math import ceil

from starlette.types import ASGIApp, Receive, Scope, Send

from arena.web.errors import problem
from arena.web.rates import Allowance

NETWORK_BITS = 64
"""A household has so much of an IPv6 address to choose from, so that all of these are one client."""


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
