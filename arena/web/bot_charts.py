"""The charts of a bot's page: the course of its rating, the totals at which it declares, and the time of its turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena.rating.bot_rows import BotReport
from arena.store.ratings_history import Mark
from arena.tournament.habits import TIME_BOUNDS_US, Habit
from arena.web.charts import Theme, ThemeName, chart
from arena.web.habits import Counts
from arena.web.i18n import Language

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE, HALF, NARROW, HEIGHT = 720, 480, 340, 240
"""The widths of a chart over the page, of one beside another, and of any on a phone; and the height of all."""

FAINT = 0.35
MOST_OTHERS = 12
"""So many other bots are drawn faintly beside a bot's course, the best of the ranking."""

LABELLED_TOTALS = 20
"""With more different totals than these only some have a number below."""

UPRIGHT, UPRIGHT_NARROW = 9, 6
"""So many times have room beside each other."""


class Course(NamedTuple):
    """The ratings after so many blocks: of a bot, with what is said of it today, and of others."""

    marks: Sequence[Mark]
    bot: BotReport[bytes]
    others: Sequence[bytes]


def course_chart(language: Language, theme: ThemeName, course: Course, *, narrow: bool, running: bool = False) -> bytes:
    """How the rating came about, block after block; with today's interval at the end, unless it is a running number."""

    def draw(axes: Axes, colours: Theme) -> None:
        blocks, bot = [mark.blocks for mark in course.marks], course.bot
        for other in course.others[:MOST_OTHERS]:
            axes.plot(blocks, _ratings(course.marks, other), color=colours.quiet, linewidth=0.9, alpha=FAINT)
        axes.plot(blocks, _ratings(course.marks, bot.bot), color=colours.accent, linewidth=2.2)
        if bot.low is not None and bot.high is not None and not running:
            ends = [bot.low, bot.high]
            axes.plot([blocks[-1]] * 2, ends, color=colours.accent, linewidth=1.4, marker="_", markersize=9)
        axes.locator_params(axis="x", integer=True)
        axes.set_xlabel(language.gettext("finished blocks, in the order of the plan"))
        axes.set_ylabel(language.gettext("running Elo") if running else language.gettext("rating"))
        axes.xaxis.set_major_formatter(lambda value, _: language.number(value))
        axes.yaxis.set_major_formatter(lambda value, _: language.elo(value))

    return chart(draw, theme, NARROW if narrow else WIDE, HEIGHT)


def _ratings(marks: Sequence[Mark], bot: bytes) -> list[float]:
    return [mark.ratings.get(bot, float("nan")) for mark in marks]


def totals_chart(language: Language, theme: ThemeName, counts: Counts, *, narrow: bool) -> bytes:
    """At which totals it declares, and how many of these declarations held."""

    def draw(axes: Axes, colours: Theme) -> None:
        held, false = counts[Habit.HELD], counts[Habit.FALSE]
        totals = list(range(min((*held, *false)), max((*held, *false)) + 1))
        good, bad = ([which.get(total, 0) for total in totals] for which in (held, false))
        axes.bar(totals, good, width=0.8, color=colours.series[0], label=language.gettext("held"))
        axes.bar(totals, bad, width=0.8, bottom=good, color=colours.series[1], hatch="///", edgecolor=colours.line,
                 linewidth=0, label=language.gettext("false"))  # fmt: skip
        if len(totals) <= LABELLED_TOTALS:
            axes.set_xticks(totals)
        axes.set_xlabel(language.gettext("total of its hand when it declares"))
        axes.set_ylabel(language.gettext("declarations"))
        axes.locator_params(axis="y", integer=True)
        axes.yaxis.set_major_formatter(lambda value, _: language.number(value))
        axes.legend(frameon=False, labelcolor=colours.ink, loc="upper left")

    return chart(draw, theme, NARROW if narrow else HALF, HEIGHT)


def times_chart(language: Language, theme: ThemeName, times: Mapping[int, int], *, narrow: bool) -> bytes:
    """How many of its turns took how long."""

    def draw(axes: Axes, colours: Theme) -> None:
        first, last = (TIME_BOUNDS_US.index(which(times)) for which in (min, max))
        bounds = TIME_BOUNDS_US[first : last + 1]
        turns = sum(times.values())
        shares = [100 * times.get(one, 0) / turns for one in bounds]
        axes.bar(range(len(bounds)), shares, width=0.9, color=colours.accent)
        axes.set_xticks(range(len(bounds)), [duration(language, one) for one in bounds])
        axes.tick_params(axis="x", labelrotation=0 if len(bounds) <= 10 else 60)
        axes.set_xlabel(language.gettext("time of a turn up to, and above the time before"))
        axes.set_ylabel(language.gettext("turns in per cent"))
        axes.yaxis.set_major_formatter(lambda value, _: language.number(value))

    return chart(draw, theme, NARROW if narrow else HALF, HEIGHT)


def duration(language: Language, micros: int) -> str:
    """A time in the unit that leaves few digits."""
    for unit, size in (("s", 1_000_000), ("ms", 1_000)):
        if micros >= size:
            return f"{language.number(micros / size)}\N{NO-BREAK SPACE}{unit}"
    return f"{micros}\N{NO-BREAK SPACE}µs"
