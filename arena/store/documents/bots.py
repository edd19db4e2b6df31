"""Bots with what they played, and what happened to them beside their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.store.bots import Participation
    from arena.store.events import LoggedEvent
    from arena.store.known import KnownBot


def bot_document(known: KnownBot) -> dict[str, Any]:
    """One version of a bot with its sums over all tournaments."""
    bot, entered, submission = known
    matches, faults, fault_matches = (
        sum(getattr(one, field) for one in entered) for field in ("matches", "faults", "fault_matches")
    )
    return {
        "id": bot.digest.hex(),
        "name": bot.name,
        "version": bot.version,
        "remote": bot.remote,
        "address": submission.address or None if submission else None,
        "owner": submission.owner if submission else None,
        "submitted": submission.submitted.isoformat() if submission else None,
        "retired": submission.retired.isoformat() if submission and submission.retired else None,
        "tournaments": len(entered),
        "matches": matches,
        "faults": faults,
        "fault_matches": fault_matches,
        "fault_share": fault_matches / matches if matches else None,
        "withdrawn": [one.tournament for one in entered if one.withdrawn is not None],
    }


def whole_bot_document(known: KnownBot, recent_forfeits: int) -> dict[str, Any]:
    """One version of a bot and how it fared in each tournament."""
    fared = [_fared(one) for one in known.entered]
    return bot_document(known) | {"recent_forfeits": recent_forfeits, "fared": fared}


def _fared(one: Participation) -> dict[str, Any]:
    return {
        "id": one.tournament,
        "name": one.name,
        "opened": one.opened.isoformat(),
        "finished": one.finished.isoformat() if one.finished else None,
        "origin": one.origin,
        "matches": one.matches,
        "mean_place": one.place_sum / one.seats if one.seats else None,
        "faults": one.faults,
        "fault_matches": one.fault_matches,
        "fault_share": one.fault_matches / one.matches if one.matches else None,
        "voids": one.voids,
        "withdrawn": one.withdrawn,
    }


def event_document(event: LoggedEvent) -> dict[str, Any]:
    """An entry of the log; `match` is the address of the match in which it happened, if it was a single one."""
    return {
        "at": event.at.isoformat(),
        "id": event.bot.digest.hex(),
        "bot": event.bot.name,
        "version": event.bot.version,
        "tournament": event.tournament,
        "event": event.kind,
        "fault": event.fault or None,
        "reason": event.reason,
        "match": _match(event),
        "block_id": event.block_id.hex() if event.block_id is not None else None,
        "rotation": event.rotation,
        "turn": event.turn,
        "output": list(event.output),
    }


def _match(event: LoggedEvent) -> str | None:
    if event.block_id is None or event.rotation is None:
        return None
    return f"{event.tournament}/{event.block_id.hex()}/{event.rotation}"
