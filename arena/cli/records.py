"""The lines of a tournament's export, or why there are none; shared by the commands that write and check them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from arena.cli.errors import CommandFailed

if TYPE_CHECKING:
    from arena.store.repository import StoredTournament
    from arena.store.results import Results


def tournament_lines(store: Results, stored: StoredTournament) -> Iterator[str]:
    """The export of a tournament, a match a line: finished blocks in plan order; CommandFailed when there are none."""
    from arena.store.exporting import match_line

    lines = (match_line(match, stored) for match in store.matches.records(stored.tournament.id))
    first = next(lines, None)
    if first is None:
        raise CommandFailed(_nothing_in(stored))
    return chain([first], lines)


def _nothing_in(stored: StoredTournament) -> str:
    """Why there is nothing to export, and what to do."""
    from arena.cli.tournaments import waits_for

    name = stored.tournament.id
    if stored.finished is not None:
        return f"tournament {name} was finished without a block that was played, so there is nothing to export"
    if stored.waiting():
        return f"no block of tournament {name} was played, so there is nothing to export. {waits_for(stored)}"
    return f"no block of tournament {name} is finished yet: play on with `arena tournament resume {name}`"
