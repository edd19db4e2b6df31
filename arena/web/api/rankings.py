"""Rankings: both lists of a tournament, every two bots against each other, and what is known of luck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from arena.rating.shares import shares
from arena.store.documents.rankings import luck_document, met_document, ranked_document
from arena.store.meetings import KeyedMeeting
from arena.web.api.asking import Asking
from arena.web.api.models.rankings import Luck, Pairs, Ranking
from arena.web.api.parts import Part, parts

router = APIRouter(prefix="/rankings", tags=["rankings"])

Tournament = Annotated[
    str | None,
    Query(max_length=200, description="A tournament's id, its name or the beginning of its id; the latest by default."),
]
Clean = Annotated[bool, Query(description="Leave out whole blocks in which a bot had a fault.")]


@router.get("", name="ranking", response_model=Ranking)
def ranking(
    asked: Asking,
    part: Annotated[Part, parts(usual=100, most=1000)],
    tournament: Tournament = None,
    clean: Clean = False,
) -> Response:
    """The ranking of a tournament, the best bot first."""
    standing = asked.site.rankings.current(asked.tournament(tournament).id, clean=clean)
    cut = part.of(standing.ranking.in_order)

    def make() -> Ranking:
        rows = [ranked_document(standing.ranking, bot) for bot in cut.rows]
        return Ranking.model_validate({"items": rows, "next": cut.following})

    return asked.kept(make, version=str(standing.serial))


@router.get("/pairs", name="pairs", response_model=Pairs)
def pairs(
    asked: Asking,
    part: Annotated[Part, parts(usual=100, most=1000)],
    tournament: Tournament = None,
    clean: Clean = False,
) -> Response:
    """How every two bots of a tournament fared against each other, each two once."""
    name = asked.tournament(tournament).id
    first, second = map(int, part.begins((0, 0)) or (0, 0))

    def make() -> Pairs:
        found = asked.results.meetings.page(name, clean=clean, after=(first, second), limit=part.limit + 1)
        cut = part.cut(found, lambda met: met.key)
        return Pairs.model_validate({"items": _told(cut.rows), "next": cut.following})

    return asked.kept(make)


def _told(met: Sequence[KeyedMeeting]) -> list[dict[str, object]]:
    told = shares([one.meeting.sums for one in met])
    return [met_document(one.a, one.b, one.meeting, share) for one, share in zip(met, told, strict=True)]


@router.get("/luck", name="luck", response_model=Luck)
def luck(asked: Asking, tournament: Tournament = None, clean: Clean = False) -> Response:
    """What the duplicate deals of a tournament save, whether the seat mattered, where results contradict an order."""
    name = asked.tournament(tournament).id
    standing = asked.site.rankings.current(name, clean=clean)
    summary = standing.ranking.rated.summary
    return asked.kept(lambda: Luck.model_validate(luck_document(name, summary)), version=str(standing.serial))
