"""`/matches`: the finished matches, the latest first; of one tournament, of a bot, or between two bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from arena.store.archive import ListedMatch
from arena.store.repository import TournamentName
from arena.tournament.labels import harmless, labels
from arena.web.paging import page_by_key
from arena.web.queries import OrBlank
from arena.web.refusal import Refusal
from arena.web.view import Viewing

router = APIRouter()

ROWS = 50
"""So many matches stand on one page."""

LARGEST_KEY = 2**63 - 1


@router.get("/matches", name="matches")
def matches(
    view: Viewing,
    tournament: Annotated[str, Query(max_length=200)] = "",
    bots: Annotated[str, Query(max_length=400)] = "",
    before: OrBlank[Annotated[int, Field(ge=1, le=LARGEST_KEY)]] = None,
) -> Response:
    """A page of the listing; `bots` are one or two names or digests, separated by a comma."""
    names = view.results.tournaments.names()
    wanted = [name for one in bots.split(",") if (name := one.strip())]
    if len(wanted) > 2:
        raise Refusal(422, "name one bot, or two for the matches between them")

    def read(limit: int) -> tuple[ListedMatch, ...]:
        archive, cup = view.results.matches, tournament or None
        if len(wanted) == 2:
            return archive.between(*wanted, tournament=cup, before=before, limit=limit)
        return archive.matches(tournament=cup, bot=wanted[0] if wanted else None, before=before, limit=limit)

    def render() -> str:
        page = page_by_key(read, ROWS, lambda match: match.id)
        called = labels(seat.bot for match in page.rows for seat in match.seats)
        return view.render(
            "matches.html",
            page=page,
            labels=called,
            about=[_meant(name, called) for name in wanted],
            names=names,
            cups={match.tournament: _called(names, match.tournament) for match in page.rows},
            tournament=tournament,
            bots=bots,
            earlier=page.following is not None and view.here(before=page.following),
            latest=before is not None and view.here(before=None),
        )

    return view.kept(render)


def _called(names: Sequence[TournamentName], tournament: str) -> str:
    """What a tournament is called; "" where it has no name, or is older than those that can be chosen."""
    return harmless(next((one.name for one in names if one.id == tournament), ""))


def _meant(name: str, called: Mapping[bytes, str]) -> str:
    """The label of the bot whose digest begins so, among those of a page; else the name as it was given."""
    return next((label for digest, label in called.items() if digest.hex().startswith(name)), name)
