"""Which lineups meet where nothing depends on results: all of them, or some in balance where all are too many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from arena.tournament.entries import Entry, entries_digest
from arena.tournament.formats.balance import balanced_tables
from arena.tournament.formats.base import owner_numbers
from arena.tournament.rounds import Lineup, Setting

MOST_LINEUPS = 2_000
"""All lineups are played up to this number; beyond it some, in balance."""

MOST_WANTED = 100_000
"""The most lineups that can be asked for."""


def count_lineups(setting: Setting, entries: Sequence[Entry], seats: int) -> int:
    """How many lineups there are without a bot, or an owner, in two seats."""
    ways = [1] + [0] * seats
    for bots in _by_owner(setting, entries):
        ways = [1] + [ways[size] + len(bots) * ways[size - 1] for size in range(1, seats + 1)]
    return ways[seats]


def lineups_played(setting: Setting, entries: Sequence[Entry], seats: int, wanted: int | None, most: int) -> int:
    """How many lineups `drawn_lineups` draws."""
    total = count_lineups(setting, entries, seats)
    return wanted or (total if total <= most else max(most, len(entries)))


def drawn_lineups(
    setting: Setting, entries: Sequence[Entry], seats: int, wanted: int | None, most: int = MOST_LINEUPS
) -> list[Lineup]:
    """The lineups of `seats` of the `entries` that are played, `wanted` of them or as many as make sense.

    All lineups as often as they fit, the rest in balance; without a wish all if they are not more than `most`, else so
    many, and always enough for every entry. The entries' digest is the seed.
    """
    total = count_lineups(setting, entries, seats)
    whole, rest = divmod(lineups_played(setting, entries, seats, wanted, most), total)
    lineups = [*_all_lineups(setting, entries, seats)] * whole if whole else []
    if rest:
        tables = balanced_tables(owner_numbers(setting, entries), seats, rest, entries_digest(entries))
        lineups += [tuple(entries[bot] for bot in table) for table in tables.tolist()]
    return lineups


def _all_lineups(setting: Setting, entries: Sequence[Entry], seats: int) -> Iterator[Lineup]:
    for owners in combinations(_by_owner(setting, entries), seats):
        yield from product(*owners)


def _by_owner(setting: Setting, entries: Sequence[Entry]) -> list[list[Entry]]:
    bots: dict[int, list[Entry]] = {}
    for owner, entry in zip(owner_numbers(setting, entries), entries, strict=True):
        bots.setdefault(owner, []).append(entry)
    return [*bots.values()]
