"""`/`: the ranking of a tournament, each rating with its interval drawn to one scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from arena.rating.bot_rows import BotReport
from arena.store.ranking import Ranking, ranking_notes
from arena.store.repository import TournamentName
from arena.web.paging import slice_of
from arena.web.queries import OrBlank
from arena.web.ranked import row_of, scale_of
from arena.web.rankings import Standing
from arena.web.sorting import read_sort, sort_rows
from arena.web.view import View, Viewing

router = APIRouter()

ROWS = 50
"""So many bots stand on one page."""

Asked = Literal[
    "place", "bot", "rating", "rank", "matches", "points", "faults",
    "-place", "-bot", "-rating", "-rank", "-matches", "-points", "-faults",
]  # fmt: skip
FIRST: Asked = "place"
FALLING = ("rating", "matches", "points", "faults")


@router.get("/", name="ranking")
def ranking(
    view: Viewing,
    tournament: Annotated[str, Query(max_length=200)] = "",
    seats: OrBlank[Annotated[int, Field(ge=2, le=10)]] = None,
    clean: bool = False,
    sort: Asked = FIRST,
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
) -> Response:
    """The ranking of a tournament, the latest by default."""
    names = view.results.tournaments.names()
    chosen = _chosen(view, names, tournament, seats)
    if chosen is None:
        return view.kept(lambda: view.render("no_such_ranking.html", seats=seats, sizes=_sizes(names), names=names))
    standing = view.site.rankings.current(chosen.id, clean=clean)

    def render() -> str:
        return view.render(
            "ranking.html",
            standing=standing.ranking,
            names=[one for one in names if seats in (None, one.seats)],
            chosen=chosen,
            sizes=_sizes(names),
            seats=seats,
            clean=clean,
            sort=(order := read_sort(sort, FALLING, FIRST, lambda to: view.here(sort=to, page=None))),
            notes=[view.language.told(note) for note in ranking_notes(standing.ranking)],
            **_rows(view, standing, order.column, page, descending=order.descending),
        )

    return view.kept(render, version=f"{standing.serial} {hash(names)}")


def _chosen(view: View, names: Sequence[TournamentName], tournament: str, seats: int | None) -> TournamentName | None:
    """The tournament that was asked for, else the latest one at tables of so many seats; None when there is none."""
    fitting = [one for one in names if seats in (None, one.seats)]
    if not tournament:
        return fitting[0] if fitting else None
    found = next((one for one in names if one.id == tournament), None) or view.results.tournaments.name(tournament)
    return found if seats in (None, found.seats) else (fitting[0] if fitting else None)


def _sizes(names: Sequence[TournamentName]) -> list[int]:
    """The sizes of tables that there are."""
    return sorted({one.seats for one in names})


def _rows(view: View, standing: Standing, column: str, page: int, *, descending: bool) -> dict[str, Any]:
    """The rows of a page, drawn to a scale that is the same on every page."""
    ranking = standing.ranking
    part = slice_of(_in_order(ranking, column, descending=descending), page, ROWS)
    scale = scale_of(ranking)
    return {
        "rows": [row_of(view.language, standing, bot, scale) for bot in part.rows],
        "part": part,
        "ends": scale,
        "has_course": len(standing.course) > 1,
        "total": len(ranking.rated.bots),
        "is_grouped": column == "place",
    }


def _in_order(ranking: Ranking, column: str, *, descending: bool) -> Sequence[BotReport[bytes]]:
    """The bots sorted by a column; as the ranking has them, where they are equal."""
    if column == "place":
        return ranking.in_order[::-1] if descending else ranking.in_order
    keys: dict[str, Callable[[BotReport[bytes]], Any]] = {
        "bot": lambda bot: ranking.labels[bot.bot].casefold(),
        "rating": lambda bot: bot.rating,
        "rank": lambda bot: bot.rank,
        "matches": lambda bot: bot.matches,
        "points": lambda bot: bot.points_a_deal,
        "faults": lambda bot: ranking.faults(bot.bot)[0],
    }
    return sort_rows(ranking.in_order, keys[column], descending=descending)
