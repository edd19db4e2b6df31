"""How ratings look in a table: intervals and bounds in a cell, and the notes that explain them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from arena.cli.output import DASH, new_table, signed
from arena.rating.bot_rows import BotReport
from arena.rating.luck import DesignEffect
from arena.rating.seats import SeatFigures
from arena.rating.widths import Kind

PROVISIONAL = "*"

Z_95 = 1.96
"""An interval of 95 % is so many standard errors to both sides."""

LEAST_EFFECT = 0.01
"""A match never tells as much as more than a hundred on deals of their own."""

Note = tuple[str, str]
"""Something to know: what it is about, in a word, and the text."""

Extra = tuple[str, Callable[[BotReport[Any]], str]]
"""A further column: its head, and what stands in it."""


def rating_text(bot: BotReport[Any]) -> str:
    """`1702 ± 99`, `> 1640` where only that can be said, and a dash for a bot that met no other."""
    if bot.rating is None:
        return DASH
    if bot.half_width is None:
        bound = bot.low if bot.low is not None else bot.high
        return f"{bot.flag} {bound:.0f}" if bound is not None else f"{bot.rating:.0f}"
    mark = PROVISIONAL if bot.kind is Kind.PROVISIONAL else ""
    return f"{bot.rating:.{digits(bot.half_width)}f} {around(bot.half_width)}{mark}"


def around(half_width: float) -> str:
    """`± 99`; a narrow interval is told with as many digits as it takes to be more than nothing."""
    return f"± {half_width:.{digits(half_width)}f}"


def digits(half_width: float) -> int:
    """Digits after the point that an Elo number with this interval deserves."""
    return 0 if half_width >= 1 else 1 if half_width >= 0.1 else 3


def rank_text(bot: BotReport[Any]) -> str:
    """The places that the results leave open: `2`, `1–3`, or a dash."""
    if bot.rank is None:
        return DASH
    first, last = bot.rank
    return str(first) if first == last else f"{first}–{last}"


def points_text(bot: BotReport[Any]) -> str:
    """Points a deal ahead of the others, with the interval if there is one."""
    if bot.points_a_deal is None:
        return DASH
    width = "" if bot.points_half_width is None else f" ±{max(bot.points_half_width, 0.01):.2f}"
    return signed(bot.points_a_deal) + width


def ratings_table(bots: Sequence[BotReport[Any]], label: Callable[[Any], str], extra: Sequence[Extra] = ()) -> Table:
    """A row for each bot, groups that never met apart and numbered; a column without any number is left out."""
    columns: list[Extra] = [
        *([("group", group_text)] if group_count(bots) > 1 else []),
        ("rating", rating_text),
        ("rank", rank_text),
        ("matches", lambda bot: str(bot.matches or DASH)),
        ("blocks", lambda bot: str(bot.blocks or DASH)),
        ("points\na deal", points_text),
        *extra,
    ]
    if all(bot.points_a_deal is None for bot in bots) and any(bot.matches for bot in bots):
        columns = [column for column in columns if column[1] is not points_text]
    tall = any("\n" in head for head, _ in columns)
    place, name, *heads = (
        f"\n{head}" if tall and "\n" not in head else head for head in ("#", "bot", *(head for head, _ in columns))
    )
    table = new_table(place, name, *heads, right=[place, *heads])
    for before, bot in zip([None, *bots], bots, strict=False):
        if before is not None and before.component != bot.component:
            table.add_row()
        cells = [cell(bot) for _, cell in columns]
        table.add_row(DASH if bot.place is None else str(bot.place), Text(label(bot.bot)), *cells)
    return table


def group_count(bots: Sequence[BotReport[Any]]) -> int:
    """How many groups there are of which no bot met one of another group; bots that met nobody are in none."""
    return len({bot.component for bot in bots} - {None})


def group_text(bot: BotReport[Any]) -> str:
    """The number of a bot's group, from 1; a dash for a bot that met no other."""
    return DASH if bot.component is None else str(bot.component + 1)


def group_notes(bots: Sequence[BotReport[Any]]) -> Iterator[Note]:
    """That groups do not compare, where there are several."""
    if (groups := group_count(bots)) > 1:
        yield (
            "groups",
            f"the bots form {groups} groups that did not meet, so ratings and ranks compare only within a group; "
            "each further group has a mean of 1500",
        )


def deals_notes(effect: DesignEffect, more: str = "") -> Iterator[Note]:
    """What it saves that matches share their deals, as soon as there are blocks enough to tell."""
    of_places, of_points = (effect.places, effect.places_error), (effect.points, effect.points_error)
    found = []
    for what, (value, error) in {"places": of_places, "points": of_points}.items():
        if value is not None and error is not None:
            worth, low, high = (1 / max(value + side * Z_95 * error, LEAST_EFFECT) for side in (0, 1, -1))
            found.append(f"{worth:.1f} ({low:.1f} to {high:.1f}) by {what}")
    if found:
        told = ", ".join(found)
        yield (
            "deals",
            f"shared by the matches of a block: one tells as much as so many on deals of its own: {told}{more}",
        )


def reading_notes(bots: Sequence[BotReport[Any]], label: Callable[[Any], str]) -> Iterator[Note]:
    """What one must know to read intervals, ranks and bounds."""
    if any(bot.half_width is not None for bot in bots):
        yield "±", "holds the truth 95 times in 100; for a rating, its distance to the mean of the field"
    if any(bot.rank is not None for bot in bots):
        yield "rank", "the places that the results leave open, with 95 % certainty for all bots together"
    for kind, sign, what in ((Kind.ABOVE, ">", "won"), (Kind.BELOW, "<", "lost")):
        if found := [label(bot.bot) for bot in bots if bot.kind is kind]:
            yield sign, f"{listed(found)} {what} every point, so the results bound the rating on one side only"
    if any(bot.kind is Kind.PROVISIONAL for bot in bots):
        yield PROVISIONAL, "provisional: from a single block"


def circle_notes(circles: Sequence[Sequence[str]], circle_count: int, *, most: int, more: str = "") -> Iterator[Note]:
    """Where results contradict an order: at most so many circles, and how many there are; `more` of them is where."""
    for circle in circles[:most]:
        yield "circle", f"{' beat '.join([*circle, circle[0]])}: likely above 95 % each"
    if circle_count > most:
        yield "", f"there are {circle_count} such circles{more}"


def seat_notes(seats: Sequence[SeatFigures]) -> Iterator[Note]:
    """Seats that fared better or worse than chance explains."""
    for seat in seats:
        if beyond_chance(seat):
            fared = "better" if seat.share > 0.5 else "worse"
            yield (
                f"seat {seat.seat}",
                f"at tables of {seat.seats} fared {fared} than chance explains: it beat {100 * seat.share:.1f} % of "
                "the others; --luck shows all seats",
            )


def notes_table(notes: Iterable[Note]) -> Table:
    """Notes with what each is about in front of it."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(style="dim", overflow="fold")
    for about, text in notes:
        table.add_row(Text(about), Text(text))
    return table


def beyond_chance(seat: SeatFigures) -> bool:
    """Whether a seat fared better or worse than chance explains."""
    return seat.share_chance is not None and abs(seat.share - 0.5) > seat.share_chance


def listed(names: Sequence[str], most: int = 5) -> str:
    """The names, or the first of them and how many more there are."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return ", ".join(names)
