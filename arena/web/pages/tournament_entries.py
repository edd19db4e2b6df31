"""`/tournaments/ID/entries`: who entered, as it stands in the digest of the entries, and how they fared."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from arena.tournament.entries import entries_digest
from arena.tournament.planning import grows
from arena.web.paging import slice_of
from arena.web.view import Viewing

router = APIRouter()

ROWS = 100


@router.get("/tournaments/{tournament}/entries", name="tournament_entries")
def tournament_entries(view: Viewing, tournament: str, page: Annotated[int, Query(ge=1, le=10_000)] = 1) -> Response:
    """The entries in the order of their digest, page by page."""
    repository = view.results.tournaments

    def render() -> str:
        stored = repository.tournament(tournament).tournament
        return view.render(
            "tournament_entries.html",
            tournament=stored,
            grows=grows(stored),
            part=slice_of(repository.entries(stored.id), page, ROWS),
            total=len(stored.entries),
            entries_digest=entries_digest(stored.entries).hex(),
        )

    return view.kept(render)
