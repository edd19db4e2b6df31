"""Readers of the pages as a server has them: each opens a page every few seconds, and some follow a tournament live."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

READERS, EVERY_S, LISTENERS = 50, 5.0, 10

KINDS = {
    "ranking": "/",
    "tournament": r"/tournaments/[0-9a-f]+",
    "head to head": "/head-to-head",
    "bot": r"/bots/[0-9a-f]{64}",
    "matches": "/matches",
    "match": r"/matches/[0-9a-f]+/[0-9a-f]+/\d+",
}
"""The pages that are opened, all as often. A reader follows links, so that the last three of an address are found on
pages that were opened before; those of a match last seen are its latest."""

MOST_LINKS = 200


class Page(NamedTuple):
    """A page that was opened; `ms` until its last byte."""

    kind: str
    status: int
    ms: float


@dataclass
class Reading:
    """What readers saw. `events` counts what was told to those who follow a tournament."""

    pages: list[Page] = field(default_factory=list)
    events: int = 0
    links: dict[str, deque[str]] = field(default_factory=dict)

    @property
    def statuses(self) -> Counter[int]:
        """How often there was which status."""
        return Counter(page.status for page in self.pages)

    def add(self, page: Page, body: str) -> None:
        """Take in a page, and where it leads to."""
        self.pages.append(page)
        found = re.findall(r'href="([^"?#]+)"', body)
        for kind, pattern in KINDS.items():
            known = self.links.setdefault(kind, deque(maxlen=MOST_LINKS))
            known.extend(link for link in found if re.fullmatch(pattern, link))


@asynccontextmanager
async def reading(
    address: str, *, readers: int = READERS, every_s: float = EVERY_S, listeners: int = LISTENERS
) -> AsyncIterator[Reading]:
    """So many readers at the server at `address`, for as long as the `async with`; what they saw grows meanwhile."""
    seen = Reading()
    rng = random.Random("readers")
    tasks = [asyncio.create_task(_read(address, seen, rng, every_s)) for _ in range(readers)]
    tasks += [asyncio.create_task(_listen(address, seen)) for _ in range(listeners)]
    try:
        yield seen
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended


async def _read(address: str, seen: Reading, rng: random.Random, every_s: float) -> None:
    """One page after another, at the same pace however long they take."""
    await asyncio.sleep(rng.uniform(0, every_s))
    due = time.monotonic()
    while True:
        kind = rng.choice([kind for kind, links in seen.links.items() if links] or ["ranking"])
        path = rng.choice(seen.links[kind]) if kind in seen.links else "/"
        began = time.perf_counter()
        status, body = await _fetch(address, path)
        seen.add(Page(kind, status, 1e3 * (time.perf_counter() - began)), body)
        due += every_s
        await asyncio.sleep(max(0.0, due - time.monotonic()))


async def _listen(address: str, seen: Reading) -> None:
    """Follow the latest tournament live, and come again when that ends, as a browser does."""
    while True:
        if tournaments := seen.links.get("tournament"):
            async with _asked(address, f"{tournaments[-1]}/live") as answer:
                async for line in answer:
                    seen.events += line.startswith(b"event: now")
        await asyncio.sleep(1.0)


async def _fetch(address: str, path: str) -> tuple[int, str]:
    async with _asked(address, path) as answer:
        head, _, body = (await answer.read()).partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode(errors="replace")


@asynccontextmanager
async def _asked(address: str, path: str) -> AsyncIterator[asyncio.StreamReader]:
    """The answer to a request, byte for byte: readers shall take little of the time that is measured."""
    place = urlsplit(address)
    answer, asking = await asyncio.open_connection(place.hostname, place.port, limit=2**20)
    try:
        asking.write(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nConnection: close\r\n\r\n".encode())
        yield answer
    finally:
        asking.close()
        with suppress(OSError):
            await asking.wait_closed()
