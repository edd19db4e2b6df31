"""`arena rate`: ratings made anew, from the records of a tournament or from results that were played elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from arena.cli.errors import FAILED, Misuse
from arena.cli.output import console, count, error_console, print_json
from arena.tournament.labels import harmless

if TYPE_CHECKING:
    from arena.store.ratings_changes import Difference
    from arena.store.ratings_rebuild import Rebuilt
    from arena.store.repository import StoredTournament

MOST_SHOWN = 20
"""So many differences are told on the screen; JSON has them all."""


def rate(
    tournament: Annotated[
        str | None, typer.Argument(help="Id or name of a tournament; the latest by default.", show_default=False)
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit code 1 when something differs.")] = False,
    file: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Rate the results in a file instead: a match a line, - is standard input.",
            show_default=False,
        ),
    ] = None,
    anchor: Annotated[
        str | None, typer.Option(metavar="BOT=ELO", help="With --from: the rating of one bot (default: mean 1500).")
    ] = None,
    prior: Annotated[
        float | None, typer.Option(min=0, help="With --from: the weight of the prior, 0 for none (default: 1).")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="block|match", help="With --from: what is independent (default: block).")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object; with --from every pair is in it: half the square of bots.")
    ] = False,
) -> None:
    """Rebuild everything that is counted from the records, and mend what differs; or rate results from a file.

    Places, points, faults, sums and ratings are made of the records anew.
    What was stored otherwise is told and replaced.

    With --from no database is needed. A line of the file is a match, and the
    matches of one block shared their deals:

    {"block":"q1","seats":["A","B","C"],"places":[1,2,2]}

    Of places only the order matters, and the best have place 1. With
    "points":[3,9,9],"deals":4 in each line there are points a deal.
    """
    if file is not None:
        if tournament is not None or check:
            raise Misuse("--from rates a file and needs no tournament: leave out the tournament and --check")
        from arena.cli.rate_file import rate_file

        rate_file(file, anchor, 1.0 if prior is None else prior, cluster or "block", json=json)
        return
    for option, value in {"--anchor": anchor, "--prior": prior, "--cluster": cluster}.items():
        if value is not None:
            raise Misuse(f"{option} belongs to --from FILE: tournaments are all rated alike, so that they compare")
    rate_tournament(tournament, mend=not check, json=json)


def rate_tournament(name: str | None, *, mend: bool, json: bool) -> None:
    """Rebuild a tournament, tell what differed, print its ranking; exit code 1 for differences that were left."""
    from arena.bots.anchor import anchor_digest
    from arena.cli.rankings import current_ranking, ranking_rows, show_ranking
    from arena.settings import database_url
    from arena.store.opening import open_store
    from arena.store.ratings_rebuild import rebuild
    from arena.store.repository import Repository

    with open_store(database_url(), write=mend, create=False) as store:
        repository = Repository(store)
        stored = repository.latest() if name is None else repository.tournament(name)
        with _progress() as progress:
            task = progress.add_task("", total=None)
            rebuilt = rebuild(
                store,
                stored.tournament,
                anchor_digest(),
                mend=mend,
                told=lambda done, total: progress.update(task, completed=done, total=total),
            )
        if json:
            rows = ranking_rows(current_ranking(repository, stored))
            print_json(_document(stored, rebuilt, mend=mend) | {"bots": rows})
        else:
            _tell(stored, rebuilt, mend=mend)
            show_ranking(repository, stored)
    if rebuilt.differences and not mend:
        raise typer.Exit(FAILED)


def _progress() -> Progress:
    out = error_console()
    columns = (TextColumn("rebuilding"), BarColumn(), MofNCompleteColumn(), TextColumn("blocks"), TimeRemainingColumn())
    return Progress(*columns, console=out, disable=not out.is_terminal, transient=True)


def _tell(stored: StoredTournament, rebuilt: Rebuilt, *, mend: bool) -> None:
    out = console()
    for difference in rebuilt.differences[:MOST_SHOWN]:
        out.print(Text(harmless(_sentence(difference))), soft_wrap=True)
    if (more := len(rebuilt.differences) - MOST_SHOWN) > 0:
        out.print(f"and {count(more, 'difference')} more: see --json")
    matches, blocks = count(rebuilt.matches, "match", "matches"), count(rebuilt.blocks, "block")
    read = f"Rebuilt tournament {stored.tournament.id} from the records of {matches} in {blocks}: "
    found = count(len(rebuilt.differences), "difference")
    if not rebuilt.differences:
        out.print(Text(f"{read}all agrees with what was stored."))
    elif mend:
        out.print(Text(f"{read}{found}, mended."))
    else:
        out.print(Text(f"{read}{found}; `arena rate` without --check mends them."))
    out.print()


def _sentence(difference: Difference) -> str:
    was, now = ("nothing" if value is None else _plain(value) for value in (difference.stored, difference.rebuilt))
    return f"{difference.where}: {difference.field} was stored as {was}, the records say {now}"


def _document(stored: StoredTournament, rebuilt: Rebuilt, *, mend: bool) -> dict[str, Any]:
    return {
        "tournament": stored.tournament.id,
        "blocks": rebuilt.blocks,
        "matches": rebuilt.matches,
        "agrees": not rebuilt.differences,
        "mended": mend and bool(rebuilt.differences),
        "differences": list(_documents(rebuilt)),
    }


def _documents(rebuilt: Rebuilt) -> Iterator[dict[str, Any]]:
    for difference in rebuilt.differences:
        yield difference._asdict() | {
            "stored": _plain(difference.stored),
            "rebuilt": _plain(difference.rebuilt),
        }


def _plain(value: Any) -> Any:
    """A stored value as JSON and people can read it."""
    if isinstance(value, bytes):
        return value.hex()
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
