"""How a tournament went that is planned round by round."""

from __future__ import annotations

from typing import NamedTuple

from arena.store.repository import Repository, StoredTournament
from arena.tournament.formats import FORMATS
from arena.tournament.planning import grows, setting


class Course(NamedTuple):
    """How a tournament that is planned round by round went so far: rounds that began, and its format's own words."""

    rounds: int
    closing: str


def course(repository: Repository, stored: StoredTournament) -> Course | None:
    """How a tournament went; None when it was planned as a whole, so that its ranking says all."""
    tournament = stored.tournament
    if not grows(tournament):
        return None
    rounds = repository.rounds(tournament.id)
    gone = {state.entry.digest for state in repository.entries(tournament.id) if state.withdrawn is not None}
    closing = FORMATS[tournament.format].closing(setting(tournament, frozenset(gone)), rounds)
    return Course(len(rounds), closing)
