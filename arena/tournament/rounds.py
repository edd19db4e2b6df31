"""What a format sees of a tournament in progress: rounds of blocks with their results, and nothing of the cards.

A format plans a tournament round by round: each time all blocks of a round are settled it says which lineups meet next,
or that the tournament is over. Most formats need one round only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from arena.rating.counts import MatchResult
from arena.tournament.entries import Entry

Lineup: TypeAlias = tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a format plans for: fixed when the tournament opens, but for `gone`.

    `entries` are sorted as in the entries digest and `seats` is the size of a table. `deals` is the number of blocks
    that a lineup gets each time it is called. `options` are the format's own, checked by it when the tournament opened
    (JSON values by name). `owners` tells the owner of a bot by its digest; bots without one are not in it. `gone` holds
    the digests of bots that were withdrawn since.
    """

    entries: tuple[Entry, ...]
    seats: int
    deals: int
    options: Mapping[str, Any] = field(default_factory=dict)
    owners: Mapping[bytes, str] = field(default_factory=dict)
    gone: frozenset[bytes] = frozenset()


class SettledBlock(NamedTuple):
    """A block that was played, or will not be: then it has no `results`.

    `lineup` holds sorted digests, `number` counts the blocks of that lineup, `results` has one match for each rotation.
    """

    lineup: tuple[bytes, ...]
    number: int
    results: tuple[MatchResult[bytes], ...]


Round: TypeAlias = tuple[SettledBlock, ...]
"""The blocks of one round, in the order of the plan."""
