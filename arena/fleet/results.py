"""From the record of a match to what a store counts."""

from __future__ import annotations

from arena.game.events import DealEnd
from arena.match.record import MatchRecord
from arena.tournament.ports import MatchResult, SeatResult
from arena.wire.codec import encode_record, match_digest, pack_record


def match_result(record: MatchRecord) -> MatchResult:
    """The packed record with its digest, and the counts that aggregates are made of."""
    turns = list(record.turns())
    faults = [0] * len(record.seats)
    forfeited = [False] * len(record.seats)
    for turn in turns:
        faults[turn.seat] += turn.fault is not None
        forfeited[turn.seat] |= turn.action is None
    encoded = encode_record(record)
    return MatchResult(
        rotation=record.rotation,
        digest=match_digest(encoded.play),
        record=pack_record(encoded.record),
        deals=sum(deal.end is not DealEnd.FORFEIT for deal in record.deals),
        turns=len(turns),
        seats=tuple(
            SeatResult(*row) for row in zip(record.seats, record.places, record.points, faults, forfeited, strict=True)
        ),
    )
