"""Tournaments as a listing has them, and all that was fixed when one opened."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from arena.tournament.blocks import commitment
from arena.tournament.entries import entries_digest
from arena.tournament.ports import BlockState

if TYPE_CHECKING:
    from arena.store.course import Course
    from arena.store.overview import Overview, Progress
    from arena.store.repository import EntryState, MissingBlock, StoredTournament


def tournament_document(stored: StoredTournament) -> dict[str, Any]:
    """What a listing says of a tournament."""
    opened = stored.tournament
    return {
        "id": opened.id,
        "name": opened.name,
        "format": opened.format,
        "seats": opened.seats,
        "deals": opened.deals,
        "bots": len(opened.entries),
        "opened": opened.opened.isoformat(),
        "finished": _iso(stored.finished),
        "blocks": {state.value: count for state, count in stored.blocks.items()},
        "sandbox": opened.sandbox,
    }


def overview_document(seen: Overview) -> dict[str, Any]:
    """The same of a tournament of which only that was read."""
    plain = {field: getattr(seen, field) for field in ("id", "name", "format", "seats", "deals", "bots", "sandbox")}
    moments = {"opened": seen.opened.isoformat(), "finished": _iso(seen.finished)}
    return plain | moments | {"blocks": blocks_document(seen.progress)}


def blocks_document(progress: Progress) -> dict[str, int]:
    """How many blocks stand in each state."""
    return {
        BlockState.TODO.value: progress.todo,
        BlockState.RUNNING.value: progress.running,
        BlockState.DONE.value: progress.done,
        BlockState.QUARANTINED.value: progress.given_up,
        BlockState.WITHDRAWN.value: progress.withdrawn,
    }


def whole_tournament_document(
    stored: StoredTournament, entries: Iterable[EntryState], missing: Iterable[MissingBlock], went: Course | None
) -> dict[str, Any]:
    """All that is told of one tournament; the secret is in it only when it is finished.

    Of the blocks that are `missing` those that were given up are told. `went`: see `arena.store.course`.
    """
    opened = stored.tournament
    given_up = [block for block in missing if block.state is BlockState.QUARANTINED]
    return tournament_document(stored) | {
        "commitment": commitment(opened.secret).hex(),
        "secret": opened.secret.hex() if stored.finished else None,
        "beacon": opened.beacon,
        "beacon_text": opened.beacon_text,
        "entries_digest": entries_digest(opened.entries).hex(),
        "options": dict(opened.options),
        "variant": opened.variant.as_dict(),
        "limits": opened.limits.as_dict(),
        "entries": [entry_document(state) for state in entries],
        "quarantined": [{"id": block.block.block_id.hex(), "reason": block.reason} for block in given_up],
        "rounds": None if went is None else went.rounds,
        "closing": "" if went is None else went.closing,
    }


def entry_document(state: EntryState) -> dict[str, Any]:
    """An entry and how it fared."""
    return {
        "id": state.entry.digest.hex(),
        "bot": state.entry.name,
        "version": state.entry.version,
        "remote": state.entry.remote,
        "withdrawn": state.withdrawn,
        "voids": state.voids,
    }


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
