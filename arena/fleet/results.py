"""From the record of a match to what a store keeps of it."""

from __future__ import annotations

from arena.match.record import MatchRecord
from arena.tournament.counting import counts_of
from arena.tournament.ports import MatchResult
from arena.wire.codec import encode_record, match_digest, pack_record


def match_result(record: MatchRecord) -> MatchResult:
    """The packed record with its digest, and the counts that aggregates are made of."""
    encoded = encode_record(record)
    return MatchResult(record.rotation, match_digest(encoded.play), pack_record(encoded.record), *counts_of(record))
