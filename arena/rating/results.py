"""The results of one rating list as columns, one row a seat: what all statistics that need more than sums start from.

Rows are brought into one canonical order, so that no number depends on the order in which results came in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arena.rating.counts import BotKey, MatchResult
from arena.rating.errors import BadResultsError
from arena.rating.likelihood import Floats, Indices, sums

Bools = NDArray[np.bool_]
BlockKey = bytes | str | int

_ROWS_AT_ONCE = 1 << 18
_CELLS_AT_ONCE = 1 << 24  # a block of n rows may need matrices of n × n


@dataclass(frozen=True, slots=True)
class Block(Generic[BotKey]):
    """All matches of one lineup on one deal seed, the unit of inference; `key` is unique in its list."""

    key: BlockKey
    matches: tuple[MatchResult[BotKey], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Results(Generic[BotKey]):
    """Complete blocks, seat by seat; make one by `from_blocks` or `from_columns`, which check and sort.

    `bots` are sorted, also those that never sat; `keys` are the blocks' keys, sorted. The columns run over seats, in
    the order of block, match and seat: `block`, `match` and `bot` count from 0 (`match` through the whole list),
    `seat` is the number at the table from 0, `place` is 1 for the best. `lead`: points a deal by which the mean of
    the other seats exceeds the seat's own (above 0 is better), None unless every match has points.
    """

    bots: tuple[BotKey, ...]
    keys: tuple[BlockKey, ...]
    block: Indices
    match: Indices
    seat: Indices
    bot: Indices
    place: Indices
    faulted: Bools
    lead: Floats | None

    @classmethod
    def from_blocks(cls, blocks: Iterable[Block[BotKey]], bots: Iterable[BotKey] = ()) -> Results[BotKey]:
        """Gather blocks given in any order, their matches too; `bots` adds such that may not have played.

        Raises BadResultsError for a block given twice or without a match.
        """
        ordered = sorted(blocks, key=lambda block: block.key)
        matches = [
            (number, match) for number, block in enumerate(ordered) for match in sorted(block.matches, key=_content)
        ]
        names = sorted(set(bots).union(*(match.seats for _, match in matches)))
        position = {bot: index for index, bot in enumerate(names)}
        sizes = [len(match.seats) for _, match in matches]
        known = bool(matches) and all(match.points for _, match in matches)
        return cls.from_columns(
            names,
            [block.key for block in ordered],
            block=np.repeat(np.array([number for number, _ in matches], dtype=np.intp), sizes),
            match=np.repeat(np.arange(len(matches)), sizes),
            seat=[seat for size in sizes for seat in range(size)],
            bot=[position[bot] for _, match in matches for bot in match.seats],
            place=[place for _, match in matches for place in match.places],
            faulted=[fault for _, match in matches for fault in match.faulted],
            points=[points for _, match in matches for points in match.points] if known else None,
            deals=np.repeat([match.deals for _, match in matches], sizes) if known else None,
        )

    @classmethod
    def from_columns(
        cls,
        bots: Sequence[BotKey],
        keys: Sequence[BlockKey],
        *,
        block: ArrayLike,
        match: ArrayLike,
        seat: ArrayLike,
        bot: ArrayLike,
        place: ArrayLike,
        faulted: ArrayLike,
        points: ArrayLike | None = None,
        deals: ArrayLike | None = None,
    ) -> Results[BotKey]:
        """Take one row a seat, in any order; quickest when sorted by the block's key, match and seat.

        `block` and `bot` are indices into `keys` and `bots`; `match` is any number that tells the matches of a block
        apart and orders them (its rotation). `points` and `deals` (the match's, repeated in each row) belong together.
        Raises BadResultsError when a bot or block is named twice, an index leads nowhere, a block has no match or a
        match less than 2 seats.
        """
        columns = {
            name: np.asarray(column, dtype=np.intp)
            for name, column in {"block": block, "match": match, "seat": seat, "bot": bot, "place": place}.items()
        }
        _check_columns(len(set(bots)) == len(bots), keys, columns, len(bots))
        columns["block"] = _ranks(keys)[columns["block"]]
        columns["bot"] = _ranks(bots)[columns["bot"]]
        order = _canonical_order(columns)
        columns = {name: column[order] for name, column in columns.items()}
        columns["match"] = _numbered(columns["block"], columns["match"])
        if np.any(np.bincount(columns["match"]) < 2):
            raise BadResultsError("a match needs at least 2 seats")
        lead = None
        if points is not None and deals is not None:
            lead = _lead(
                columns["match"],
                np.asarray(points, dtype=np.float64)[order],
                np.asarray(deals, dtype=np.float64)[order],
            )
        flags = np.asarray(faulted, dtype=np.bool_)[order]
        return cls(tuple(sorted(bots)), tuple(sorted(keys)), **columns, faulted=flags, lead=lead)

    @property
    def matches(self) -> int:
        """How many matches there are."""
        return int(self.match[-1]) + 1 if self.match.size else 0

    def clean_blocks(self) -> Bools:
        """Tell of each block whether no seat of any of its matches committed a fault."""
        return np.asarray(np.bincount(self.block[self.faulted], minlength=len(self.keys)) == 0)

    def select(self, chosen: Bools) -> Results[BotKey]:
        """Keep only the `chosen` blocks (one flag a block), and all bots."""
        rows = chosen[self.block]
        return Results(
            bots=self.bots,
            keys=tuple(key for key, kept in zip(self.keys, chosen.tolist(), strict=True) if kept),
            block=(np.cumsum(chosen) - 1)[self.block[rows]],
            match=_numbered(self.match[rows], self.match[rows]),
            seat=self.seat[rows],
            bot=self.bot[rows],
            place=self.place[rows],
            faulted=self.faulted[rows],
            lead=None if self.lead is None else self.lead[rows],
        )

    def clean(self) -> Results[BotKey]:
        """Leave out whole blocks in which a seat committed a fault."""
        return self.select(self.clean_blocks())

    def by_match(self) -> Results[BotKey]:
        """Make every match a block of its own, as if no two matches shared their deals."""
        return replace(self, keys=tuple(range(self.matches)), block=self.match)

    def slices(self) -> Iterator[slice]:
        """Cut the rows into pieces of whole blocks, small enough to work on at once."""
        sizes = np.bincount(self.block, minlength=len(self.keys))
        ends, load = np.cumsum(sizes), np.cumsum(np.maximum(sizes / _ROWS_AT_ONCE, sizes**2 / _CELLS_AT_ONCE))
        block, row, carried = 0, 0, 0.0
        while block < sizes.size:
            block = max(block + 1, int(np.searchsorted(load, carried + 1.0, side="right")))
            yield slice(row, int(ends[block - 1]))
            row, carried = int(ends[block - 1]), float(load[block - 1])


def _content(match: MatchResult[Any]) -> tuple[Any, ...]:
    """What orders the matches of a block that carry no number; matches with the same content may change places."""
    return match.seats, match.places, match.faulted, match.points, match.deals


def _ranks(names: Sequence[Any]) -> Indices:
    """Give for each name its position among the sorted names."""
    order = sorted(range(len(names)), key=lambda index: names[index])
    ranks = np.empty(len(names), dtype=np.intp)
    ranks[order] = np.arange(len(names))
    return ranks


def _check_columns(bots_unique: bool, keys: Sequence[BlockKey], columns: dict[str, Indices], bots: int) -> None:
    if not bots_unique:
        raise BadResultsError("a bot is named twice in one list of results")
    seen: set[BlockKey] = set()
    for key in keys:
        if key in seen:
            raise BadResultsError(f"block {key!r} is given twice; every block counts once")
        seen.add(key)
    if len({column.shape for column in columns.values()}) != 1:
        raise BadResultsError("the columns of results differ in length")
    for name, limit in (("block", len(keys)), ("bot", bots)):
        column = columns[name]
        if column.size and (column.min() < 0 or column.max() >= limit):
            raise BadResultsError(f"a row of results names a {name} that is not in the list")
    if np.any(np.bincount(columns["block"], minlength=len(keys)) == 0):
        raise BadResultsError("a block has no match; only complete blocks count")


def _canonical_order(columns: dict[str, Indices]) -> Indices | slice:
    """Sort by block, match and seat; rows that are so already are left where they are."""
    block, match, seat = columns["block"], columns["match"], columns["seat"]
    later = (block[1:] > block[:-1]) | (
        (block[1:] == block[:-1]) & ((match[1:] > match[:-1]) | ((match[1:] == match[:-1]) & (seat[1:] > seat[:-1])))
    )
    return slice(None) if np.all(later) else np.lexsort((seat, match, block))


def _numbered(block: Indices, match: Indices) -> Indices:
    """Number the matches of sorted rows from 0."""
    new = np.zeros(match.size, dtype=np.intp)
    new[1:] = (block[1:] != block[:-1]) | (match[1:] != match[:-1])
    return np.cumsum(new)


def _lead(match: Indices, points: Floats, deals: Floats) -> Floats:
    """Give (mean of the other seats' points − own points) / deals, row by row; a match without a deal counts as one."""
    others = sums(match, points, match.size)[match] - points
    return (others / (np.bincount(match)[match] - 1) - points) / np.maximum(deals, 1.0)
