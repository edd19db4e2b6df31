"""From stored matches to records and to the lines of an export; shared by the commands that show or check matches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from arena.cli.errors import CommandFailed

if TYPE_CHECKING:
    from arena.match.record import MatchRecord
    from arena.store.archive import StoredMatch
    from arena.store.repository import StoredTournament
    from arena.store.results import Results


def address(match: StoredMatch) -> str:
    """The whole address of a match: `<tournament>/<block id>/<rotation>`."""
    return f"{match.tournament}/{match.block.block_id.hex()}/{match.rotation}"


def read_record(match: StoredMatch) -> MatchRecord:
    """The record of a stored match; CommandFailed when it is damaged."""
    from arena.wire.codec import Undecodable, decode_record, unpack_record

    try:
        return decode_record(unpack_record(match.record))
    except Undecodable as error:
        raise CommandFailed(f"the record of match {address(match)} is damaged ({error}): restore a backup") from error


def match_line(match: StoredMatch, stored: StoredTournament) -> str:
    """A stored match as a line of an export; the secret is in it only when its tournament is finished."""
    from arena.tournament.export import export_line, match_json

    revealed = stored.finished is not None
    document = match_json(
        read_record(match), stored.tournament, match.block.number, match.attempt, reveal_secret=revealed
    )
    return export_line(document)


def tournament_lines(store: Results, stored: StoredTournament) -> Iterator[str]:
    """The export of a tournament, a match a line: finished blocks in plan order; CommandFailed when there are none."""
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
