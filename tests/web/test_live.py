from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest

from arena.store.errors import StoreError
from arena.web.live import Live, Seen
from tests.web.apart import apart


@dataclass
class Clock:
    """Something to look at: it shows 1, 2, 3 … and stays at `last`, which is the end if it `ends`."""

    last: int = 3
    ends: bool = True
    looks: list[str] = field(default_factory=list)

    def look(self, name: str) -> Seen:
        self.looks.append(name)
        now = min(len(self.looks), self.last)
        return Seen(now, is_over=self.ends and now == self.last)


def quick(look: Callable[[str], Seen], most: int = 10) -> Live:
    return Live(look, every_s=0.001, most_followers=most)


def english(now: object) -> str:
    return f"now {now}"


def greek(now: object) -> str:
    return f"τώρα {now}"


async def everything(texts: AsyncIterator[str]) -> list[str]:
    return [text async for text in texts]


def test_a_follower_hears_of_each_change_until_the_end() -> None:
    clock = Clock()
    assert apart(everything(quick(clock.look).follow("cup", "en", english))) == ["now 1", "now 2", "now 3"]
    assert clock.looks == ["cup"] * 3


def test_one_look_serves_all_followers_each_in_their_language() -> None:
    async def follow() -> list[list[str]]:
        live = quick(clock.look)
        both = [*[("en", english)] * 5, *[("el", greek)] * 5]
        return await asyncio.gather(*(everything(live.follow("cup", code, tell)) for code, tell in both))

    clock = Clock()
    heard = apart(follow())
    assert len(clock.looks) == 3
    assert heard[:5] == [["now 1", "now 2", "now 3"]] * 5
    assert heard[5:] == [["τώρα 1", "τώρα 2", "τώρα 3"]] * 5


def test_what_does_not_change_is_not_sent_again() -> None:
    async def follow() -> list[str]:
        texts = quick(clock.look).follow("cup", "en", lambda _: "the same")
        return await everything(texts)

    clock = Clock(last=20)
    assert apart(follow()) == ["the same"]
    assert len(clock.looks) == 20


def test_nobody_looks_any_more_when_the_last_follower_has_left() -> None:
    async def leave() -> int:
        live = quick(clock.look)
        texts = live.follow("cup", "en", english)
        await anext(texts)
        assert len(asyncio.all_tasks()) == 2
        await texts.aclose()  # type: ignore[attr-defined]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not live.is_full
        return len(asyncio.all_tasks())

    clock = Clock(ends=False)
    assert apart(leave()) == 1


def test_there_is_room_for_so_many_followers_only() -> None:
    async def fill() -> list[bool]:
        live = quick(clock.look, most=2)
        texts = [live.follow(name, "en", english) for name in ("cup", "league")]
        full = []
        for one in texts:
            full.append(live.is_full)
            await anext(one)
        full.append(live.is_full)
        for one in texts:
            await one.aclose()  # type: ignore[attr-defined]
        return [*full, live.is_full]

    clock = Clock(ends=False)
    assert apart(fill()) == [False, False, True, False]


def test_followers_are_let_go_when_the_database_fails() -> None:
    def look(_: str) -> Seen:
        raise StoreError("the disk is gone")

    assert apart(everything(quick(look).follow("cup", "en", english))) == []


def test_followers_are_let_go_when_a_look_has_a_mistake() -> None:
    def look(_: str) -> Seen:
        raise ZeroDivisionError

    assert apart(everything(quick(look).follow("cup", "en", english))) == []


@pytest.mark.parametrize("followers", [1, 50])
def test_who_follows_after_the_end_hears_how_it_ended(followers: int) -> None:
    async def follow() -> list[list[str]]:
        live = quick(clock.look)
        await everything(live.follow("cup", "en", english))
        return await asyncio.gather(*(everything(live.follow("cup", "en", english)) for _ in range(followers)))

    clock = Clock()
    assert apart(follow()) == [["now 3"]] * followers
