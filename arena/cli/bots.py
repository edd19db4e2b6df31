"""`arena bots list|show`: the bots that ever entered a tournament; and what bots are called in tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from arena.cli.output import DASH, SHORT, console, examples, faults_text, harmless, new_table, plain, print_json
from arena.cli.places import results

if TYPE_CHECKING:
    from arena.store.bots import Participation
    from arena.tournament.entries import Entry

app = typer.Typer(help="Look at the bots that ever entered and what happened to them.", no_args_is_help=True)


def labels(entries: Iterable[Entry]) -> Mapping[bytes, str]:
    """A label for each digest, safe to print; a digest that entered under two names goes by the first of them."""
    by_digest: dict[bytes, Entry] = {}
    for entry in entries:
        by_digest.setdefault(entry.digest, entry)
    plain = {digest: harmless(f"{entry.name} {entry.version}") for digest, entry in by_digest.items()}
    times = Counter(plain.values())
    return {digest: f"{label} {digest.hex()[:SHORT]}" if times[label] > 1 else label for digest, label in plain.items()}


@app.command("list", epilog=examples("arena bots list", "arena bots list --json"))
def list_bots(json: Annotated[bool, typer.Option("--json", help="A JSON list.")] = False) -> None:
    """List all bots that ever entered a tournament, by name."""
    from arena.store.errors import StoreEmptyError

    found: Sequence[Participation] = ()
    try:
        with results() as store:
            found = store.bots.participations()
    except StoreEmptyError as error:
        if not json:
            console().print(plain(str(error)))
            return
    bots = [_summary(list(group)) for _, group in groupby(found, key=lambda one: one.bot)]
    if json:
        print_json(bots)
        return
    columns = ("\nbot", "\nversion", "\ndigest", "\ntournaments", "\nmatches", "faults\nin matches", "withdrawn\nfrom")
    table = new_table(*columns, right=["\ntournaments", "\nmatches", "faults\nin matches"])
    for bot in bots:
        numbers = (bot["tournaments"], bot["matches"], faults_text(bot["faults"], bot["fault_matches"], bot["matches"]))
        names = (plain(bot["name"]), plain(bot["version"]), bot["id"][:SHORT])
        table.add_row(*names, *map(str, numbers), plain(", ".join(bot["withdrawn"]) or DASH))
    console().print(table)


@app.command(epilog=examples("arena bots show greedy", "arena bots show greedy --json"))
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name, or the beginning of a digest.")],
    json: Annotated[bool, typer.Option("--json", help="A JSON list, one object a version.")] = False,
) -> None:
    """Show how a bot fared in each tournament: all versions with this name."""
    with results() as store:
        found = store.bots.participations(name)
        forfeits = store.bots.recent_forfeits({one.bot.digest for one in found})
    versions = [list(group) for _, group in groupby(found, key=lambda one: one.bot)]
    if json:
        print_json([_document(version, forfeits) for version in versions])
        return
    for version in versions:
        _tell(version, forfeits)


def _summary(entered: Sequence[Participation]) -> dict[str, Any]:
    """One bot with its sums over all tournaments."""
    bot = entered[0].bot
    matches, faults, fault_matches = (
        sum(getattr(one, field) for one in entered) for field in ("matches", "faults", "fault_matches")
    )
    return {
        "id": bot.digest.hex(),
        "name": bot.name,
        "version": bot.version,
        "remote": bot.remote,
        "tournaments": len(entered),
        "matches": matches,
        "faults": faults,
        "fault_matches": fault_matches,
        "fault_share": fault_matches / matches if matches else None,
        "withdrawn": [one.tournament for one in entered if one.withdrawn is not None],
    }


def _document(entered: Sequence[Participation], forfeits: Mapping[bytes, int]) -> dict[str, Any]:
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
        for one in entered
    ]
    return _summary(entered) | {"recent_forfeits": forfeits.get(entered[0].bot.digest, 0), "fared": fared}


def _tell(entered: Sequence[Participation], forfeits: Mapping[bytes, int]) -> None:
    from arena.store.bots import LAST_MATCHES

    out = console()
    bot = entered[0].bot
    out.print(Text(harmless(f"{bot.name} {bot.version}{' (remote)' if bot.remote else ''}"), "bold"))
    out.print(bot.digest.hex())
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
    count = forfeits.get(bot.digest, 0)
    out.print(f"Forfeited {count} of its last {LAST_MATCHES} matches." if count else "No forfeit in its last matches.")
    out.print()
