"""Formats: from the entries to the plan, the ordered list of blocks that a tournament plays.

A format says which lineups meet; the rest is the same for all of them. Equal entries give an equal plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations
from math import comb
from types import MappingProxyType

from arena.game.variant import Variant, check_variant
from arena.match.limits import Limits
from arena.tournament.blocks import block_id
from arena.tournament.entries import Entry, entries_digest, sort_entries
from arena.tournament.ports import PlannedBlock

MOST_LINEUPS = 2_000
"""A round robin plays all lineups up to this number; beyond it draws some that let every entry play equally often."""

Lineup = tuple[Entry, ...]


class PlanError(ValueError):
    """A plan that cannot be made; the message says what is asked, why not, and what to do."""


def round_robin(entries: Sequence[Entry], seats: int) -> Iterator[Lineup]:
    """Every lineup of `seats` entries once; when they are more than `MOST_LINEUPS`, a balanced draw of them."""
    if comb(len(entries), seats) <= MOST_LINEUPS:
        return combinations(entries, seats)
    return balanced_draw(entries, seats, max(MOST_LINEUPS, len(entries)))


def balanced_draw(entries: Sequence[Entry], seats: int, lineups: int) -> Iterator[Lineup]:
    """Random lineups in which the entries' appearances differ by one at most; the entries' digest is the seed.

    The entries are put into a random order, round after round, and seated in it. Where a round ends within a lineup,
    the next round fills it up with its first entries that are not in it yet. A lineup may be drawn twice.
    """
    seed = entries_digest(entries)
    waiting: list[int] = []
    rounds = 0
    for _ in range(lineups):
        if len(waiting) >= seats:
            lineup, waiting = waiting[:seats], waiting[seats:]
        else:
            fresh = _random_order(len(entries), seed, rounds)
            rounds += 1
            rest = [place for place in fresh if place not in waiting][: seats - len(waiting)]
            lineup, waiting = waiting + rest, [place for place in fresh if place not in rest]
        yield tuple(entries[place] for place in lineup)


def _random_order(size: int, seed: bytes, number: int) -> list[int]:
    """0 … size - 1 by the digests that the seed gives to them: an order of its own for each number."""
    return sorted(
        range(size), key=lambda place: sha256(b"least-score/v1/lineups/%d/%d/" % (number, place) + seed).digest()
    )


FORMATS: Mapping[str, Callable[[Sequence[Entry], int], Iterator[Lineup]]] = MappingProxyType(
    {"round-robin": round_robin}
)
"""The formats by name: from the sorted entries and the number of seats to the lineups in the order of play."""


def plan(
    format_name: str, entries: Sequence[Entry], seats: int, deals: int, variant: Variant, limits: Limits
) -> tuple[PlannedBlock, ...]:
    """The blocks of a tournament in the order of play, `deals` for each lineup, those of a lineup side by side.

    Blocks of a lineup are numbered from 0. Lineups that hold the same bots, because one entered twice or was drawn
    again, are one lineup with more blocks, so no two blocks have one id. Raises PlanError, and VariantError for rules
    that this number of seats cannot play by.
    """
    check_variant(variant, seats)
    if format_name not in FORMATS:
        raise PlanError(f"there is no format {format_name!r}; choose one of: {', '.join(sorted(FORMATS))}")
    if deals < 1:
        raise PlanError(f"{deals} deals a lineup were asked for, but a plan needs at least 1")
    if len(entries) < seats:
        raise PlanError(
            f"a table has {seats} seats, but only {len(entries)} bots entered: enter {seats - len(entries)} more "
            f"or choose smaller tables"
        )
    times = Counter(
        tuple(sorted(entry.digest for entry in lineup)) for lineup in FORMATS[format_name](sort_entries(entries), seats)
    )
    return tuple(
        PlannedBlock(block_id(number, lineup, variant, limits), number, lineup)
        for lineup, count in times.items()
        for number in range(count * deals)
    )
