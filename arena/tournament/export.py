"""The export: a finished match as one JSON object, the text from which anybody can check it with `verify.py`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from arena.game.actions import Declare
from arena.game.cards import card_name
from arena.match.record import PERSON, DealRecord, MatchRecord, TurnRecord
from arena.tournament.blocks import commitment
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.ports import Tournament

FORMAT = "least-score/match/1"
"""The name of this form of export; it changes when a key does."""

GAME_FORMAT = "least-score/game/1"
"""The name of the form of a game with a person, which is of no tournament and rated by nobody."""


def export_line(match: dict[str, Any]) -> str:
    """One match of an export as one compact line of ASCII, without a line feed."""
    return json.dumps(match, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def match_json(
    record: MatchRecord, tournament: Tournament, number: int, attempt: int, *, reveal_secret: bool
) -> dict[str, Any]:
    """A match as the export shows it, keys in their fixed order.

    `number` and `attempt` are those of its block. `reveal_secret` is for finished tournaments only: while one runs,
    the secret tells the cards of blocks to come.
    """
    entries = sort_entries(tournament.entries)
    block = record.block_id.hex()
    return {
        "format": FORMAT,
        "tournament": tournament.id,
        "match_id": f"{block}/{record.rotation}",
        "block_id": block,
        "block": number,
        "rotation": record.rotation,
        "attempt": attempt,
        "commitment": commitment(tournament.secret).hex(),
        "secret": tournament.secret.hex() if reveal_secret else None,
        "beacon": tournament.beacon_text,
        "entries": [[entry.name, entry.version, entry.digest.hex()] for entry in entries],
        "lineup": [digest.hex() for digest in sorted(record.seats)],
        "seed": record.seed.hex(),
        "sandbox": tournament.sandbox,
        **_rules(record),
        "seats": _seats(record.seats, entries),
        **_course(record),
    }


def game_json(record: MatchRecord, game: str, names: Sequence[str]) -> dict[str, Any]:
    """A game with a person, in the words of the export as far as they fit: all cards follow from its seed alone.

    `names` are those of the bots by seat; where the person sits, bot and digest are null.
    """
    seats = [
        {"bot": None, "digest": None} if digest == PERSON else {"bot": name, "digest": digest.hex()}
        for digest, name in zip(record.seats, names, strict=True)
    ]
    return {
        "format": GAME_FORMAT,
        "game": game,
        "rated": False,
        "commitment": commitment(record.seed).hex(),
        "seed": record.seed.hex(),
        **_rules(record),
        "seats": seats,
        **_course(record),
    }


def _rules(record: MatchRecord) -> dict[str, Any]:
    return {"limits": dict(sorted(record.limits.as_dict().items())), "variant": record.variant.as_dict()}


def _course(record: MatchRecord) -> dict[str, Any]:
    """All that happened, and how it ended."""
    return {
        "deals": [_deal(deal) for deal in record.deals],
        "places": list(record.places),
        "points": list(record.points),
        "ending": record.ending.name,
    }


def _seats(seats: Sequence[bytes], entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """The bots by seat; a digest that entered under two names goes by the first of them."""
    by_digest = {entry.digest: entry for entry in reversed(entries)}
    bots = [by_digest[digest] for digest in seats]
    return [{"bot": bot.name, "version": bot.version, "digest": bot.digest.hex(), "remote": bot.remote} for bot in bots]


def _deal(deal: DealRecord) -> dict[str, Any]:
    return {
        "starter": deal.starter,
        "hands": {seat: _names(hand) for seat, hand in _by_seat(deal.hands).items()},
        "upcard": None if deal.upcard is None else card_name(deal.upcard),
        "turns": [_turn(turn) for turn in deal.turns],
        "end": deal.end.name.lower(),
        "totals": _by_seat(deal.totals),
        "points": _by_seat(deal.points),
    }


def _by_seat(values: Sequence[Any]) -> dict[str, Any]:
    """What seats have, under their decimal numbers; a seat without has no key."""
    return {str(seat): value for seat, value in enumerate(values) if value is not None}


def _names(cards: bytes) -> list[str]:
    return [card_name(card) for card in cards]


def _turn(turn: TurnRecord) -> dict[str, Any]:
    return {"seat": turn.seat, **_action(turn), "micros": turn.micros, "fault": _fault(turn)}


def _action(turn: TurnRecord) -> dict[str, Any]:
    if turn.action is None:
        return {"action": "forfeit"}
    if isinstance(turn.action, Declare):
        return {"action": "declare"}
    if turn.card is None:
        raise ValueError(f"the record is damaged: seat {turn.seat} played, but the card that it got is missing")
    take = "closed" if turn.action.take is None else card_name(turn.action.take)
    return {
        "action": "play",
        "discard": _names(turn.action.discard),
        "take": take,
        "card": card_name(turn.card),
    }


def _fault(turn: TurnRecord) -> dict[str, Any] | None:
    if turn.fault is None:
        return None
    return {"kind": turn.fault.kind.name, "reason": turn.fault.reason, "strike": turn.fault.strike}
