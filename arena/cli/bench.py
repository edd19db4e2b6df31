"""`arena bench`: what this arena measures of itself and of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.text import Text

from arena.cli.output import console, error_console, examples, new_table, print_json

if TYPE_CHECKING:
    from arena.analysis.luck import Sample
    from arena.rating.luck import DesignEffect
    from arena.rating.results import Results

app = typer.Typer(help="Measurements.", no_args_is_help=True)

SIZES = (2, 3, 4, 6)
"""The tables that are measured."""

BLOCKS = 300


class Measured(NamedTuple):
    """One table size: whether whole matches or single deals, with orders of the deck shared by all seats or not."""

    seats: int
    matches: bool
    shared: bool
    effect: DesignEffect
    left_points: float
    left_places: float


@app.command(epilog=examples("arena bench luck", "arena bench luck --blocks 1000 --json"))
def luck(
    blocks: Annotated[int, typer.Option(min=10, max=100_000, help="Blocks of each kind.")] = BLOCKS,
    json: Annotated[bool, typer.Option("--json", help="A JSON list.")] = False,
) -> None:
    """Measure how much luck duplicate deals take out of results.

    Two greedy bots, one of which declares later, play blocks in all rotations of the seats. The design effect compares
    the scatter of a block's mean with that of as many matches on deals of their own: at 0.5 half the matches do. Its
    interval of 95 % (±) is told from 30 blocks on.
    """
    found = []
    with error_console().status("playing") as status:
        for seats in SIZES:
            for matches in (False, True):
                for shared in (False, True):
                    status.update(f"playing at tables of {seats}")
                    found.append(measure(seats, blocks, matches=matches, shared=shared))
    if json:
        print_json([_row(one, blocks) for one in found])
    else:
        _show(found, blocks)


def measure(seats: int, blocks: int, *, matches: bool, shared: bool) -> Measured:
    """Play so many blocks, and as many with other cards, at tables of `seats`."""
    from arena.analysis.luck import left_of_variance, sample
    from arena.analysis.policies import Greedy
    from arena.game.variant import Variant
    from arena.rating.luck import design_effect

    variant = Variant() if matches else Variant(threshold=0, deal_cap=1)
    two = Greedy(declare_at=5), Greedy(declare_at=8)
    measured, training = (sample(two, seats, variant, blocks, name, shared=shared) for name in ("measured", "training"))
    results, trained = _results(measured), _results(training)
    assert results.lead is not None and trained.lead is not None
    return Measured(
        seats,
        matches,
        shared,
        design_effect(results),
        left_of_variance(measured, results.lead, training, trained.lead),
        left_of_variance(measured, measured.share, training, training.share),
    )


def _results(of: Sample) -> Results[str]:
    """A sample as ratings see it; its rows stay in their order."""
    from arena.rating.results import Results

    where: dict[str, Any] = {"block": of.block, "match": of.rotation, "seat": of.seat, "bot": of.policy}
    what: dict[str, Any] = {"place": of.place, "points": of.points, "deals": of.deals, "faulted": of.policy < 0}
    return Results.from_columns(["early", "late"], range(int(of.block[-1]) + 1), **where, **what)


def _row(one: Measured, blocks: int) -> dict[str, Any]:
    return {
        "seats": one.seats,
        "what": "matches" if one.matches else "deals",
        "orders": "shared" if one.shared else "per seat",
        "blocks": blocks,
        "design_effect": one.effect._asdict(),
        "left_without_draw_luck": {"points": one.left_points, "places": one.left_places},
    }


def _show(found: list[Measured], blocks: int) -> None:
    from arena.rating.wording import effect_text

    columns = ("seats", "what", "orders", "points", "places", "points\nleft", "places\nleft")
    table = new_table(*columns, right=[column for column in columns if column not in ("what", "orders")])
    for before, one in zip([None, *found], found, strict=False):
        if before is not None and before.seats != one.seats:
            table.add_row()
        table.add_row(
            str(one.seats),
            "whole matches" if one.matches else "single deals",
            "one for all" if one.shared else "one a seat",
            effect_text(one.effect.points, one.effect.points_error),
            effect_text(one.effect.places, one.effect.places_error),
            f"{one.left_points:.2f}",
            f"{one.left_places:.2f}",
        )
    out = console()
    out.print(Text(f"Design effect of duplicate deals, {blocks} blocks of two greedy bots each", "bold"))
    out.print()
    out.print(table)
    out.print()
    for note in (
        "Below 1 the duplicate deals pay: so many times as many matches are needed as without. Orders: here each seat "
        "draws from an order of its own, so that its cards do not depend on what others take.",
        "Left: what is left of a block's variance when the luck of drawn cards is also taken out, by coefficients from "
        "blocks with other cards. So little is gained that rankings do without.",
    ):
        out.print(Text(note, "dim"))
