"""`arena bots logs|restore`: what happened to a bot, for its author; and letting one that left play again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from arena.cli.errors import CommandFailed, Misuse
from arena.cli.output import console, count, error_console, print_json
from arena.cli.places import results
from arena.cli.retire import WHICH
from arena.tournament.labels import SHORT, harmless

if TYPE_CHECKING:
    from arena.store.bots import Participation
    from arena.store.engine import Store
    from arena.store.events import LoggedEvent
    from arena.store.submissions import Submission

Name = Annotated[str, typer.Argument(metavar="NAME", help=WHICH)]


def logs(
    name: Name,
    tournament: Annotated[
        str | None, typer.Option(metavar="ID", help="Only what happened in the tournament with this id or name.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many entries, the latest ones.")] = 50,
    json: Annotated[bool, typer.Option("--json", help="A JSON list.")] = False,
) -> None:
    """Show starts, faults, voids and withdrawals of a bot, with what it had printed. This is for its author.

    A bot may print its hand. So what it printed is kept back as long as a block that was in play then is still open.
    """
    from arena.store.documents.bots import event_document
    from arena.store.events import LogPage
    from arena.store.known import entered_as
    from arena.store.submissions import meant_by

    with results() as store:
        entered = entered_as(name, store.bots, meant_by(name, store.submissions.all()))
        page = store.events.page(name, tournament=tournament, limit=limit) if entered else LogPage((), 0)
    if json:
        print_json([event_document(event) for event in page.events])
    else:
        for event in page.events:
            _tell(event)
        if not page.events:
            console().print("Nothing has happened to it that is shown here.")
    if page.kept_back:
        entries = count(page.kept_back, "entry is", "entries are")
        error_console().print(
            f"{entries} kept back until all blocks that were in play then are complete or given up, since they would "
            "be played again on the same cards; `arena tournament show` tells what is left.",
            soft_wrap=True,
        )


def restore(
    name: Name,
    tournament: Annotated[
        str | None, typer.Option(metavar="ID", help="Only in the tournament with this id or name.")
    ] = None,
) -> None:
    """Let a retired bot take part in new tournaments again, and a withdrawn one play on.

    `arena tournament resume` then plays its blocks, in every tournament from which it was withdrawn and which is not
    finished yet: once the secret behind the cards is free, no block is played any more. A bot that is left out of new
    tournaments, since it forfeited most of its last matches, takes part again.
    """
    from arena.settings import database_url
    from arena.store.opening import open_store

    with open_store(database_url(), write=True, create=False) as store:
        said = list(_restore(store, name, tournament))
    for line in said:
        console().print(Text(harmless(line)), soft_wrap=True)


def _restore(store: Store, name: str, tournament: str | None) -> Iterator[str]:
    """Restore and forgive; tells what was done, a line each. Raises Misuse or CommandFailed when there is nothing."""
    from arena.cli.doing import note
    from arena.store.bots import MOST_FORFEITS, Bots
    from arena.store.known import entered_as
    from arena.store.ledger import SqlLedger
    from arena.store.repository import Repository
    from arena.store.roles import Deed
    from arena.store.submissions import Submissions, meant_by

    bots, ledger, submissions = Bots(store), SqlLedger(store), Submissions(store)
    meant = meant_by(name, submissions.all())
    entered = entered_as(name, bots, meant)
    often: dict[bytes, int] = {}
    retired: list[Submission] = []
    if tournament is None:
        retired = [one for one in meant if one.retired is not None]
        forfeits = bots.recent_forfeits({one.bot.digest for one in entered})
        often = {bot: times for bot, times in forfeits.items() if times > MOST_FORFEITS}
    else:
        only = Repository(store).tournament(tournament).tournament.id
        entered = tuple(one for one in entered if one.tournament == only)
    withdrawn = [one for one in entered if one.withdrawn is not None]
    if not retired:
        _check_restorable(name, withdrawn, often)
    submissions.retire(retired, None)
    for submission in retired:
        note(store, Deed.RESTORED, submission.label)
        yield f"{submission.label} takes part in new tournaments again."
    for digest in often:
        bots.forgive(digest)
        label = next(_label(one) for one in entered if one.bot.digest == digest)
        yield f"{label} takes part in new tournaments again, whatever it forfeited."
    for one in withdrawn:
        if one.finished is None:
            with ledger.lead(one.tournament) as epoch:
                blocks = count(ledger.restore(one.tournament, epoch, one.bot.digest), "more block")
            yield f"{_label(one)} is back: {blocks} to play, `arena tournament resume {one.tournament}` plays them."


def _check_restorable(name: str, withdrawn: Sequence[Participation], often: Mapping[bytes, int]) -> None:
    """Misuse when a bot is not withdrawn, CommandFailed when that cannot be undone any more."""
    if often or any(one.finished is None for one in withdrawn):
        return
    if not withdrawn:
        raise Misuse(
            f"{name} is neither retired nor withdrawn, so nothing is to be restored: `arena bots show {quote(name)}`"
        )
    where = ", ".join(one.tournament for one in withdrawn)
    raise CommandFailed(
        f"{_label(withdrawn[0])} was withdrawn from {where}, which is finished: the secret behind the cards is free, "
        "so no more of it is played; play a new tournament"
    )


def _label(one: Participation) -> str:
    return f"{one.bot.name} {one.bot.version}"


def _tell(event: LoggedEvent) -> None:
    out = console()
    where = event.tournament
    if event.block_id is not None:
        where += f"/{event.block_id.hex()[:SHORT]}"
    if event.rotation is not None:
        where += f"/{event.rotation}, turn {event.turn}"
    what = " ".join(filter(None, (event.kind, event.fault)))
    head = Text(f"{event.at:%Y-%m-%d %H:%M:%S}  {harmless(f'{event.bot.name} {event.bot.version}')}  ")
    head.append(what, "bold").append(f" in {where}")
    if event.reason:
        head.append(f": {harmless(event.reason)}")
    out.print(head, soft_wrap=True)
    for line in event.output:
        out.print(Text(f"    {harmless(line)}", "dim"), soft_wrap=True)
