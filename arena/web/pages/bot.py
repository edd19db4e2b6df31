"""`/bots/BOT`: a bot with its rating, its opponents, its seats, how it plays, its faults and its other versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, HTTPException, Path, Query
from fastapi.responses import RedirectResponse, Response

from arena.rating.bot_rows import BotReport
from arena.rating.wording import points_text, rank_text, rating_text
from arena.store.bots import Participation
from arena.store.catalogue import Version
from arena.store.errors import UnknownBotError
from arena.store.meetings import Meeting
from arena.store.ranking import Ranking
from arena.store.ratings import FEW_BLOCKS
from arena.tournament.habits import Habit
from arena.web.bot_charts import HALF, HEIGHT, NARROW, WIDE, Course, course_chart, duration, times_chart, totals_chart
from arena.web.charts import SVG, ThemeName
from arena.web.drawing import Bar, Scale, bar
from arena.web.habits import Counts, told_habits
from arena.web.meeting import ToldShare, told_shares
from arena.web.paging import slice_of
from arena.web.rankings import Standing
from arena.web.refusal import Refusal
from arena.web.view import View, Viewing

router = APIRouter()

ROWS = 25
"""So many opponents stand on one page."""

LAST_FAULTS = 5

BAR_WIDTH = 120
SHARES = Scale(0.0, 1.0, BAR_WIDTH)
LEVEL = 0.5
"""The share of a bot that is as good as the others."""

Word = Annotated[str, Path(max_length=200)]
Tournament = Annotated[str, Query(max_length=64)]


class Subject(NamedTuple):
    """A bot with all its versions (itself first), its tournaments (the latest first), and the one that is shown."""

    versions: Sequence[Version]
    entered: Sequence[Participation]
    chosen: Participation | None

    @property
    def digest(self) -> bytes:
        """What it goes by."""
        return self.versions[0].bot.digest


@router.get("/bots/{bot}", name="bot")
def bot(
    view: Viewing,
    bot: Word,
    tournament: Tournament = "",
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
    running: bool = False,
) -> Response:
    """A bot in the tournament that it played in last, or in another one; a name leads to its newest version."""
    subject = _subject(view, bot, tournament)
    if bot != subject.digest.hex():
        return RedirectResponse(view.url("bot", dict(view.request.query_params), bot=subject.digest.hex()), 307)

    def render() -> str:
        shown = {} if subject.chosen is None else _fared(view, subject.digest, subject.chosen, page)
        return view.render("bot.html", subject=subject, version=subject.versions[0], running=running, **shown)

    return view.kept(render)


@router.get("/bots/{bot}/rating.svg", name="bot_rating")
def rating(
    view: Viewing,
    bot: Word,
    tournament: Tournament = "",
    running: bool = False,
    theme: ThemeName = "light",
    narrow: bool = False,
) -> Response:
    """The chart of the course of its rating, fitted or as a running Elo."""
    subject = _subject(view, bot, tournament)
    standing = _standing(view, subject)
    ranking, report = standing.ranking, _report(standing.ranking, subject.digest)
    if report is None or len(standing.course) < 2 or (running and not _may_run(ranking)):
        raise HTTPException(404)
    others = [one.bot for one in ranking.in_order if one.bot != subject.digest]

    def draw() -> bytes:
        if not running:
            return course_chart(view.language, theme, Course(standing.course, report, others), narrow=narrow)
        marks = view.results.tournaments.ratings.history(ranking.stored.tournament.id, None, online=True)
        return course_chart(view.language, theme, Course(marks, report, others), narrow=narrow, running=True)

    return view.kept(draw, version=f"{standing.serial}", media_type=SVG)


@router.get("/bots/{bot}/declarations.svg", name="bot_declarations")
def declarations(
    view: Viewing, bot: Word, tournament: Tournament = "", theme: ThemeName = "light", narrow: bool = False
) -> Response:
    """The chart of the totals at which it declares."""
    counts = _counts(view, _subject(view, bot, tournament))
    if not (counts[Habit.HELD] or counts[Habit.FALSE]):
        raise HTTPException(404)
    drawn = f"{counts[Habit.HELD]} {counts[Habit.FALSE]}"  # whatever else changes meanwhile, it stays the same
    return view.kept(lambda: totals_chart(view.language, theme, counts, narrow=narrow), version=drawn, media_type=SVG)


@router.get("/bots/{bot}/times.svg", name="bot_times")
def times(
    view: Viewing, bot: Word, tournament: Tournament = "", theme: ThemeName = "light", narrow: bool = False
) -> Response:
    """The chart of how long its turns take."""
    counts = _counts(view, _subject(view, bot, tournament))
    if not counts[Habit.TIME]:
        raise HTTPException(404)
    drawn = counts[Habit.TIME]
    return view.kept(
        lambda: times_chart(view.language, theme, drawn, narrow=narrow), version=f"{drawn}", media_type=SVG
    )


def _subject(view: View, word: str, tournament: str) -> Subject:
    """The bot that is meant; 404 when it never entered the tournament."""
    versions = view.results.catalogue.versions(word)
    try:
        entered = view.results.bots.participations(versions[0].bot.digest.hex())
    except UnknownBotError:
        entered = ()  # it was submitted, no more
    if tournament:
        chosen = next((one for one in entered if one.tournament == tournament), None)
        if chosen is None:
            raise Refusal(404, "the bot never entered this tournament")
    else:
        chosen = next((one for one in entered if one.matches), entered[0] if entered else None)
    return Subject(versions, entered, chosen)


def _standing(view: View, subject: Subject) -> Standing:
    if subject.chosen is None:
        raise HTTPException(404)
    return view.site.rankings.current(subject.chosen.tournament, clean=False)


def _report(ranking: Ranking, digest: bytes) -> BotReport[bytes] | None:
    return next((one for one in ranking.rated.bots if one.bot == digest), None)


def _may_run(ranking: Ranking) -> bool:
    """Whether the running Elo, which goes through every match, takes no more than a moment."""
    return ranking.rated.blocks <= FEW_BLOCKS


def _counts(view: View, subject: Subject) -> Counts:
    """How it plays in the tournament that is shown."""
    if subject.chosen is None:
        raise HTTPException(404)
    return view.results.conduct.habits(subject.chosen.tournament, subject.digest)


def _fared(view: View, digest: bytes, chosen: Participation, page: int) -> dict[str, Any]:
    """How it fared and played in one tournament."""
    standing = view.site.rankings.current(chosen.tournament, clean=False)
    report = _report(standing.ranking, digest)
    conduct, number = view.results.conduct, view.language.number
    habits = told_habits(conduct.habits(chosen.tournament, digest))
    return {
        "report": report,
        "bots": len(standing.ranking.rated.bots),
        "rating": report and rating_text(report, view.language.elo),
        "rank": report and rank_text(report),
        "points": report and points_text(report, number),
        "is_anchor": standing.ranking.rated.anchor == digest,
        "has_course": len(standing.course) > 1,
        "may_run": _may_run(standing.ranking),
        "sizes": {"wide": WIDE, "half": HALF, "narrow": NARROW, "height": HEIGHT},
        "opponents": _opponents(view, standing.ranking, digest, page),
        "chairs": _chairs(view, chosen.tournament, digest),
        "habits": habits,
        "half": habits.half_us and duration(view.language, habits.half_us),
        "nearly_all": habits.nearly_all_us and duration(view.language, habits.nearly_all_us),
        "faults": conduct.faults(chosen.tournament, digest, LAST_FAULTS) if chosen.faults else (),
    }


class Opponent(NamedTuple):
    """How the bot fared against another, and where their matches are."""

    report: BotReport[bytes]
    label: str
    meeting: Meeting
    told: ToldShare | None
    bar: Bar
    matches: str


def _opponents(view: View, ranking: Ranking, digest: bytes, page: int) -> dict[str, Any]:
    """A page of the bots that it met, in the order of the ranking."""
    tournament = ranking.stored.tournament.id
    met = view.results.meetings.of(tournament, digest)
    part = slice_of([bot for bot in ranking.in_order if bot.bot in met], page, ROWS)
    told = told_shares(view.language, {bot.bot: met[bot.bot].sums for bot in part.rows})
    rows = []
    for bot in part.rows:
        share, names = told.get(bot.bot), f"{digest.hex()},{bot.bot.hex()}"
        matches = view.url("matches", {"tournament": tournament, "bots": names})
        rows.append(Opponent(bot, ranking.labels[bot.bot], met[bot.bot], share, _bar(share), matches))
    return {"rows": rows, "part": part, "total": len(met)}


def _chairs(view: View, tournament: str, digest: bytes) -> list[tuple[Any, ToldShare | None, Bar]]:
    """How it fared in each seat."""
    chairs = view.results.conduct.chairs(tournament, digest)
    told = told_shares(view.language, {chair.seat: chair.sums for chair in chairs})
    return [(chair, told.get(chair.seat), _bar(told.get(chair.seat))) for chair in chairs]


def _bar(told: ToldShare | None) -> Bar:
    if told is None:
        return bar(SHARES, None, None, None, zero=LEVEL)
    return bar(SHARES, told.at, told.low, told.high, zero=LEVEL)
