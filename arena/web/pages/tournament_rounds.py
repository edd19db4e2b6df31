"""`/tournaments/ID/rounds`: who met whom in each round of a plan that grows, and who came out ahead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, NamedTuple

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import Response
from pydantic import Field

from arena.tournament.formats import FORMATS
from arena.tournament.formats.scores import scores
from arena.tournament.labels import labels
from arena.tournament.planning import grows, setting
from arena.tournament.rounds import SettledBlock
from arena.web.paging import slice_of
from arena.web.queries import OrBlank
from arena.web.view import Viewing

router = APIRouter()

ROWS = 100
"""So many tables stand on one page."""


class Seated(NamedTuple):
    """A bot of a table, how many seats it beat there (level ones half), and how many it met."""

    digest: bytes
    beaten: float
    met: int


class Table(NamedTuple):
    """A lineup of a round: who sat, the best first, and how many of its settled blocks were played."""

    seated: list[Seated]
    blocks: int
    played: int


@router.get("/tournaments/{tournament}/rounds", name="tournament_rounds")
def tournament_rounds(
    view: Viewing,
    tournament: str,
    number: Annotated[OrBlank[Annotated[int, Field(ge=1, le=1_000_000)]], Query(alias="round")] = None,
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
) -> Response:
    """A round, the latest by default; only blocks that are settled count."""
    standing = view.site.rankings.current(view.results.tournaments.name(tournament).id, clean=False)
    ranking, opened = standing.ranking, standing.ranking.stored.tournament
    if not grows(opened):
        raise HTTPException(404)

    def render() -> str:
        rounds = view.results.tournaments.rounds(opened.id)
        gone = [digest for digest, state in ranking.fared.items() if state.withdrawn is not None]
        chosen = min(number or len(rounds), len(rounds))
        told = FORMATS[opened.format].tell(setting(opened, frozenset(gone)), rounds)
        return view.render(
            "tournament_rounds.html",
            tournament=opened,
            grows=True,
            chosen=chosen,
            count=len(rounds),
            part=slice_of(_tables(rounds[chosen - 1]) if rounds else [], page, ROWS),
            names=labels(opened.entries),
            closing=view.language.told(told)[1] if told else "",
        )

    return view.kept(render, version=str(standing.serial))


def _tables(blocks: Iterable[SettledBlock]) -> list[Table]:
    """The tables of a round, in the order of the plan."""
    by_lineup: dict[tuple[bytes, ...], list[SettledBlock]] = {}
    for block in blocks:
        by_lineup.setdefault(block.lineup, []).append(block)
    return [_table(lineup, its) for lineup, its in by_lineup.items()]


def _table(lineup: tuple[bytes, ...], blocks: list[SettledBlock]) -> Table:
    sums = scores(blocks)
    seated = [Seated(bot, sums.points[bot] / 2, sums.seats[bot]) for bot in dict.fromkeys(lineup)]
    played = sum(bool(block.results) for block in blocks)
    return Table(sorted(seated, key=lambda one: -one.beaten), len(blocks), played)
