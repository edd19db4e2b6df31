"""1,000 bots and 1,000,000 stored matches: how long the server takes for a page, without the network, in milliseconds.

Then how long a browser waits for the ranking to be painted, every time as somebody who was never here before.

`made anew`: for an address that nobody asked for since the database changed; `again`: for one that somebody did. Behind
each time of the clock on the wall stands that of the processor, which tells more on a busy machine.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import product
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from fastapi import FastAPI
from playwright.sync_api import Browser, sync_playwright
from starlette.types import Message

from arena.settings import url_of
from arena.store.opening import open_store
from arena.store.ratings import Ratings
from arena.store.results import Results
from arena.web.api import PATH
from arena.web.app import create_app
from arena.web.cursors import write_cursor
from arena.web.memory import spare_what_stays
from arena.web.site import Settings
from tests.benchmarks import store_scale
from tests.web.browsing import launch
from tests.web.serving import served

SORTS = ("place", "-place", "bot", "-bot", "-rating", "rank", "-matches", "-points")
PAGES = 12
AGAIN = 3
PAINTS = 11

FIRST_PAINT = """() => new Promise((tell, fail) => {
  setTimeout(fail, 30_000, new Error("nothing was painted"));
  new PerformanceObserver(
    seen => seen.getEntriesByName("first-contentful-paint").forEach(paint => tell(paint.startTime))
  ).observe({type: "paint", buffered: true});
})"""
"""Tells when the first text was painted, also if that is still to come."""


def run() -> dict[str, Any]:
    """Median and 95th percentile for each page, and the very first page of a server that has just begun."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arena.db"
        cup = store_scale.fill(path)
        with open_store(url_of(path), write=True) as store:
            store.analyze()
            Ratings(store).keep(cup.id, None)
        return measured(path) | painted(path)


def measured(path: Path) -> dict[str, Any]:
    """The figures for the database at `path`."""
    with open_store(url_of(path), write=False) as store:
        bots = [entry.digest.hex() for entry in Results.of(store).tournaments.latest().tournament.entries]
    with patch("arena.web.site.API_REQUESTS", 10**9):
        app = create_app(Settings(url_of(path)))
    spare_what_stays()
    first = asyncio.run(_all(app, ["/"]))
    found: dict[str, Any] = {"the very first page, ms": _both(first, 50)}
    for name, addresses in _addresses(bots).items():
        asyncio.run(_all(app, addresses[:1]))  # loads the templates
        anew, again = asyncio.run(_all(app, addresses[1:])), asyncio.run(_all(app, addresses[1:] * AGAIN))
        for kind, times in (("made anew", anew), ("again", again)):
            found |= {f"{name}, {kind}, median ms": _both(times, 50), f"{name}, {kind}, p95 ms": _both(times, 95)}
    return found


def painted(path: Path) -> dict[str, Any]:
    """The first paint of the ranking in Chromium, with server and browser on this machine."""
    with served(path) as address, sync_playwright() as playwright:
        browser = launch(playwright)
        times = [_first_paint(browser, address) for _ in range(PAINTS)]
        browser.close()
    first, *later = times
    return {
        "first paint of the ranking, very first page, ms": round(first),
        "first paint of the ranking, median ms": round(median(later)),
        "first paint of the ranking, longest, ms": round(max(later)),
    }


def _first_paint(browser: Browser, address: str) -> float:
    """Milliseconds from the start of the navigation."""
    with closing(browser.new_context()) as context:
        page = context.new_page()
        page.goto(address)
        return float(page.evaluate(FIRST_PAINT))


def _addresses(bots: Sequence[str]) -> dict[str, list[str]]:
    """Many addresses of each page, all different; two bots are such as met."""
    single, pairs = bots[::20], list(zip(bots[::20], bots[7::20], strict=True))
    parts = range(1, 8)
    return {
        "ranking": [f"/?sort={sort}&page={page}" for sort, page in product(SORTS, range(1, PAGES + 1))],
        "bot": [f"/bots/{bot}" for bot in single],
        "head to head": [f"/head-to-head?rows={rows}&columns={columns}" for rows, columns in product(parts, parts)],
        "matches of two bots": [f"/matches?bots={one},{other}" for one, other in pairs],
        "the last page of matches": [f"/matches?before={key}" for key in range(2, 52)],
        "API, ranking": [f"{PATH}/rankings?limit={limit}" for limit in range(51, 101)],
        "API, bot": [f"{PATH}/bots/{bot}" for bot in single],
        "API, pairs": [f"{PATH}/rankings/pairs?limit={limit}" for limit in range(51, 101)],
        "API, matches of two bots": [f"{PATH}/matches?bot={one}&bot={other}" for one, other in pairs],
        "API, the last page of matches": [_last_matches(key) for key in range(2, 52)],
    }


def _last_matches(key: int) -> str:
    address = f"{PATH}/matches"
    return f"{address}?cursor={write_cursor((key,), f'{address}?')}"


class Taken(NamedTuple):
    """Milliseconds on the wall and of the processor."""

    wall_ms: float
    processor_ms: float


def _both(times: Sequence[Taken], percentile: int) -> str:
    wall, processor = (_ms(column, percentile) for column in zip(*times, strict=True))
    return f"{wall} ({processor})"


def _ms(times: Sequence[float], percentile: int) -> float:
    return round(float(np.percentile(times, percentile)), 1)


async def _all(app: FastAPI, addresses: Sequence[str]) -> list[Taken]:
    return [await _asked(app, address) for address in addresses]


async def _asked(app: FastAPI, address: str) -> Taken:
    """From a request's head to the end of the answer."""
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

    wall, processor = perf_counter(), process_time()
    await app(scope, receive, send)
    return Taken(1000 * (perf_counter() - wall), 1000 * (process_time() - processor))
