"""`arena tournament run|resume|finish`: their options; the work is in `opening.py`."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.lineups import Lineups
from arena.cli.options import (
    CARDS,
    Keeping,
    Pace,
    Remotes,
    keeping,
    limits,
    option,
    pace,
    variant,
    with_options,
)
from arena.game.variant import Variant, check_variant
from arena.match.limits import Limits
from arena.tournament.bounds import BOUNDS
from arena.tournament.entries import BOTS_PER_OWNER

PANEL = "Who meets whom"

FORMATS = """How lineups are chosen:

round-robin: everybody meets everybody (default);

gauntlet: one bot meets all others;

swiss: equals meet, round after round;

knockout: who loses a tie is out."""

Bots = Annotated[
    list[str] | None,
    typer.Argument(
        help="Folders, names or addresses (grpc://host:port, grpcs:// with TLS) of bots, or 'all'. Default: what was "
        "submitted, my_bots/ and the quick samples."
    ),
]


def lineups(
    format_name: Annotated[str | None, option(PANEL, FORMATS, "--format", metavar="WORD", show_default=False)] = None,
    number: Annotated[
        int | None, option(PANEL, "Lineups, when not all are to be played.", "--lineups", **BOUNDS["lineups"]._asdict())
    ] = None,
    rounds: Annotated[int | None, option(PANEL, "Rounds of a swiss.", **BOUNDS["rounds"]._asdict())] = None,
    challenger: Annotated[
        list[str] | None, option(PANEL, "The bot of a gauntlet that meets all others; may be repeated.", metavar="BOT")
    ] = None,
    until: Annotated[
        str | None,
        option(
            PANEL,
            "Choose the lineups that tell most about a question, and stop when it is answered: 'leader at 95 %', "
            "'top-3 separated', 'top-3 in order', 'newcomer A' or 'pair A B'; 95 % is assumed.",
            metavar="QUESTION",
        ),
    ] = None,
    most_blocks: Annotated[
        int | None, option(PANEL, "The budget of --until.", **BOUNDS["most_blocks"]._asdict())
    ] = None,
) -> Lineups:
    """What the options ask for."""
    return Lineups(format_name, number, rounds, tuple(challenger or ()), until, most_blocks)


@with_options(lineups=lineups, variant=variant, limits=limits, keeping=keeping, pace=pace)
def run(
    bots: Bots = None,
    seats: Annotated[int, option(PANEL, "Seats at a table: 2 to 8, or 10 with two decks.")] = 3,
    deals: Annotated[
        int | None,
        option(
            PANEL, "Blocks of each lineup; default: for over 200 matches (knockout: 1).", **BOUNDS["deals"]._asdict()
        ),
    ] = None,
    bots_per_owner: Annotated[
        int,
        option(
            PANEL,
            "How many bots of one owner may play; bots that nobody submitted have none.",
            **BOUNDS["bots_per_owner"]._asdict(),
        ),
    ] = BOTS_PER_OWNER,
    *,
    lineups: Lineups,
    variant: Variant,
    limits: Limits,
    keeping: Keeping,
    pace: Pace,
) -> None:
    """Play a tournament and print its ranking.

    A bot that forfeited more than half of its last 20 matches is left out, unless it is named or restored.
    """
    check_variant(variant, seats)
    format_name = lineups.format_name()
    from arena.cli.opening import open_and_play
    from arena.cli.order import Order

    named = tuple(bots or ())
    options = lineups.options
    open_and_play(
        Order(named, format_name, seats, deals, variant, limits, keeping, options, seats, bots_per_owner), pace
    )


@with_options(pace=pace)
def resume(
    tournament: Annotated[str | None, typer.Argument(help="Id or name; default: the latest.")] = None,
    bots: Annotated[list[str] | None, typer.Argument(help="Folders of bots that have moved since.")] = None,
    remotes: Remotes = None,
    beacon_text: Annotated[
        str | None, option(CARDS, "The text of its beacon, for which it waits.", metavar="TEXT", show_default=False)
    ] = None,
    *,
    pace: Pace,
) -> None:
    """Play what a stopped tournament has left, and print its ranking."""
    from arena.cli.opening import resume_and_play

    resume_and_play(tournament, tuple(bots or ()), remotes, beacon_text, pace)


def finish(
    tournament: Annotated[str | None, typer.Argument(help="Id or name; default: the latest.")] = None,
) -> None:
    """Finish a tournament without the blocks of its withdrawn bots.

    Everything else must have been played. The secret behind the cards is shown from then on, so that everybody can
    check them, and `arena bots restore` brings nobody back into this tournament.
    """
    from arena.cli.opening import finish_without

    finish_without(tournament)
