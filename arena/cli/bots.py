"""`arena bots list|show`: the bots that were submitted or entered a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from arena.cli.output import console, examples, faults_text, new_table, plain, print_json
from arena.cli.places import results
from arena.cli.retire import WHICH
from arena.rating.figures import DASH
from arena.tournament.labels import SHORT, harmless

if TYPE_CHECKING:
    from arena.store.bots import Participation
    from arena.store.known import KnownBot

app = typer.Typer(
    help="Begin a bot, look at bots and what happened to them, retire and restore them.", no_args_is_help=True
)


@app.command("list", epilog=examples("arena bots list", "arena bots list --json"))
def list_bots(json: Annotated[bool, typer.Option("--json", help="A JSON list.")] = False) -> None:
    """List all bots that were submitted or ever entered a tournament, by name."""
    from arena.store.documents.bots import bot_document
    from arena.store.errors import StoreEmptyError
    from arena.store.known import known_bots

    bots: Sequence[dict[str, Any]] = ()
    try:
        with results() as store:
            bots = [bot_document(bot) for bot in known_bots(store.bots.participations(), store.submissions.all())]
    except StoreEmptyError as error:
        if not json:
            console().print(plain(str(error)))
            return
    if json:
        print_json(bots)
        return
    columns = ("\nbot", "\nversion", "\ndigest", "\nstate", "tourna-\nments", "\nmatches", "faults\nin matches")
    table = new_table(*columns, right=columns[-3:])
    for bot in bots:
        names = (plain(bot["name"]), plain(bot["version"]), bot["id"][:SHORT], plain(_state(bot)))
        faults = faults_text(bot["faults"], bot["fault_matches"], bot["matches"])
        table.add_row(*names, str(bot["tournaments"]), str(bot["matches"]), faults)
    console().print(table)


@app.command(epilog=examples("arena bots show greedy", "arena bots show greedy --json"))
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help=WHICH)],
    json: Annotated[bool, typer.Option("--json", help="A JSON list, one object a version.")] = False,
) -> None:
    """Show whose a bot is and how it fared in each tournament: all versions with this name."""
    from arena.store.documents.bots import whole_bot_document
    from arena.store.known import entered_as, known_bots
    from arena.store.submissions import meant_by

    with results() as store:
        submitted = meant_by(name, store.submissions.all())
        found = entered_as(name, store.bots, submitted)
        forfeits = store.bots.recent_forfeits({one.bot.digest for one in found})
    versions = known_bots(found, submitted)
    if json:
        print_json([whole_bot_document(one, forfeits.get(one.bot.digest, 0)) for one in versions])
        return
    for version in versions:
        _tell(version, forfeits)


def _state(bot: Mapping[str, Any]) -> str:
    """Whose a bot is, and whether it plays: of the summary in `bot`."""
    whose = [f"of {bot['owner']}"] if bot["owner"] else []
    retired = ["retired"] if bot["retired"] else []
    withdrawn = [f"withdrawn from {', '.join(bot['withdrawn'])}"] if bot["withdrawn"] else []
    return ", ".join(whose + retired + withdrawn) or DASH


def _tell(known: KnownBot, forfeits: Mapping[bytes, int]) -> None:
    out = console()
    bot, entered, submission = known
    out.print(Text(harmless(f"{bot.name} {bot.version}{' (remote)' if bot.remote else ''}"), "bold"))
    out.print(bot.digest.hex())
    if submission is not None:
        at = f" at {submission.address}" if submission.address else ""
        out.print(
            plain(f"Submitted by {submission.owner} on {submission.submitted:%Y-%m-%d %H:%M}{at}."), soft_wrap=True
        )
        if submission.retired is not None:
            out.print(f"Retired on {submission.retired:%Y-%m-%d %H:%M}: it enters no new tournament.")
    if entered:
        _tell_how_it_fared(out, entered, forfeits.get(bot.digest, 0))
    else:
        out.print("It has entered no tournament yet.")
    out.print()


def _tell_how_it_fared(out: Console, entered: Sequence[Participation], forfeited: int) -> None:
    from arena.store.bots import LAST_MATCHES

    columns = ("\ntournament", "\nopened", "\nmatches", "mean\nplace", "faults\nin matches", "\nvoids")
    table = new_table(*columns, right=columns[2:])
    for one in entered:
        table.add_row(
            plain(one.tournament if one.name in ("", one.tournament) else f"{one.tournament} {one.name}"),
            f"{one.opened:%Y-%m-%d %H:%M}",
            str(one.matches),
            f"{one.place_sum / one.seats:.2f}" if one.seats else DASH,
            faults_text(one.faults, one.fault_matches, one.matches),
            str(one.voids),
        )
    out.print(table)
    for one in entered:
        if one.withdrawn is not None:
            out.print(plain(f"Withdrawn from {one.tournament}: {one.withdrawn}"), soft_wrap=True)
    often = f"Forfeited {forfeited} of its last {LAST_MATCHES} matches."
    out.print(often if forfeited else "No forfeit in its last matches.")
