"""`/head-to-head`: bot against bot as a heat map; each cell leads to the matches between the two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import Response

from arena.rating.bot_rows import BotReport
from arena.store.ranking import Ranking
from arena.tournament.labels import harmless
from arena.web.i18n import Language
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
    """A bot at the head of a row or column; `number` is where it stands in the ranking, also among equals."""

    bot: bytes
    label: str
    number: int


class Cell(NamedTuple):
    """How the bot of a row fared against that of a column in words, and where their matches are."""

    told: ToldShare
    words: str
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
        down, across = (slice_of(met, number, size) for number in (rows, columns))
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
            heads=(across_heads := _heads(standing.ranking, across)),
            windows=_windows(len(met), size),
            table=_table(view, standing.ranking, _heads(standing.ranking, down), across_heads),
            **_circles(standing.ranking),
        )

    return view.kept(render, version=f"{standing.serial} {hash(names)}")


def _windows(bots: int, size: int) -> list[tuple[int, int]]:
    """From which number to which each page of the ranking goes."""
    return [(start + 1, min(start + size, bots)) for start in range(0, bots, size)]


def _heads(ranking: Ranking, part: Slice[BotReport[bytes]]) -> list[Head]:
    """The bots of a part of the ranking."""
    return [
        Head(bot.bot, harmless(ranking.labels[bot.bot]), number)
        for number, bot in enumerate(part.rows, start=part.before + 1)
    ]


def _table(
    view: View, ranking: Ranking, down: Sequence[Head], across: Sequence[Head]
) -> list[tuple[Head, list[Cell | None]]]:
    """The rows of the table; None where two never met, and where a bot would meet itself."""
    cells = _cells(view, ranking, {head.bot: head for head in down}, {head.bot: head for head in across})
    return [(row, [cells.get((row.bot, head.bot)) for head in across]) for row in down]


def _cells(
    view: View, ranking: Ranking, down: Mapping[bytes, Head], across: Mapping[bytes, Head]
) -> Mapping[tuple[bytes, bytes], Cell]:
    """What is known of each pair that is shown. There may be thousands, so words are looked up once."""
    tournament, language, heads = ranking.stored.tournament.id, view.language, {**down, **across}
    meetings = view.results.meetings.between(tournament, down, across, clean=ranking.clean)
    told = told_shares(language, {pair: meeting.sums for pair, meeting in meetings.items()})
    turning = {edge for circle in ranking.rated.summary.circles for edge in _edges(circle.bots)}
    matches, better = view.url("matches", {"tournament": tournament}), language.gettext("the better: %(likely)s likely")
    circle = language.gettext("part of a circle")
    counts = {games: _met(language, games) for games in {meeting.games for meeting in meetings.values()}}
    short = {bot: bot.hex()[:NAMED_BY] for bot in heads}
    cells = {}
    for (a, b), share in told.items():
        in_circle = (a, b) in turning or (b, a) in turning
        between = f" ({share.range})" if share.range else ""
        words = f"{heads[a].label} – {heads[b].label}: {share.share}{between} · {counts[meetings[a, b].games]}"
        if share.surer:
            words += f" · {better % {'likely': share.surer}}"
        if in_circle:
            words += f" · {circle}"
        cells[a, b] = Cell(share, words, in_circle, f"{matches}&bots={short[a]},{short[b]}")
    return cells


def _met(language: Language, games: int) -> str:
    """How often two met, in words."""
    return language.ngettext("%(num)s meeting", "%(num)s meetings", games) % {"num": language.number(games)}


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
