"""`/head-to-head`: bot against bot as a heat map; each cell leads to the matches between the two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import Response

from arena.store.meetings import Meeting
from arena.store.ranking import Ranking
from arena.web.meeting import ToldShare, told_shares
from arena.web.paging import Slice, slice_of
from arena.web.view import View, Viewing

router = APIRouter()

SIZES = (10, 20, 30, 40, 50)
"""So many bots a side may be asked for."""

MOST_CIRCLES = 10
"""So many circles are told; all are counted."""

NAMED_BY = 16
"""So many digits of a digest stand for a bot in an address."""


class Head(NamedTuple):
    """A bot at the head of a row or column."""

    bot: bytes
    label: str
    place: int | None


class Cell(NamedTuple):
    """How the bot of a row fared against that of a column, and where their matches are."""

    told: ToldShare
    meeting: Meeting
    in_circle: bool
    address: str


@router.get("/head-to-head", name="head_to_head")
def head_to_head(
    view: Viewing,
    tournament: Annotated[str, Query(max_length=200)] = "",
    clean: bool = False,
    size: Annotated[int, Query(ge=SIZES[0], le=SIZES[-1], multiple_of=10)] = 30,
    rows: Annotated[int, Query(ge=1, le=10_000)] = 1,
    columns: Annotated[int, Query(ge=1, le=10_000)] = 1,
) -> Response:
    """The pairs of a tournament, the latest by default: the bots of a page of the ranking against those of another."""
    names = view.results.tournaments.names()
    chosen = view.results.tournaments.name(tournament) if tournament else names[0]
    standing = view.site.rankings.current(chosen.id, clean=clean)
    met = [bot for bot in standing.ranking.in_order if bot.rating is not None]

    def render() -> str:
        heads = [Head(bot.bot, standing.ranking.labels[bot.bot], bot.place) for bot in met]
        down, across = slice_of(heads, rows, size), slice_of(heads, columns, size)
        return view.render(
            "head_to_head.html",
            standing=standing.ranking,
            names=names,
            chosen=chosen,
            clean=clean,
            size=size,
            sizes=SIZES,
            down=down,
            across=across,
            windows=_windows(len(heads), size),
            cells=_cells(view, standing.ranking, down, across),
            **_circles(standing.ranking),
        )

    return view.kept(render, version=f"{standing.serial} {hash(names)}")


def _windows(bots: int, size: int) -> list[tuple[int, int]]:
    """From which place to which each page of the ranking goes."""
    return [(start + 1, min(start + size, bots)) for start in range(0, bots, size)]


def _cells(view: View, ranking: Ranking, down: Slice[Head], across: Slice[Head]) -> Mapping[tuple[bytes, bytes], Cell]:
    """What is known of each pair; nothing where they never met."""
    tournament, clean = ranking.stored.tournament.id, ranking.clean
    bots = list(dict.fromkeys(head.bot for head in (*down.rows, *across.rows)))
    meetings = view.results.meetings.among(tournament, bots, clean=clean)
    told = told_shares(view.language, {pair: meeting.sums for pair, meeting in meetings.items()})
    turning = {pair for circle in ranking.rated.summary.circles for pair in _edges(circle.bots)}
    turning |= {(b, a) for a, b in turning}
    matches = view.url("matches", {"tournament": tournament})
    return {
        (a, b): Cell(
            share, meetings[a, b], (a, b) in turning, f"{matches}&bots={a.hex()[:NAMED_BY]},{b.hex()[:NAMED_BY]}"
        )
        for (a, b), share in told.items()
    }


def _edges(bots: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    """Who beats whom in a circle."""
    return list(zip(bots, (*bots[1:], bots[0]), strict=True))


def _circles(ranking: Ranking) -> dict[str, Any]:
    """The surest circles, and what is to be said of all."""
    summary = ranking.rated.summary
    return {
        "circles": [
            ([(bot, ranking.labels[bot]) for bot in (*circle.bots, circle.bots[0])], circle.superiority)
            for circle in summary.circles[:MOST_CIRCLES]
        ],
        "circle_count": summary.circle_count,
        "cyclic_share": summary.cyclic_share,
    }
