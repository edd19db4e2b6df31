"""Bots of a ranking as tables show them, each rating drawn to one scale."""

from __future__ import annotations

from typing import NamedTuple

from arena.rating.bot_rows import BotReport
from arena.rating.model import ELO_ORIGIN
from arena.rating.wording import points_text, rank_text, rating_text
from arena.store.ranking import Ranking
from arena.web.drawing import Bar, Course, Scale, bar, sparkline
from arena.web.i18n import Language
from arena.web.rankings import Standing

BAR_WIDTH = 180


class Row(NamedTuple):
    """A bot as the page shows it; texts are in the reader's language."""

    bot: BotReport[bytes]
    label: str
    rating: str
    bar: Bar
    rank: str
    points: str
    faults: int
    fault_share: float | None
    withdrawn: str | None
    remote: bool
    course: Course


def scale_of(ranking: Ranking) -> Scale:
    """The scale on which every rating of a ranking has room with its interval."""
    ends = [value for bot in ranking.rated.bots for value in (bot.rating, bot.low, bot.high) if value is not None]
    return Scale.over([*ends, ELO_ORIGIN], BAR_WIDTH)


def row_of(language: Language, standing: Standing, bot: BotReport[bytes], scale: Scale) -> Row:
    """The row of a bot."""
    ranking = standing.ranking
    faults, fault_matches = ranking.faults(bot.bot)
    state, number = ranking.fared[bot.bot], language.number
    return Row(
        bot,
        ranking.labels[bot.bot],
        rating_text(bot, language.elo),
        bar(scale, bot.rating, bot.low, bot.high, zero=ELO_ORIGIN),
        rank_text(bot),
        points_text(bot, number),
        faults,
        fault_matches / bot.matches if bot.matches else None,
        state.withdrawn,
        state.entry.remote,
        sparkline([mark.ratings.get(bot.bot) for mark in standing.course]),
    )
