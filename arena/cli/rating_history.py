"""`arena rankings --history`: how the ratings came about, block after block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from arena.bots.anchor import anchor_digest
from arena.cli.output import console, new_table, print_json
from arena.cli.rankings import heading
from arena.rating.figures import DASH
from arena.store.documents.rankings import mark_documents
from arena.tournament.labels import labels

if TYPE_CHECKING:
    from arena.store.repository import Repository, StoredTournament

MOST_BOTS = 20
"""So many bots, the best at the end, are on the screen; JSON has all."""

NUMBERS = 4
"""So many ratings of each bot are told as numbers beside its chart."""

REFITTED = "Ratings from the first blocks of the plan, then from ever more; a gap: not compared yet."
RUNNING = (
    "Running Elo in the order of the plan: 1500 at first, and up to 24 points with every match. It forgets and follows "
    "form; the ranking does not use it."
)

BARS = "▁▂▃▄▅▆▇█"


def show_history(
    repository: Repository, stored: StoredTournament, *, clean: bool, json: bool, online: bool = False
) -> None:
    """Print a chart of the ratings over blocks (or of the running Elo), or give them as a JSON list of marks."""
    marks = repository.ratings.history(stored.tournament.id, anchor_digest(), clean=clean, online=online)
    if json:
        print_json(mark_documents(marks))
        return
    out = console()
    blocks = marks[-1].blocks if marks else 0
    out.print(Text(heading(stored, blocks), "bold"))
    out.print()
    if not marks or not marks[-1].ratings:
        out.print("No two bots have met yet.")
        return
    names, last = labels(stored.tournament.entries), marks[-1].ratings
    bots = sorted(last, key=lambda bot: (-last[bot], names[bot]))
    known = [rating for mark in marks for rating in mark.ratings.values()]
    low, high = min(known), max(known)
    told = sorted({round((len(marks) - 1) * part / (NUMBERS - 1)) for part in range(NUMBERS)})
    heads = [f"after\n{marks[index].blocks}" for index in told]
    table = new_table("\nbot", f"from {low:.0f}\nto {high:.0f}", *heads, right=heads)
    for bot in bots[:MOST_BOTS]:
        course = [mark.ratings.get(bot) for mark in marks]
        numbers = (course[index] for index in told)
        cells = (DASH if rating is None else f"{rating:.0f}" for rating in numbers)
        table.add_row(Text(names[bot]), Text(chart(course, low, high)), *cells)
    out.print(table)
    out.print()
    out.print(Text(RUNNING if online else REFITTED, "dim"))
    if len(bots) > MOST_BOTS:
        out.print(Text(f"The best {MOST_BOTS} of {len(bots)} bots; --json has all.", "dim"))


def chart(course: Sequence[float | None], low: float, high: float) -> str:
    """A bar for each rating, all on one scale; a space where there is none."""
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(" " if rating is None else BARS[round((rating - low) * scale)] for rating in course)
