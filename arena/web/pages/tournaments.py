"""`/tournaments`: all tournaments, the latest first."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from arena.web.paging import page_by_key
from arena.web.view import Viewing

router = APIRouter()

ROWS = 50
"""So many tournaments stand on one page."""


@router.get("/tournaments", name="tournaments")
def tournaments(view: Viewing, before: Annotated[int | None, Query(ge=1, le=2**53)] = None) -> Response:
    """A page of the tournaments; `before` is the key that it begins after."""
    overviews = view.results.overviews

    def render() -> str:
        page = page_by_key(lambda size: overviews.page(before=before, limit=size), ROWS, lambda one: one.key)
        played = {one.id for one in page.rows if one.finished is None and view.site.moments.is_played(one.id)}
        return view.render("tournaments_list.html", page=page, played=played, before=before)

    return view.kept(render)
