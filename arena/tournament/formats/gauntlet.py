"""Gauntlet: some challengers meet everybody; the others meet only at a challenger's table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.tournament.entries import Entry
from arena.tournament.formats.base import Format, PlanError, Rounds, check_options, check_tables, whole_number
from arena.tournament.formats.drawing import (
    MOST_LINEUPS,
    MOST_WANTED,
    count_lineups,
    drawn_lineups,
    lineups_played,
)
from arena.tournament.rounds import Lineup, Setting


def _check(setting: Setting) -> None:
    check_options(setting, {"challenger", "lineups"})
    check_tables(setting)
    _wanted(setting)
    for challenger, others in _gauntlets(setting):
        if not count_lineups(setting, others, setting.seats - 1):
            raise PlanError(
                f"{challenger.name} {challenger.version} needs {setting.seats - 1} others at its table, each of "
                "another owner and none a challenger: enter more bots or choose smaller tables"
            )


def _wanted(setting: Setting) -> int | None:
    return whole_number(setting, "lineups", 1, MOST_WANTED)


def _challengers(setting: Setting) -> tuple[Entry, ...]:
    given = setting.options.get("challenger")
    if given is None:
        raise PlanError("a gauntlet needs a challenger: say which bot meets all the others")
    digests = given if isinstance(given, list | tuple) else [given]
    known = {entry.digest.hex(): entry for entry in setting.entries}
    for digest in digests:
        if not isinstance(digest, str) or digest not in known:
            raise PlanError(f"no bot that entered is the challenger {digest!r}: name one that takes part")
    return tuple(known[digest] for digest in dict.fromkeys(digests))


def _gauntlets(setting: Setting) -> Iterator[tuple[Entry, list[Entry]]]:
    """Each challenger with the bots that it can meet."""
    challengers = _challengers(setting)
    for challenger in challengers:
        owner = setting.owners.get(challenger.digest, "")
        yield (
            challenger,
            [
                entry
                for entry in setting.entries
                if entry not in challengers and (not owner or setting.owners.get(entry.digest) != owner)
            ],
        )


def _next_lineups(setting: Setting, _rounds: Rounds) -> Sequence[Lineup]:
    most = _most_lineups(setting)
    return [
        (challenger, *table)
        for challenger, others in _gauntlets(setting)
        for table in drawn_lineups(setting, others, setting.seats - 1, _wanted(setting), most)
    ]


def _most_lineups(setting: Setting) -> int:
    """The most lineups of one challenger."""
    return MOST_LINEUPS // len(_challengers(setting))


def _most_blocks(setting: Setting) -> int:
    most, wanted = _most_lineups(setting), _wanted(setting)
    return setting.deals * sum(
        lineups_played(setting, others, setting.seats - 1, wanted, most) for _, others in _gauntlets(setting)
    )


GAUNTLET = Format(
    name="gauntlet",
    about="a challenger meets everybody; the others meet only at its table",
    dynamic=False,
    check=_check,
    next_lineups=_next_lineups,
    most_blocks=_most_blocks,
)
