"""`/bots`: all bots that were submitted or ever entered a tournament, by name."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from arena.rating.wording import rating_text
from arena.store.catalogue import CataloguedBot
from arena.store.tables import DIGEST_BYTES
from arena.web.view import View, Viewing

router = APIRouter()

ROWS = 50
"""So many bots stand on one page."""


@router.get("/bots", name="bots")
def bots(
    view: Viewing,
    name: Annotated[str, Query(max_length=100)] = "",
    after: Annotated[str, Query(pattern=f"^([0-9a-f]{{{2 * DIGEST_BYTES}}})?$")] = "",
) -> Response:
    """A page of the list behind the bot with the digest `after`; of those whose names hold some words."""
    words = name.strip()

    def render() -> str:
        behind = bytes.fromhex(after) if after else None
        found = view.results.catalogue.page(words=words, after=behind, limit=ROWS + 1)
        goes_on = len(found) > ROWS
        return view.render(
            "bots.html",
            rows=[(row, _rating(view, row)) for row in found[:ROWS]],
            words=words,
            first=view.here(after=None) if after else None,
            following=view.here(after=found[ROWS - 1].version.bot.digest.hex()) if goes_on else None,
        )

    return view.kept(render)


def _rating(view: View, row: CataloguedBot) -> str | None:
    """The rating in the reader's language."""
    report = row.rating
    return None if report is None or report.rating is None else rating_text(report, view.language.elo)
