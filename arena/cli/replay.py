"""`arena replay`: a finished match in the terminal, turn by turn, with all hands or through the eyes of one seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from arena.cli.errors import Misuse
from arena.cli.output import console
from arena.cli.places import results
from arena.tournament.labels import SHORT, labels, seat_labels

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from arena.match.record import MatchRecord
    from arena.store.archive import StoredMatch


def replay(
    match: Annotated[
        str, typer.Argument(metavar="ID", help="The match, as `arena matches` shows it.", show_default=False)
    ],
    seat: Annotated[
        int | None, typer.Option(min=0, help="See it through the eyes of this seat.", show_default=False)
    ] = None,
    deal: Annotated[int | None, typer.Option(min=0, help="This deal alone, from 0.", show_default=False)] = None,
) -> None:
    """Show a finished match turn by turn. Set NO_COLOR for a terminal without colours."""
    from arena.cli.render import match_lines
    from arena.store.exporting import read_record

    with results() as store:
        found = store.matches.find(match)
        stored = store.tournaments.tournament(found.tournament)
    record = read_record(found)
    check_number("seat", seat, len(record.seats))
    check_number("deal", deal, len(record.deals))
    names = labels(stored.tournament.entries)
    out = console()
    for line in _heading(found, record, names, seat):
        out.print(line)
    short = seat_labels(record.seats, stored.tournament.entries)
    for line in match_lines(record, short, viewer=seat, deal=deal, width=out.width):
        out.print(line, soft_wrap=True)


def _heading(match: StoredMatch, record: MatchRecord, names: Mapping[bytes, str], viewer: int | None) -> Iterator[Text]:
    """Which match, who sits where, what is not as in the standard game, and what is to be seen."""
    yield Text(f"Match {match.tournament}/{record.block_id.hex()[:SHORT]}/{record.rotation}", "bold")
    for seat, bot in enumerate(record.seats):
        yield Text(f"  {seat} {names[bot]}  {bot.hex()[:SHORT]}")
    changed = [f"{name} {value}" for name, value in record.variant.changes().items()]
    yield Text(f"Rules: {', '.join(changed) if changed else 'standard'}")
    seen = "All hands are shown" if viewer is None else f"Only what seat {viewer} could see is shown"
    yield Text(f"{seen}. Open cards that are not taken are dead.", "dim")


def check_number(what: str, number: int | None, count: int) -> None:
    """Misuse when a match has so many of something, from 0, and no such one; None is none."""
    if number is not None and number >= count:
        raise Misuse(f"there is no {what} {number} in this match: choose one of 0 to {count - 1}")
