"""`arena play`: a person in the terminal against bots, at a table like that of a tournament, but for the clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import Misuse
from arena.cli.options import CARDS, MACHINE, Remotes, option, variant, with_options
from arena.cli.output import count
from arena.game.variant import Variant, check_variant
from arena.tournament.labels import harmless

if TYPE_CHECKING:
    from arena.bots.remote import Keyring
    from arena.cli.choosing import Choice

OPPONENTS = ("planner", "greedy")
"""The sample bots at the table when none are named."""


@with_options(variant=variant)
def play(
    bots: Annotated[
        list[str] | None,
        typer.Argument(help=f"Folders, names or addresses of bots. Default: {' and '.join(OPPONENTS)}."),
    ] = None,
    seats: Annotated[
        int | None,
        typer.Option(metavar="N", help="Seats at the table, filled up with sample bots.", show_default=False),
    ] = None,
    seat: Annotated[int, typer.Option(metavar="N", min=0, help="Your seat; seat 0 begins.")] = 0,
    seed: Annotated[
        str | None, option(CARDS, "The seed of the cards, to play them again.", metavar="HEX64", show_default=False)
    ] = None,
    sandbox: Annotated[str, option(MACHINE, "auto, require or off.", metavar="WORD")] = "auto",
    remotes: Remotes = None,
    *,
    variant: Variant,
) -> None:
    """Play a match against bots yourself.

    The bots are asked, timed and judged as in a tournament, and you have all the time in the world. Nothing of it is
    stored or rated. Type ? at your turn for what can be typed.
    """
    from arena.bots.launcher import Launcher
    from arena.bots.remote import Keyring
    from arena.cli.order import sandboxing, secret_of
    from arena.cli.sitting import sit_down
    from arena.cli.stopping import stopping_cleanly
    from arena.cli.submitted import check_kept
    from arena.match.limits import ProcessLimits

    with stopping_cleanly():
        named = bots or []
        wanted = seats or max(len(named) or len(OPPONENTS), 1) + 1
        check_variant(variant, wanted)
        if seat >= wanted:
            raise Misuse(f"there is no seat {seat} at a table of {wanted}: choose one of 0 to {wanted - 1}")
        secret, kept = secret_of(seed), sandboxing(sandbox)
        choice = _opponents(named, wanted - 1, Keyring(remotes))
        check_kept(choice.bots, kept.level)
        for note in filter(None, (*(choice.notes if named else ()), kept.note)):
            typer.echo(harmless(note), err=True)
        with Launcher(ProcessLimits(), kept.level) as launcher:
            sit_down(choice.bots, seat, variant, secret, launcher)


def _opponents(named: Sequence[str], number: int, keyring: Keyring) -> Choice:
    """The bots in the other seats; Misuse when there are more or fewer."""
    from arena.cli.choosing import choose

    choice = choose(named or OPPONENTS[:number], number, keyring, lambda _: {}, beside=1)
    if (there := len(choice.bots)) > number:
        raise Misuse(
            f"{count(there, 'bot')} and you are {there + 1}, but --seats {number + 1} was chosen: "
            "leave it out, or name fewer bots"
        )
    return choice
