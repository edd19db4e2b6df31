"""Matches as a listing has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.store.archive import ListedMatch, ListedSeat


def match_document(match: ListedMatch) -> dict[str, Any]:
    """A listed match; `key` grows with time."""
    return {
        "id": f"{match.tournament}/{match.block_id.hex()}/{match.rotation}",
        "key": match.id,
        "tournament": match.tournament,
        "block_id": match.block_id.hex(),
        "rotation": match.rotation,
        "digest": match.digest.hex(),
        "deals": match.deals,
        "turns": match.turns,
        "ending": match.ending.value if match.ending else None,
        "seats": [_seat(seat) for seat in match.seats],
    }


def _seat(seat: ListedSeat) -> dict[str, Any]:
    return {
        "bot": seat.bot.name,
        "version": seat.bot.version,
        "digest": seat.bot.digest.hex(),
        "place": seat.place,
        "points": seat.points,
        "faults": seat.faults,
        "forfeited": seat.forfeited,
    }
