"""From stored matches to records and to the lines of an export."""

from __future__ import annotations

from typing import Any

from arena.match.record import MatchRecord
from arena.store.archive import StoredMatch
from arena.store.errors import RecordError
from arena.store.repository import StoredTournament
from arena.tournament.export import export_line, match_json
from arena.wire.codec import Undecodable, decode_record, unpack_record


def address(match: StoredMatch) -> str:
    """The whole address of a match: `<tournament>/<block id>/<rotation>`."""
    return f"{match.tournament}/{match.block.block_id.hex()}/{match.rotation}"


def record_bytes(match: StoredMatch) -> bytes:
    """The serialised `MatchRecord` of a stored match (see `proto/arena/v1/record.proto`); RecordError when damaged."""
    try:
        return unpack_record(match.record)
    except Undecodable as error:
        raise _damaged(match, error) from error


def read_record(match: StoredMatch) -> MatchRecord:
    """The record of a stored match; RecordError when it is damaged."""
    try:
        return decode_record(record_bytes(match))
    except Undecodable as error:
        raise _damaged(match, error) from error


def match_export(match: StoredMatch, stored: StoredTournament) -> dict[str, Any]:
    """A stored match as the export has it; the secret is in it only when its tournament is finished."""
    revealed = stored.finished is not None
    return match_json(read_record(match), stored.tournament, match.block.number, match.attempt, reveal_secret=revealed)


def match_line(match: StoredMatch, stored: StoredTournament) -> str:
    """A stored match as a line of an export."""
    return export_line(match_export(match, stored))


def _damaged(match: StoredMatch, error: Undecodable) -> RecordError:
    return RecordError(f"the record of match {address(match)} is damaged ({error}): restore a backup")
