"""What a format is, and how it reads and checks its options; nothing here knows a particular format."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TypeAlias

from arena.rating.notes import Note
from arena.tournament.entries import Entry
from arena.tournament.rounds import Lineup, Round, Setting

MOST_BLOCKS = 1_000_000
"""No option asks for more blocks, lineups or rounds."""


class PlanError(ValueError):
    """A plan that cannot be made; the message says what is asked, why not, and what to do."""


Rounds: TypeAlias = Sequence[Round]


def nothing_to_tell(_setting: Setting, _rounds: Rounds) -> Note | None:
    """What a format tells whose ranking says it all."""
    return None


@dataclass(frozen=True, slots=True)
class Format:
    """A way to make a tournament, as pure functions of what was settled.

    `about` is one line for people. `dynamic`: later rounds depend on results; otherwise the first round is the whole
    plan. `check` raises PlanError for a setting that it cannot plan for. `next_lineups` gives the lineups of the next
    round, () when the tournament is over; a lineup that stands there twice gets twice `setting.deals` blocks.
    `most_blocks` is an upper bound for the whole tournament, exact where the format is not dynamic. `tell` puts into
    one line what the rounds so far tell in the format's own terms, None where the ranking says it all.
    """

    name: str
    about: str
    dynamic: bool
    check: Callable[[Setting], None]
    next_lineups: Callable[[Setting, Rounds], Sequence[Lineup]]
    most_blocks: Callable[[Setting], int]
    tell: Callable[[Setting, Rounds], Note | None] = nothing_to_tell

    def closing(self, setting: Setting, rounds: Rounds) -> str:
        """What `tell` has to say, in English, as the commands print it; "" for nothing."""
        told = self.tell(setting, rounds)
        return "" if told is None else told.told()


def check_options(setting: Setting, known: Collection[str]) -> None:
    """PlanError when an option is not one of those `known`."""
    for name in sorted(setting.options):
        if name not in known:
            choice = f"choose of: {', '.join(sorted(known))}" if known else "leave it out"
            raise PlanError(f"this format has no option {name!r}: {choice}")


def whole_number(setting: Setting, name: str, least: int, most: int = MOST_BLOCKS) -> int | None:
    """An option that is a whole number from `least` to `most`, None where it is not given; PlanError for others."""
    value = setting.options.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise PlanError(f"{name} is a whole number from {least} to {most}, not {value!r}")
    return value


def finite_number(setting: Setting, name: str, default: float) -> float:
    """An option that is a finite number, `default` where it is not given; PlanError for others."""
    value = setting.options.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise PlanError(f"{name} is a finite number, not {value!r}")
    return float(value)


def owner_numbers(setting: Setting, entries: Sequence[Entry]) -> list[int]:
    """A number for the owner of each entry: two of one owner, and one bot that entered twice, never share a table."""
    owners = [setting.owners.get(entry.digest, entry.digest) for entry in entries]
    number = {owner: index for index, owner in enumerate(dict.fromkeys(owners))}
    return [number[owner] for owner in owners]


def check_tables(setting: Setting) -> None:
    """PlanError when not even one table can be filled with different bots, each of another owner."""
    bots, seats = len({entry.digest for entry in setting.entries}), setting.seats
    if bots < seats:
        raise PlanError(
            f"a table has {seats} seats, but only {bots} bots entered: enter {seats - bots} more "
            f"or choose smaller tables"
        )
    owners = len(set(owner_numbers(setting, setting.entries)))
    if owners < seats:
        raise PlanError(
            f"a table has {seats} seats and never two bots of one owner, but the {bots} bots have {owners} owners: "
            f"enter bots of {seats - owners} more or choose smaller tables"
        )
