"""What is shown when a tournament was played: its ranking, and under it what its format has to say.

An A/B test has no ranking: its report says all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from arena.cli.rankings import show_ranking
from arena.cli.serve import HOST, PORT
from arena.settings import serve_command
from arena.tournament.labels import harmless

if TYPE_CHECKING:
    from arena.store.repository import Repository, StoredTournament


def show_outcome(repository: Repository, stored: StoredTournament) -> None:
    """Print what came of a tournament so far."""
    from arena.store.course import course

    if stored.tournament.format == "ab":
        from arena.cli.ab_report import show_test

        show_test(repository, stored)
        return
    show_ranking(repository, stored)
    if (went := course(repository, stored)) is not None and went.closing:
        typer.echo(f"\n{harmless(went.closing)}")


def where_to_browse(tournament: str) -> str:
    """How to see more of a tournament in a browser."""
    return f"In a browser: `{serve_command()}` shows it at http://{HOST}:{PORT}/tournaments/{tournament}"
