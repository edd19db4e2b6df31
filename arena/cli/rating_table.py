"""How ratings look on a terminal: the table, and the notes below it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from arena.cli.output import new_table
from arena.rating.bot_rows import BotReport
from arena.rating.figures import DASH
from arena.rating.notes import Note
from arena.rating.wording import group_count, points_text, rank_text, rating_text

Extra = tuple[str, Callable[[BotReport[Any]], str]]
"""A further column: its head, and what stands in it."""


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


def group_text(bot: BotReport[Any]) -> str:
    """The number of a bot's group, from 1; a dash for a bot that met no other."""
    return DASH if bot.component is None else str(bot.component + 1)


def notes_table(notes: Iterable[Note]) -> Table:
    """Notes with what each is about in front of it."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(style="dim", overflow="fold")
    for note in notes:
        table.add_row(Text(note.about), Text(note.told()))
    return table
