"""`arena matches`: the finished matches, the latest first, a page at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from arena.cli.output import console, new_table, print_json
from arena.cli.places import results
from arena.rating.figures import DASH
from arena.store.documents.matches import match_document
from arena.tournament.labels import SHORT, labels

if TYPE_CHECKING:
    from arena.store.archive import ListedSeat


def matches(
    bot: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only matches of the bot with this name or digest.")
    ] = None,
    tournament: Annotated[
        str | None, typer.Option(metavar="ID", help="Only matches of the tournament with this id or name.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many matches.")] = 20,
    after: Annotated[
        int | None, typer.Option(metavar="KEY", help="The page after the match with this key.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="A JSON list.")] = False,
) -> None:
    """List finished matches, the latest first: how they ended, places, points, faults."""
    with results() as store:
        page = store.matches.matches(tournament=tournament, bot=bot, before=after, limit=limit)
    if json:
        print_json([match_document(match) for match in page])
        return
    out = console()
    if not page:
        out.print("No match was finished here yet." if after is None else "There are no earlier matches.")
        return
    names = labels(seat.bot for match in page for seat in match.seats)
    table = new_table("match", "deals", "ending", "place bot points", right=["deals"])
    for match in page:
        shown = Text(f"{match.tournament}/{match.block_id.hex()[:SHORT]}/{match.rotation}")
        fared = sorted(match.seats, key=lambda seat: seat.place)
        line = ", ".join(_fared(seat, names[seat.bot.digest]) for seat in fared)
        ending = match.ending.value.lower().replace("_", " ") if match.ending else DASH
        table.add_row(shown, str(match.deals), ending, Text(line))
    out.print(table)
    if len(page) == limit:
        out.print(f"\nEarlier ones: --after {page[-1].id}", style="dim")


def _fared(seat: ListedSeat, name: str) -> str:
    """Place, name and points of a seat, and what went wrong with it."""
    wrong = f" ({seat.faults} fault{'' if seat.faults == 1 else 's'}{', forfeited' * seat.forfeited})"
    return f"{seat.place} {name} {seat.points}{wrong if seat.faults else ''}"
