"""`arena rankings --pairs`: every two bots of a tournament against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from arena.bots.anchor import anchor_digest
from arena.cli.output import console, new_table, print_json
from arena.cli.rankings import heading
from arena.rating.figures import digits, likelihood, signed
from arena.tournament.labels import labels

if TYPE_CHECKING:
    from rich.table import Table

    from arena.rating.comparisons import Pair
    from arena.rating.report import Report
    from arena.store.repository import Repository, StoredTournament

MOST_BOTS = 12
"""So many bots, the best, are on the screen; JSON has all."""

ABREAST = 5
"""So many opponents stand side by side in 80 columns."""

WIDEST = 11
"""A name at the head of a column is cut here."""

READING = (
    "Rating of the row less that of the column, with the interval that holds the truth 95 times in 100; below it how "
    "likely the row is the better. n/a: nothing connects the two."
)


def show_pairs(repository: Repository, stored: StoredTournament, *, clean: bool, json: bool) -> None:
    """Print the matrix of all pairs, or give it as a JSON list with each pair once."""
    from arena.store.documents.rankings import pair_documents
    from arena.store.ratings import report_of

    played = repository.ratings.results(stored.tournament.id)
    report = report_of(played.clean() if clean else played, anchor_digest())
    if json:
        print_json(pair_documents(report))
        return
    names = labels(stored.tournament.entries)
    bots = [bot.bot for bot in report.bots if bot.rating is not None]
    out = console()
    out.print(Text(heading(stored, len(played.keys)), "bold"))
    out.print()
    if not bots:
        out.print("No two bots have met yet.")
        return
    shown = bots[:MOST_BOTS]
    for start in range(0, len(shown), ABREAST):
        out.print(_panel(report, shown, slice(start, start + ABREAST), names))
        out.print()
    out.print(Text(READING, "dim"))
    if len(bots) > len(shown):
        out.print(Text(f"The best {len(shown)} of {len(bots)} bots; --json has all.", "dim"))


def _panel(report: Report[bytes], bots: Sequence[bytes], across: slice, names: Mapping[bytes, str]) -> Table:
    """All bots as rows against some of them as columns."""
    heads = []
    for number, bot in list(enumerate(bots, start=1))[across]:
        name = Text(names[bot])
        name.truncate(WIDEST, overflow="ellipsis")
        heads.append(f"{number}\n{name.plain}")
    table = new_table("\n#", "\nbot", right=["\n#"])
    for head in heads:
        table.add_column(Text(head), justify="right", no_wrap=True, min_width=8)
    for number, bot in enumerate(bots, start=1):
        cells = [_cell(report.comparisons.pair(bot, other)) if other != bot else "" for other in bots[across]]
        table.add_row(str(number), Text(names[bot]), *cells)
    return table


def _cell(pair: Pair[bytes]) -> str:
    if pair.difference is None or pair.half_width is None or pair.los is None:
        return "n/a\n"
    shown = digits(pair.half_width)
    return f"{signed(pair.difference, shown)} ±{pair.half_width:.{shown}f}\n{likelihood(pair.los)}"
