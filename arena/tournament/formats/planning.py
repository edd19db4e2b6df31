"""From a format's lineups to blocks with their identities: the same for every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from arena.game.variant import Variant, check_variant
from arena.match.limits import Limits
from arena.tournament.blocks import block_id
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.formats.base import Format, PlanError
from arena.tournament.formats.registry import FORMATS
from arena.tournament.ports import PlannedBlock
from arena.tournament.rounds import Round, Setting

_NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})
_NO_OWNERS: Mapping[bytes, str] = MappingProxyType({})


def format_named(name: str) -> Format:
    """The format of that name; PlanError with those that exist where there is none."""
    if name not in FORMATS:
        raise PlanError(f"there is no format {name!r}; choose one of: {', '.join(sorted(FORMATS))}")
    return FORMATS[name]


def checked_format(name: str, setting: Setting) -> Format:
    """The format of that name, which can plan for this setting; PlanError says why it cannot."""
    chosen = format_named(name)
    if setting.deals < 1:
        raise PlanError(f"{setting.deals} deals a lineup were asked for, but a plan needs at least 1")
    chosen.check(setting)
    return chosen


class Blocks(Collection[PlannedBlock]):
    """Blocks in the order of play, made as they are looked at: there may be a million, and nobody needs all at once."""

    def __init__(self, shares: Mapping[tuple[bytes, ...], range], variant: Variant, limits: Limits) -> None:
        """`shares` has the numbers of the blocks of each lineup."""
        self._shares = shares
        self._variant = variant
        self._limits = limits

    def __len__(self) -> int:
        return sum(map(len, self._shares.values()))

    def __iter__(self) -> Iterator[PlannedBlock]:
        for lineup, numbers in self._shares.items():
            for number in numbers:
                yield PlannedBlock(block_id(number, lineup, self._variant, self._limits), number, lineup)

    def __contains__(self, block: object) -> bool:
        return any(block == own for own in self)


def next_blocks(
    format_name: str, setting: Setting, rounds: Sequence[Round], variant: Variant, limits: Limits
) -> Blocks:
    """The blocks of the round after the settled `rounds`, in the order of play; none when the tournament is over.

    Blocks of a lineup stand side by side and are numbered on from those that it already has. Lineups that hold the same
    bots, in any order and however often, are one lineup with more blocks, so no two blocks have one id. Raises
    PlanError, and VariantError for rules that this number of seats cannot play by.
    """
    check_variant(variant, setting.seats)
    chosen = checked_format(format_name, setting)
    if rounds and not chosen.dynamic:
        return Blocks({}, variant, limits)
    had = Counter(block.lineup for one in rounds for block in one)
    times = Counter(
        tuple(sorted(entry.digest for entry in lineup)) for lineup in chosen.next_lineups(setting, tuple(rounds))
    )
    shares = {lineup: range(had[lineup], had[lineup] + count * setting.deals) for lineup, count in times.items()}
    return Blocks(shares, variant, limits)


def plan(
    format_name: str,
    entries: Sequence[Entry],
    seats: int,
    deals: int,
    variant: Variant,
    limits: Limits,
    options: Mapping[str, Any] = _NO_OPTIONS,
    owners: Mapping[bytes, str] = _NO_OWNERS,
) -> Blocks:
    """The first round of a tournament, which is all of it where the format is not dynamic; raises as `next_blocks`."""
    setting = Setting(sort_entries(entries), seats, deals, options, owners)
    return next_blocks(format_name, setting, (), variant, limits)
