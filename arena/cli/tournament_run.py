"""`arena tournament run|resume|finish`: their options; the work is in `opening.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.game.variant import Crossing, Finish, Variant, check_variant
from arena.match.limits import Limits
from arena.settings import REMOTES_VARIABLE

Bots = Annotated[
    list[str] | None,
    typer.Argument(
        help="Folders, names or addresses (grpc://host:port, grpcs:// with TLS) of bots, or 'all'. Default: the quick "
        "samples and my_bots/."
    ),
]
Remotes = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        envvar=REMOTES_VARIABLE,
        help="TOML file that names, for each address of a remote bot, the files of ca, cert, key and token.",
    ),
]
Workers = Annotated[int | None, typer.Option(min=1, max=256, help="Worker processes; default: one a core.")]
Tables = Annotated[int | None, typer.Option(min=1, max=65_536, help="Matches in progress at once in a worker.")]
Sandbox = Annotated[str, typer.Option(help="auto, require or off.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Only the ranking, no progress.")]


def run(
    bots: Bots = None,
    format_name: Annotated[str, typer.Option("--format", help="How lineups are chosen.")] = "round-robin",
    seats: Annotated[int, typer.Option(help="Seats at a table: 2 to 8, or 10 with two decks.")] = 3,
    deals: Annotated[int | None, typer.Option(min=1, help="Blocks of each lineup; default: over 200 matches.")] = None,
    threshold: Annotated[int, typer.Option(min=0, max=100_000, help="Points that knock out; 0 for never.")] = 50,
    crossing: Annotated[Crossing, typer.Option(case_sensitive=False, help="What crossing it means.")] = Crossing.BEYOND,
    finish: Annotated[Finish, typer.Option(case_sensitive=False, help="When a match ends.")] = Finish.LAST_STANDING,
    decks: Annotated[int, typer.Option(help="Decks of cards, 1 or 2.")] = 1,
    lap_cap: Annotated[int, typer.Option(min=2, max=1_000, help="Laps until a showdown.")] = 60,
    deal_cap: Annotated[int, typer.Option(min=0, max=10_000, help="Deals of a match; 0 for no limit.")] = 0,
    hand_size: Annotated[int, typer.Option(help="Cards dealt to a seat.")] = 5,
    penalty: Annotated[int, typer.Option(min=0, max=1_000, help="Points for a false declaration.")] = 20,
    upcard: Annotated[bool, typer.Option(help="Turn up one card at the start of a deal.")] = True,
    mixed_pairs: Annotated[bool, typer.Option("--mixed-pairs", help="Allow two pairs of different ranks.")] = False,
    tie_holds: Annotated[bool, typer.Option(help="A declaration that ties for the lowest holds.")] = True,
    seed: Annotated[str | None, typer.Option(metavar="HEX64", help="The secret, to reproduce a tournament.")] = None,
    beacon: Annotated[str, typer.Option(help="Name of a public value that does not exist yet.")] = "",
    beacon_text: Annotated[
        str | None, typer.Option(help="Its text; asked for when it is not given.", show_default=False)
    ] = None,
    show_names: Annotated[bool, typer.Option("--show-names", help="Tell the bots whom they play.")] = False,
    workers: Workers = None,
    tables: Tables = None,
    turn_limit_ms: Annotated[int, typer.Option(min=1, max=3_600_000, help="Time of a turn.")] = 500,
    bank_ms: Annotated[int, typer.Option(min=0, max=3_600_000, help="Time a match beyond the turns.")] = 10_000,
    strikes: Annotated[int, typer.Option(min=1, max=1_000, help="The fault of a match that forfeits.")] = 3,
    sandbox: Sandbox = "auto",
    name: Annotated[str, typer.Option(help="A name to find the tournament by.")] = "",
    remotes: Remotes = None,
    quiet: Quiet = False,
) -> None:
    """Play a tournament and print its ranking.

    A bot that forfeited more than half of its last 20 matches is left out, unless it is named or restored.
    """
    variant = Variant(
        hand_size, decks, upcard, mixed_pairs, tie_holds, penalty, threshold, crossing, finish, lap_cap, deal_cap
    )
    check_variant(variant, seats)
    limits = Limits(turn_limit_ms, bank_ms, strikes, show_names)
    from arena.cli.opening import Pace, open_and_play
    from arena.cli.order import Order

    order = Order(
        tuple(bots or ()), format_name, seats, deals, variant, limits, seed, beacon, beacon_text, sandbox, name, remotes
    )
    open_and_play(order, Pace(workers, tables, quiet))


def resume(
    tournament: Annotated[str | None, typer.Argument(help="Id or name; default: the latest.")] = None,
    bots: Annotated[list[str] | None, typer.Argument(help="Folders of bots that have moved since.")] = None,
    workers: Workers = None,
    tables: Tables = None,
    remotes: Remotes = None,
    quiet: Quiet = False,
) -> None:
    """Play what a stopped tournament has left, and print its ranking."""
    from arena.cli.opening import Pace, resume_and_play

    resume_and_play(tournament, tuple(bots or ()), remotes, Pace(workers, tables, quiet))


def finish(
    tournament: Annotated[str | None, typer.Argument(help="Id or name; default: the latest.")] = None,
) -> None:
    """Finish a tournament without the blocks of its withdrawn bots.

    Everything else must have been played. The secret behind the cards is shown from then on, so that everybody can
    check them, and `arena bots restore` brings nobody back into this tournament.
    """
    from arena.cli.opening import finish_without

    finish_without(tournament)
