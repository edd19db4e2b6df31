"""Round robin: everybody meets everybody, at tables that are as balanced as they can be where all are too many."""

from __future__ import annotations

from collections.abc import Sequence

from arena.tournament.formats.base import Format, Rounds, check_options, check_tables, whole_number
from arena.tournament.formats.drawing import MOST_LINEUPS, MOST_WANTED, drawn_lineups, lineups_played
from arena.tournament.rounds import Lineup, Setting


def _check(setting: Setting) -> None:
    check_options(setting, {"lineups"})
    check_tables(setting)
    _wanted(setting)


def _wanted(setting: Setting) -> int | None:
    return whole_number(setting, "lineups", 1, MOST_WANTED)


def _next_lineups(setting: Setting, _rounds: Rounds) -> Sequence[Lineup]:
    return drawn_lineups(setting, setting.entries, setting.seats, _wanted(setting))


def _most_blocks(setting: Setting) -> int:
    return setting.deals * lineups_played(setting, setting.entries, setting.seats, _wanted(setting), MOST_LINEUPS)


ROUND_ROBIN = Format(
    name="round-robin",
    about="everybody meets everybody, as often as everybody else",
    dynamic=False,
    check=_check,
    next_lineups=_next_lineups,
    most_blocks=_most_blocks,
)
