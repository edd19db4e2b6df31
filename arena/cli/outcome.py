"""What is shown when a tournament was played: its ranking, and under it what its format has to say.

An A/B test has no ranking: its report says all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import typer

from arena.cli.rankings import show_ranking
from arena.tournament.labels import harmless

if TYPE_CHECKING:
    from arena.store.repository import Repository, StoredTournament


class Course(NamedTuple):
    """How a tournament that is planned round by round went so far: rounds that began, and its format's own words."""

    rounds: int
    closing: str


def show_outcome(repository: Repository, stored: StoredTournament) -> None:
    """Print what came of a tournament so far."""
    if stored.tournament.format == "ab":
        from arena.cli.ab_report import show_test

        show_test(repository, stored)
        return
    show_ranking(repository, stored)
    if (went := course(repository, stored)) is not None and went.closing:
        typer.echo(f"\n{harmless(went.closing)}")


def course(repository: Repository, stored: StoredTournament) -> Course | None:
    """How a tournament went; None when it was planned as a whole, so that its ranking says all."""
    from arena.tournament.formats import FORMATS
    from arena.tournament.planning import grows, setting

    tournament = stored.tournament
    if not grows(tournament):
        return None
    rounds = repository.rounds(tournament.id)
    gone = {state.entry.digest for state in repository.entries(tournament.id) if state.withdrawn is not None}
    closing = FORMATS[tournament.format].closing(setting(tournament, frozenset(gone)), rounds)
    return Course(len(rounds), closing)
