"""Tables that are sorted by the links in their heads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

Row = TypeVar("Row")

DOWN = "-"
"""Before the name of a column: from the greatest to the least."""


@dataclass(frozen=True)
class Sort:
    """By which column a table is sorted, and how its heads lead to others; `first` sorts as nothing asked for does."""

    column: str
    descending: bool
    link: Callable[[str], str]


def read_sort(asked: str, falling: Iterable[str], first: str, address: Callable[[str | None], str]) -> Sort:
    """Understand `name` or `-name` of an address.

    A click on a head sorts by it: downwards first for the columns in `falling`, and the other way round when it is
    sorted by already. `address` makes the address of a sorting, of the first one for None.
    """
    column, descending = asked.removeprefix(DOWN), asked.startswith(DOWN)
    down = frozenset(falling)

    def link(to: str) -> str:
        turned = not descending if to == column else to in down
        wanted = f"{DOWN if turned else ''}{to}"
        return address(None if wanted == first else wanted)

    return Sort(column, descending, link)


def sort_rows(
    rows: Collection[Row], key: Callable[[Row], SupportsRichComparison | None], *, descending: bool
) -> list[Row]:
    """Sort stably; what has no value stands last, whichever way."""
    known = [(value, row) for row in rows if (value := key(row)) is not None]
    unknown = [row for row in rows if key(row) is None]
    return [row for _, row in sorted(known, key=lambda pair: pair[0], reverse=descending)] + unknown
