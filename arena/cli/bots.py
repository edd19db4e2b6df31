"""`arena bots list|show`: the bots that were submitted or entered a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.text import Text

from arena.cli.output import console, examples, faults_text, new_table, plain, print_json
from arena.cli.places import results
from arena.cli.retire import WHICH, entered_as
from arena.rating.figures import DASH
from arena.tournament.labels import SHORT, harmless

if TYPE_CHECKING:
    from arena.store.bots import Participation
    from arena.store.submissions import Submission
    from arena.tournament.entries import Entry

app = typer.Typer(
    help="Begin a bot, look at bots and what happened to them, retire and restore them.", no_args_is_help=True
)


@app.command("list", epilog=examples("arena bots list", "arena bots list --json"))
def list_bots(json: Annotated[bool, typer.Option("--json", help="A JSON list.")] = False) -> None:
    """List all bots that were submitted or ever entered a tournament, by name."""
    from arena.store.errors import StoreEmptyError

    bots: Sequence[dict[str, Any]] = ()
    try:
        with results() as store:
            bots = [_summary(bot) for bot in _known(store.bots.participations(), store.submissions.all())]
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
    from arena.store.submissions import meant_by

    with results() as store:
        submitted = meant_by(name, store.submissions.all())
        found = entered_as(name, store.bots, submitted)
        forfeits = store.bots.recent_forfeits({one.bot.digest for one in found})
    versions = _known(found, submitted)
    if json:
        print_json([_document(version, forfeits) for version in versions])
        return
    for version in versions:
        _tell(version, forfeits)


class _Known(NamedTuple):
    """A version of a bot: where it took part, the latest first, and how it was submitted, if it was."""

    bot: Entry
    entered: Sequence[Participation]
    submission: Submission | None


def _known(entered: Iterable[Participation], submitted: Iterable[Submission]) -> list[_Known]:
    """Each version of a bot once, by name, version and digest."""
    from arena.tournament.entries import Entry

    entries = {one: Entry(one.name, one.version, one.digest, one.address != "") for one in submitted}
    by_entry = {entry: one for one, entry in entries.items()}
    by_bot = {bot: list(group) for bot, group in groupby(entered, key=lambda one: one.bot)}
    return [_Known(bot, by_bot.get(bot, ()), by_entry.get(bot)) for bot in sorted({*by_bot, *by_entry})]


def _state(bot: Mapping[str, Any]) -> str:
    """Whose a bot is, and whether it plays: of the summary in `bot`."""
    whose = [f"of {bot['owner']}"] if bot["owner"] else []
    retired = ["retired"] if bot["retired"] else []
    withdrawn = [f"withdrawn from {', '.join(bot['withdrawn'])}"] if bot["withdrawn"] else []
    return ", ".join(whose + retired + withdrawn) or DASH


def _summary(known: _Known) -> dict[str, Any]:
    """One bot with its sums over all tournaments."""
    bot, entered, submission = known
    matches, faults, fault_matches = (
        sum(getattr(one, field) for one in entered) for field in ("matches", "faults", "fault_matches")
    )
    return {
        "id": bot.digest.hex(),
        "name": bot.name,
        "version": bot.version,
        "remote": bot.remote,
        "address": submission.address or None if submission else None,
        "owner": submission.owner if submission else None,
        "submitted": submission.submitted.isoformat() if submission else None,
        "retired": submission.retired.isoformat() if submission and submission.retired else None,
        "tournaments": len(entered),
        "matches": matches,
        "faults": faults,
        "fault_matches": fault_matches,
        "fault_share": fault_matches / matches if matches else None,
        "withdrawn": [one.tournament for one in entered if one.withdrawn is not None],
    }


def _document(known: _Known, forfeits: Mapping[bytes, int]) -> dict[str, Any]:
    fared = [
        {
            "id": one.tournament,
            "name": one.name,
            "opened": one.opened.isoformat(),
            "finished": one.finished.isoformat() if one.finished else None,
            "origin": one.origin,
            "matches": one.matches,
            "mean_place": one.place_sum / one.seats if one.seats else None,
            "faults": one.faults,
            "fault_matches": one.fault_matches,
            "fault_share": one.fault_matches / one.matches if one.matches else None,
            "voids": one.voids,
            "withdrawn": one.withdrawn,
        }
        for one in known.entered
    ]
    return _summary(known) | {"recent_forfeits": forfeits.get(known.bot.digest, 0), "fared": fared}


def _tell(known: _Known, forfeits: Mapping[bytes, int]) -> None:
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
