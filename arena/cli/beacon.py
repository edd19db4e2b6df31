"""The text of a beacon: given beforehand, or asked for once the tournament and its commitment are there for good."""

from __future__ import annotations

import sys
from dataclasses import replace

import typer

from arena.cli.errors import CommandFailed, Misuse
from arena.cli.order import stripped
from arena.store.repository import Repository
from arena.tournament.entries import entries_digest
from arena.tournament.ports import Tournament


def check_beacon(tournament: Tournament, given: str | None) -> None:
    """Misuse unless the text of a stored tournament's beacon is there, or is `given` or can be asked for now."""
    if not tournament.waits_for_beacon:
        if given is not None:
            raise Misuse(f"tournament {tournament.id} waits for the text of no beacon: leave --beacon-text out")
    elif given is not None:
        stripped(tournament.beacon, given)
    elif sys.stdin is None or not sys.stdin.isatty():
        raise Misuse(
            f"tournament {tournament.id} waits for the text of its beacon {tournament.beacon}, and nobody can be asked "
            f"here: `arena tournament resume {tournament.id} --beacon-text TEXT` goes on"
        )


def with_beacon(repository: Repository, tournament: Tournament, given: str | None) -> Tournament:
    """The stored tournament with the text of its beacon, which is stored before any card is dealt.

    It is asked for when it is not `given`. CommandFailed when there is none yet; then the tournament waits for it.
    """
    if not tournament.waits_for_beacon:
        return tournament
    if given is None:
        typer.echo(f"Entries closed: {entries_digest(tournament.entries).hex()}", err=True)
        given = str(typer.prompt(f"Text of {tournament.beacon}", err=True))
    try:
        text = stripped(tournament.beacon, given)
    except Misuse as error:
        raise CommandFailed(f"{error}; then `arena tournament resume {tournament.id}` goes on") from None
    repository.tell_beacon(tournament.id, text)
    return replace(tournament, beacon_text=text)
