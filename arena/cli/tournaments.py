"""`arena tournament list|show`: the tournaments that there are, and all that was fixed when one opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from arena.cli.lineups import SELF_SIZED
from arena.cli.output import console, count, examples, new_table, plain, print_json
from arena.cli.places import results
from arena.rating.figures import DASH
from arena.tournament.labels import SHORT

if TYPE_CHECKING:
    from arena.store.course import Course
    from arena.store.repository import EntryState, MissingBlock, StoredTournament

MOST_SHOWN = 10
"""So many blocks that were given up are named on the screen; JSON has them all."""

app = typer.Typer(help="Play tournaments and look at them.", no_args_is_help=True)


@app.command("list", epilog=examples("arena tournament list", "arena tournament list --json"))
def list_tournaments(json: Annotated[bool, typer.Option("--json", help="A JSON list.")] = False) -> None:
    """List all tournaments, the latest first."""
    from arena.store.documents.tournaments import tournament_document
    from arena.store.errors import StoreEmptyError

    found: Sequence[StoredTournament] = ()
    try:
        with results() as store:
            found = store.tournaments.tournaments()
    except StoreEmptyError as error:
        if not json:
            console().print(plain(str(error)))
            return
    if json:
        print_json([tournament_document(stored) for stored in found])
        return
    table = new_table("tournament", "name", "opened", "seats", "bots", "blocks", "state", right=["seats", "bots"])
    for column in table.columns[2:]:
        column.no_wrap = True
    for stored in found:
        opened = stored.tournament
        table.add_row(
            plain(opened.id),
            plain(opened.name or DASH),
            f"{opened.opened:%Y-%m-%d %H:%M}",
            str(opened.seats),
            str(len(opened.entries)),
            _progress(stored),
            "finished" if stored.finished else "not finished",
        )
    console().print(table)


@app.command(epilog=examples("arena tournament show", "arena tournament show ID --json"))
def show(
    tournament: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Id or name; the latest by default.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show what was fixed when a tournament opened, how far it is, and what its cards can be trusted for."""
    from arena.store.course import course
    from arena.store.documents.tournaments import whole_tournament_document

    with results() as store:
        repository = store.tournaments
        stored = repository.latest() if tournament is None else repository.tournament(tournament)
        entries = repository.entries(stored.tournament.id)
        missing = repository.missing(stored.tournament.id)
        went = course(repository, stored)
    if json:
        print_json(whole_tournament_document(stored, entries, missing, went))
    else:
        _tell(console(), stored, entries, [block for block in missing if _was_given_up(block)], went)


def _tell(
    out: Console,
    stored: StoredTournament,
    entries: Sequence[EntryState],
    given_up: Sequence[MissingBlock],
    went: Course | None,
) -> None:
    facts = new_table("", "")
    facts.show_header = False
    for name, value in _facts(stored, went):
        facts.add_row(Text(name, "bold"), plain(value))
    out.print(facts)
    table = new_table("\nbot", "\nversion", "\nvoids", "\ndigest", right=["\nvoids"])
    for state in entries:
        remote = " (remote)" if state.entry.remote else ""
        digest = state.entry.digest.hex()[:SHORT]
        table.add_row(plain(state.entry.name + remote), plain(state.entry.version), str(state.voids), digest)
    out.print(table)
    for state in entries:
        if state.withdrawn is not None:
            out.print(plain(f"{state.entry.name} {state.entry.version} was withdrawn: {state.withdrawn}"))
    for block in given_up[:MOST_SHOWN]:
        out.print(plain(f"block {block.block.block_id.hex()} failed too often and was given up: {block.reason}"))
    if len(given_up) > MOST_SHOWN:
        out.print(f"and {len(given_up) - MOST_SHOWN} more: see --json")
    out.print()
    if went is not None and went.closing:
        out.print(plain(went.closing))
    for line in _promises(stored):
        out.print(plain(line))


def _facts(stored: StoredTournament, went: Course | None) -> Iterator[tuple[str, str]]:
    from arena.tournament.blocks import commitment
    from arena.tournament.entries import entries_digest
    from arena.tournament.labels import labels

    opened = stored.tournament
    yield "tournament", f"{opened.id} ({opened.name})" if opened.name else opened.id
    deals = "" if opened.format in SELF_SIZED else f", {count(opened.deals, 'block')} a lineup"
    yield "format", f"{opened.format}, tables of {opened.seats}{deals}"
    if opened.options:
        names = {digest.hex(): label for digest, label in labels(opened.entries).items()}
        yield "options", ", ".join(f"{name} {_option(value, names)}" for name, value in opened.options.items())
    if went is not None:
        yield "rounds", str(went.rounds)
    yield "opened", opened.opened.isoformat(" ", "seconds")
    yield "finished", stored.finished.isoformat(" ", "seconds") if stored.finished else "not yet"
    yield "blocks", ", ".join(f"{count} {state.value}" for state, count in stored.blocks.items() if count) or "none"
    yield "rules", _values(opened.variant.as_dict())
    yield "limits", _values(opened.limits.as_dict())
    yield "sandbox", opened.sandbox
    yield "entries digest", entries_digest(opened.entries).hex()
    yield "commitment", commitment(opened.secret).hex()
    yield "secret", opened.secret.hex() if stored.finished else "kept until the tournament is finished"
    if opened.beacon or opened.beacon_text:
        yield "beacon", f"{opened.beacon}: {opened.beacon_text or 'not told yet'}"


def _promises(stored: StoredTournament) -> Iterator[str]:
    """What the commitment proves, and no more."""
    opened = stored.tournament
    if opened.beacon:
        yield "With the commitment and a beacon that did not exist then, nobody could have chosen the cards."
    else:
        yield "Nobody could change the cards after the commitment. (With a beacon nobody could have chosen them.)"
    if any(entry.remote for entry in opened.entries):
        yield "No duplicate deals where a remote bot sat: it could remember them, so each of its matches has own cards."
    if stored.finished:
        yield f"Check it: arena export {opened.id} --out FILE, then arena verify FILE."
    elif stored.waiting():
        yield waits_for(stored)
    else:
        yield f"Play on: arena tournament resume {opened.id}"


def waits_for(stored: StoredTournament) -> str:
    """What can be done with a tournament of which only blocks of withdrawn bots are left."""
    from arena.tournament.ports import BlockState

    blocks = count(stored.blocks[BlockState.WITHDRAWN], "block")
    name = stored.tournament.id
    return (
        f"Not played: {blocks} of withdrawn bots. When they start again: `arena bots restore NAME`, then "
        f"`arena tournament resume {name}`. To finish without them, and show the secret behind the cards: "
        f"`arena tournament finish {name}`."
    )


def _was_given_up(block: MissingBlock) -> bool:
    from arena.tournament.ports import BlockState

    return block.state is BlockState.QUARANTINED


def _progress(stored: StoredTournament) -> str:
    from arena.tournament.ports import BlockState

    return f"{stored.blocks[BlockState.DONE]} of {sum(stored.blocks.values())}"


def _values(fields: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} {str(value).lower() if isinstance(value, bool) else value}" for name, value in fields.items()
    )


def _option(value: Any, names: dict[str, str]) -> str:
    """The value of a format's option; a bot's digest goes by the bot's name."""
    if isinstance(value, list):
        return " and ".join(_option(one, names) for one in value)
    return names.get(value, value) if isinstance(value, str) else str(value)
