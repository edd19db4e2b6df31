"""1,000 bots and 1,000,000 stored matches: how long the server takes for a page, without the network, in milliseconds.

`made anew`: for an address that nobody asked for since the database changed; `again`: for one that somebody did.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

from fastapi import FastAPI
from starlette.types import Message

from arena.store.opening import open_store
from arena.store.ratings import Ratings
from arena.web.app import create_app
from arena.web.site import Settings
from tests.benchmarks import store_scale
from tests.store.made import url

SORTS = ("place", "-place", "bot", "-bot", "-rating", "rank", "-matches", "-points")
PAGES = 12
AGAIN = 3


def run() -> dict[str, Any]:
    """Median and 95th percentile for each page, and the very first page of a server that has just begun."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arena.db"
        cup = store_scale.fill(path)
        with open_store(url(path), write=True) as store:
            store.analyze()
            Ratings(store).keep(cup.id, None)
        return measured(path)


def measured(path: Path) -> dict[str, Any]:
    """The figures for the database at `path`."""
    app = create_app(Settings(url(path)))
    first = asyncio.run(_all(app, ["/"]))
    found: dict[str, Any] = {"the very first page, ms": round(first[0], 1)}
    for name, addresses in _addresses().items():
        asyncio.run(_all(app, addresses[:1]))  # loads the templates
        anew, again = asyncio.run(_all(app, addresses[1:])), asyncio.run(_all(app, addresses[1:] * AGAIN))
        for kind, times in (("made anew", anew), ("again", again)):
            found |= {f"{name}, {kind}, median ms": _ms(times, 50), f"{name}, {kind}, p95 ms": _ms(times, 95)}
    return found


def _addresses() -> dict[str, list[str]]:
    """Many addresses of each page, all different."""
    return {"ranking": [f"/?sort={sort}&page={page}" for sort, page in product(SORTS, range(1, PAGES + 1))]}


def _ms(times: Sequence[float], percentile: int) -> float:
    return round(statistics.quantiles(times, n=100, method="inclusive")[percentile - 1], 1)


async def _all(app: FastAPI, addresses: Sequence[str]) -> list[float]:
    return [await _asked(app, address) for address in addresses]


async def _asked(app: FastAPI, address: str) -> float:
    """Milliseconds from a request's head to the end of the answer."""
    path, _, query = address.partition("?")
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
    }
    scope |= {"path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": ""}
    scope |= {"headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 1)}
    messages: Iterator[Message] = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        return next(messages, {"type": "http.disconnect"})

    async def send(message: Message) -> None:
        assert message.get("status", 200) == 200, (address, message)

    began = perf_counter()
    await app(scope, receive, send)
    return 1000 * (perf_counter() - began)
