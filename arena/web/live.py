"""Pages that move: one reader of the database for all who follow a tournament, with a text for each of their
languages."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, TypeAlias

from starlette.concurrency import run_in_threadpool

from arena.store.errors import StoreError

LOOK_EVERY_S = 1.0

MOST_SHARE = 0.05
"""Of a core at most so much goes into looking, whatever a look costs."""

MOST_FOLLOWERS = 200
"""More are told to come back later: every one of them holds a connection, and others want to read, too."""


class Seen(NamedTuple):
    """What a look brought; `is_over`: nothing will move any more."""

    now: object
    is_over: bool


Tell: TypeAlias = Callable[[object], str]
"""Puts what was seen into words of one language."""


@dataclass(eq=False)
class _Followed:
    """What several follow. `texts` has, by language, the number of the look that changed it last and the text."""

    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    tells: dict[str, Tell] = field(default_factory=dict)
    texts: dict[str, tuple[int, str]] = field(default_factory=dict)
    followers: int = 0
    looks: int = 0
    is_over: bool = False
    looking: asyncio.Task[None] | None = None

    def has_news(self, language: str, last: int) -> bool:
        """Whether there is another text than the one of look `last`, or the end."""
        return self.is_over or (language in self.texts and self.texts[language][0] > last)

    def hear(self, told: Mapping[str, str]) -> None:
        """Take in what was told after another look."""
        self.looks += 1
        for language, text in told.items():
            if language not in self.texts or self.texts[language][1] != text:
                self.texts[language] = (self.looks, text)


class Live:
    """Follows whatever has a name; `look` is called in a thread, seldom, and for all followers at once."""

    def __init__(
        self, look: Callable[[str], Seen], *, every_s: float = LOOK_EVERY_S, most_followers: int = MOST_FOLLOWERS
    ) -> None:
        self._look = look
        self._every_s = every_s
        self._most = most_followers
        self._followed: dict[str, _Followed] = {}

    @property
    def followers(self) -> int:
        """How many follow something just now."""
        return sum(one.followers for one in self._followed.values())

    @property
    def is_full(self) -> bool:
        """Whether nobody else can follow just now."""
        return self.followers >= self._most

    async def follow(self, name: str, language: str, tell: Tell) -> AsyncIterator[str]:
        """The texts of what is seen in a language, the current one first; ends when nothing moves any more.

        All followers in a language get what the first one's `tell` says. It ends early when the store fails.
        """
        followed = self._followed.get(name)
        if followed is None:
            followed = self._followed[name] = _Followed()
            followed.looking = asyncio.create_task(self._keep_looking(name, followed))
        followed.tells.setdefault(language, tell)
        followed.followers += 1
        last = 0
        try:
            while not followed.is_over:
                async with followed.changed:
                    await followed.changed.wait_for(partial(followed.has_news, language, last))
                told = followed.texts.get(language)
                if told is not None and told[0] > last:
                    last = told[0]
                    yield told[1]
        finally:
            followed.followers -= 1
            if not followed.followers and followed.looking is not None:
                followed.looking.cancel()
                self._forget(name, followed)

    async def _keep_looking(self, name: str, followed: _Followed) -> None:
        """Look and tell until nothing moves any more, or nobody follows; whatever happens, nobody is left waiting."""
        try:
            with suppress(StoreError):
                while not followed.is_over:
                    seen, told, cost_s = await run_in_threadpool(self._tell_all, name, dict(followed.tells))
                    async with followed.changed:
                        followed.hear(told)
                        followed.is_over = seen.is_over and told.keys() >= followed.tells.keys()
                        followed.changed.notify_all()
                    await asyncio.sleep(max(self._every_s, cost_s / MOST_SHARE))
        finally:
            followed.is_over = True
            self._forget(name, followed)
            async with followed.changed:
                followed.changed.notify_all()

    def _tell_all(self, name: str, tells: dict[str, Tell]) -> tuple[Seen, dict[str, str], float]:
        """What is seen, told in all languages, and the seconds of a core that it took."""
        began = time.thread_time()
        seen = self._look(name)
        told = {language: tell(seen.now) for language, tell in tells.items()}
        return seen, told, time.thread_time() - began

    def _forget(self, name: str, followed: _Followed) -> None:
        """Who comes next begins anew."""
        if self._followed.get(name) is followed:
            del self._followed[name]
