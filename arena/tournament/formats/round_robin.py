"""Round robin: everybody meets everybody, at tables that are as balanced as they can be where all are too many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from math import comb

from arena.tournament.entries import Entry, entries_digest
from arena.tournament.formats.base import Format, Rounds, check_options, check_tables, whole_number
from arena.tournament.rounds import Lineup, Setting

MOST_LINEUPS = 2_000
"""A round robin plays all lineups up to this number; beyond it draws some that let every entry play equally often."""


def check(setting: Setting) -> None:
    """PlanError for what a round robin cannot do."""
    check_options(setting, {"lineups"})
    check_tables(setting)
    whole_number(setting, "lineups", 1)


def next_lineups(setting: Setting, _rounds: Rounds) -> Sequence[Lineup]:
    """Every lineup once; when they are more than `MOST_LINEUPS`, or as many as asked for, a balanced draw of them."""
    entries, seats = setting.entries, setting.seats
    wanted = whole_number(setting, "lineups", 1)
    if wanted is None and comb(len(entries), seats) <= MOST_LINEUPS:
        return [*combinations(entries, seats)]
    return [*balanced_draw(entries, seats, wanted or max(MOST_LINEUPS, len(entries)))]


def most_blocks(setting: Setting) -> int:
    """The blocks of the plan."""
    return len(next_lineups(setting, ())) * setting.deals


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


ROUND_ROBIN = Format(
    name="round-robin",
    about="everybody meets everybody",
    dynamic=False,
    check=check,
    next_lineups=next_lineups,
    most_blocks=most_blocks,
)
