"""How ratings look in a table: intervals and bounds in a cell, and the notes that explain them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from arena.cli.output import DASH, new_table, signed
from arena.rating.bot_rows import BotReport
from arena.rating.seats import SeatFigures
from arena.rating.widths import Kind

PROVISIONAL = "*"

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
    """A row for each bot, a gap between groups that never met; a column without any number is left out."""
    columns: list[Extra] = [
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
    for bot, following in zip(bots, [*bots[1:], None], strict=True):
        ends = following is not None and following.component != bot.component
        cells = [cell(bot) for _, cell in columns]
        table.add_row(DASH if bot.place is None else str(bot.place), Text(label(bot.bot)), *cells, end_section=ends)
    return table


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


def order_notes(
    circles: Sequence[Sequence[str]], circle_count: int, seats: Sequence[SeatFigures], *, most: int
) -> Iterator[Note]:
    """Where results contradict an order, and seats that fared better or worse than chance explains; at most so many."""
    for circle in circles[:most]:
        yield "circle", f"{' beat '.join([*circle, circle[0]])}: likely above 95 % each"
    if circle_count > most:
        yield "", f"there are {circle_count} such circles; --luck lists the surest"
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
