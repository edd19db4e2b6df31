"""`arena rankings`: the table of a tournament, and under it what one must know to read it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from arena.cli.errors import Misuse
from arena.cli.output import console, count, print_json
from arena.cli.places import results
from arena.rating.figures import DASH
from arena.tournament.labels import harmless

if TYPE_CHECKING:
    from arena.rating.bot_rows import BotReport
    from arena.store.ranking import Ranking
    from arena.store.repository import Repository, StoredTournament


def rankings(
    tournament: Annotated[
        str | None, typer.Argument(help="Id or name of a tournament; the latest by default.", show_default=False)
    ] = None,
    clean: Annotated[bool, typer.Option("--clean", help="Leave out whole blocks in which a bot had a fault.")] = False,
    pairs: Annotated[bool, typer.Option("--pairs", help="Every two bots: difference, and who is the better.")] = False,
    history: Annotated[bool, typer.Option("--history", help="How the ratings came about, block after block.")] = False,
    online: Annotated[bool, typer.Option("--online", help="With --history: a running Elo, match after match.")] = False,
    luck: Annotated[bool, typer.Option("--luck", help="What the deals save, how the seats fared, circles.")] = False,
    json: Annotated[bool, typer.Option("--json", help="A JSON list; an object with --luck.")] = False,
) -> None:
    """Show the ranking of a tournament: ratings with intervals, ranks, points a deal, faults."""
    if pairs + history + luck > 1:
        raise Misuse("--pairs, --history and --luck are different pages: ask for one of them")
    if online and not history:
        raise Misuse("--online says which ratings --history shows: ask for --history --online")
    with results() as store:
        repository = store.tournaments
        stored = repository.latest() if tournament is None else repository.tournament(tournament)
        if pairs:
            from arena.cli.head_to_head import show_pairs as show
        elif history:
            from arena.cli.rating_history import show_history

            show = partial(show_history, online=online)
        elif luck:
            from arena.cli.luck import show_luck as show
        else:
            show = _show
        show(repository, stored, clean=clean, json=json)


def _show(repository: Repository, stored: StoredTournament, *, clean: bool, json: bool) -> None:
    if json:
        print_json(ranking_rows(current_ranking(repository, stored, clean=clean)))
    else:
        show_ranking(repository, stored, clean=clean)


def current_ranking(repository: Repository, stored: StoredTournament, *, clean: bool = False) -> Ranking:
    """The ranking of all blocks of a tournament that are finished now, on the scale of the sample bots here."""
    from arena.bots.anchor import anchor_digest
    from arena.store.ranking import read_ranking

    return read_ranking(repository, stored, anchor_digest(), clean=clean)


def ranking_rows(ranking: Ranking) -> list[dict[str, Any]]:
    """The ranking as JSON has it."""
    from arena.store.documents.rankings import ranked_document

    return [ranked_document(ranking, bot) for bot in ranking.in_order]


def show_ranking(repository: Repository, stored: StoredTournament, *, clean: bool = False) -> None:
    """Print the ranking of a tournament with its notes."""
    from arena.cli.rating_table import notes_table, ratings_table
    from arena.store.ranking import ranking_notes

    ranking = current_ranking(repository, stored, clean=clean)

    def faults(bot: BotReport[bytes]) -> str:
        number, matches = ranking.faults(bot.bot)
        if not bot.matches:
            return DASH
        return f"{number} ({100 * matches / bot.matches:.0f} %)" if number else "0"

    out = console()
    out.print(Text(heading(stored, ranking.rated.blocks), "bold"))
    if clean:
        left_out = ranking.rated.blocks - ranking.rated.summary.blocks
        out.print(Text(f"Without the {count(left_out, 'block')} in which a bot had a fault."))
    out.print()
    out.print(ratings_table(ranking.in_order, ranking.labels.__getitem__, [("faults", faults)]))
    out.print()
    out.print(notes_table(ranking_notes(ranking)))


def heading(stored: StoredTournament, blocks: int) -> str:
    """Which tournament it is and how far; `blocks` of it are in what is shown below."""
    opened = stored.tournament
    state = "finished" if stored.finished else "not finished"
    title = f"{harmless(opened.name)} ({opened.id})" if opened.name else f"Tournament {opened.id}"
    planned = sum(stored.blocks.values())
    return f"{title}: {opened.format}, tables of {opened.seats}, {blocks} of {planned} blocks played, {state}"
