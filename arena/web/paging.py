"""Pages of long listings. What grows is cut by key, so that the last page costs what the first does; a ranking, which
is read as a whole anyway, is cut by number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows of a listing; `following` is the key that the next page begins after, None on the last one."""

    rows: Sequence[Row]
    following: int | None


def page_by_key(read: Callable[[int], Sequence[Row]], size: int, key: Callable[[Row], int]) -> Page[Row]:
    """A page of at most `size` rows; `read` gets how many to read: one more, which tells whether others follow."""
    rows = read(size + 1)
    return Page(rows[:size], key(rows[size - 1]) if len(rows) > size else None)


@dataclass(frozen=True)
class Slice(Generic[Row]):
    """The `number`th (from 1) of `count` pages of a whole list, and how many rows stand before it."""

    rows: Sequence[Row]
    number: int
    count: int
    before: int


def slice_of(rows: Sequence[Row], number: int, size: int) -> Slice[Row]:
    """The page with this number, or the nearest one that there is."""
    count = max(1, -(-len(rows) // size))
    number = min(max(number, 1), count)
    before = (number - 1) * size
    return Slice(rows[before : before + size], number, count, before)
