"""Listings in parts: each operation says how many rows it gives at once, and by what they are sorted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from fastapi import Depends, Query, Request

from arena.web.cursors import LONGEST, Key, read_cursor, write_cursor

Row = TypeVar("Row")


@dataclass(frozen=True)
class Cut(Generic[Row]):
    """The rows of a part, and the cursor of the next one, None in the last part."""

    rows: Sequence[Row]
    following: str | None


@dataclass(frozen=True)
class Part:
    """Which part of a listing is wanted: at most `limit` rows, those behind the cursor `after`."""

    limit: int
    after: str | None
    listing: str

    def begins(self, like: Key) -> Key | None:
        """The key behind which it begins, None for the first part; raises as `read_cursor` does."""
        return None if self.after is None else read_cursor(self.after, like, self.listing)

    def cut(self, rows: Sequence[Row], key: Callable[[Row], Key]) -> Cut[Row]:
        """Of as many rows and one more, which tells whether others follow: those of this part."""
        if len(rows) <= self.limit:
            return Cut(rows, None)
        return Cut(rows[: self.limit], write_cursor(key(rows[self.limit - 1]), self.listing))

    def of(self, rows: Sequence[Row]) -> Cut[Row]:
        """The part of a listing that is there as a whole anyway; the key is how many rows stand before it."""
        (before,) = self.begins((0,)) or (0,)
        assert isinstance(before, int)
        end = before + self.limit
        return Cut(rows[before:end], write_cursor((end,), self.listing) if end < len(rows) else None)


def parts(usual: int, most: int) -> Any:
    """The dependency of an operation that gives at most `most` rows at once."""

    async def part_of(
        request: Request,
        limit: int = Query(usual, ge=1, le=most, description="At most so many rows."),
        cursor: str | None = Query(
            None, max_length=LONGEST, description="The `next` of the part before; without one the first part."
        ),
    ) -> Part:
        filters = [(name, value) for name, value in request.query_params.multi_items() if name not in _OWN]
        return Part(limit, cursor, f"{request.url.path}?{urlencode(sorted(filters))}")

    return Depends(part_of)


_OWN = {"limit", "cursor"}
