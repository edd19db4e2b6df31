"""`arena rankings --luck`: what duplicate deals save, whether the seat mattered, where results contradict an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from arena.bots.anchor import anchor_digest
from arena.cli.output import console, new_table, print_json
from arena.cli.rankings import heading
from arena.rating.figures import DASH, signed
from arena.rating.luck import FEW_BLOCKS
from arena.rating.wording import beyond_chance, effect_text
from arena.store.documents.rankings import luck_document
from arena.tournament.labels import labels

if TYPE_CHECKING:
    from rich.table import Table

    from arena.store.ratings_lists import Summary
    from arena.store.repository import Repository, StoredTournament


def show_luck(repository: Repository, stored: StoredTournament, *, clean: bool, json: bool) -> None:
    """Print what is known of luck in a tournament, or give it as one JSON object."""
    rated = repository.ratings.current(stored.tournament.id, anchor_digest(), clean=clean)
    if json:
        print_json(luck_document(stored.tournament.id, rated.summary))
        return
    names = labels(stored.tournament.entries)
    out = console()
    out.print(Text(heading(stored, rated.blocks), "bold"))
    out.print()
    out.print(_deals(rated.summary))
    if rated.summary.seats:
        out.print()
        out.print(_seats(rated.summary))
        out.print()
        out.print(Text("±: as far as chance alone takes them; * is farther than that.", "dim"))
    out.print()
    share = rated.summary.cyclic_share
    if share is not None:
        out.print(f"Of what the pairs tell, {100 * share:.0f} % fits no order of the bots; chance does that, too.")
    for circle in rated.summary.circles:
        order = " beat ".join(names[bot] for bot in (*circle.bots, circle.bots[0]))
        out.print(Text(f"{order} (each with a likelihood of {100 * circle.superiority:.1f} % or more)"))
    if (more := rated.summary.circle_count - len(rated.summary.circles)) > 0:
        out.print(f"and {more} more")
    if not rated.summary.circle_count:
        out.print("No three bots beat each other in a circle.")


def _deals(summary: Summary) -> str:
    effect = summary.design_effect
    if effect.places_error is None and effect.points_error is None:
        return f"Too few blocks to tell what it saves that all seats play the same deals: it takes {FEW_BLOCKS} a bot."
    places = effect_text(effect.places, effect.places_error)
    points = effect_text(effect.points, effect.points_error)
    return (
        f"Design effect: {places} by places, {points} by points a deal. So much does the mean over a block scatter, "
        "against as many matches on deals of their own: below 1 it pays that all seats play the same deals."
    )


def _seats(summary: Summary) -> Table:
    columns = ("table\nof", "\nseat", "\nmatches", "mean\nplace", "others\nbeaten", "points\na deal")
    table = new_table(*columns, right=columns)
    for seat in summary.seats:
        share = f"{100 * seat.share:.1f} %" + _chance(seat.share_chance, 100, 1)
        lead = DASH if seat.lead is None else signed(seat.lead) + _chance(seat.lead_chance, 1, 2)
        mark = "*" if beyond_chance(seat) else ""
        numbers = (seat.seats, seat.seat, seat.matches, f"{seat.mean_place:.2f}")
        table.add_row(*map(str, numbers), share + mark, lead)
    return table


def _chance(half_width: float | None, scale: float, digits: int) -> str:
    return "" if half_width is None else f" ± {scale * half_width:.{digits}f}"
