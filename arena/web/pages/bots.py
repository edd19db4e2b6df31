"""`/bots`: all bots that were submitted or ever entered a tournament, by name."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from arena.rating.wording import rating_text
from arena.store.catalogue import CataloguedBot
from arena.web.cursors import LONGEST, identity_key, read_identity, write_cursor
from arena.web.view import View, Viewing

router = APIRouter()

ROWS = 50
"""So many bots stand on one page."""


@router.get("/bots", name="bots")
def bots(
    view: Viewing,
    name: Annotated[str, Query(max_length=100)] = "",
    cursor: Annotated[str, Query(max_length=LONGEST)] = "",
) -> Response:
    """A page of the list, of those whose names hold some words; `cursor` is where the page before ended."""
    words = name.strip()
    listing = f"/bots?{words}"
    behind = read_identity(cursor, listing) if cursor else None

    def render() -> str:
        found = view.results.catalogue.page(words=words, after=behind, limit=ROWS + 1)
        following = write_cursor(identity_key(found[ROWS - 1].version.bot), listing) if len(found) > ROWS else None
        return view.render(
            "bots.html",
            rows=[(row, _rating(view, row)) for row in found[:ROWS]],
            words=words,
            first=view.here(cursor=None) if cursor else None,
            following=view.here(cursor=following) if following else None,
        )

    return view.kept(render)


def _rating(view: View, row: CataloguedBot) -> str | None:
    """The rating in the reader's language."""
    report = row.rating
    return None if report is None or report.rating is None else rating_text(report, view.language.elo)
