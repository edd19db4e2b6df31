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
    standing = view.site.rankings.current(view.results.tournaments.name(tournament).id, clean=False)
    ranking = standing.ranking

    def render() -> str:
        opened = ranking.stored.tournament
        part = slice_of(opened.entries, page, ROWS)
        return view.render(
            "tournament_entries.html",
            tournament=opened,
            grows=grows(opened),
            part=part,
            states=[ranking.fared[entry.digest]._replace(entry=entry) for entry in part.rows],
            total=len(opened.entries),
            entries_digest=entries_digest(opened.entries).hex(),
        )

    return view.kept(render, version=str(standing.serial))
