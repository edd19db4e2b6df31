"""Tournaments: all of them, one with all that was fixed when it opened, its entries, how far it is, its records."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import Response

from arena.store.course import course
from arena.store.documents.tournaments import (
    blocks_document,
    entry_document,
    overview_document,
    whole_tournament_document,
)
from arena.store.exporting import match_export
from arena.web.api.asking import Asked, Asking
from arena.web.api.models.matches import Records
from arena.web.api.models.tournaments import Entries, Progress, Tournaments, WholeTournament
from arena.web.api.parts import Part, parts

router = APIRouter(prefix="/tournaments", tags=["tournaments"])

Word = Annotated[
    str,
    Path(
        max_length=200,
        description="A tournament's id, its name or the beginning of its id.",
        examples=["3fb1a2c4d5e6"],
    ),
]


@router.get("", name="tournaments", response_model=Tournaments)
def tournaments(asked: Asking, part: Annotated[Part, parts(usual=50, most=200)]) -> Response:
    """All tournaments, the latest first."""
    before = part.begins((0,))

    def make() -> Tournaments:
        found = asked.results.overviews.page(before=None if before is None else int(before[0]), limit=part.limit + 1)
        cut = part.cut(found, lambda seen: (seen.key,))
        return Tournaments.model_validate(
            {"items": [overview_document(seen) for seen in cut.rows], "next": cut.following}
        )

    return asked.kept(make)


@router.get("/{tournament}", name="tournament", response_model=WholeTournament)
def tournament(asked: Asking, tournament: Word) -> Response:
    """All that was fixed when a tournament opened, how far it is, and what its cards can be trusted for."""
    name = asked.tournament(tournament).id

    def make() -> WholeTournament:
        repository = asked.results.tournaments
        stored, missing = repository.tournament(name), repository.missing(name)
        return WholeTournament.model_validate(
            whole_tournament_document(stored, repository.entries(name), missing, course(repository, stored))
        )

    return asked.kept(make)


@router.get("/{tournament}/entries", name="entries", response_model=Entries)
def entries(asked: Asking, part: Annotated[Part, parts(usual=100, most=1000)], tournament: Word) -> Response:
    """The bots that entered a tournament."""
    name = asked.tournament(tournament).id
    cut = part.of(asked.results.tournaments.entries(name))
    return asked.kept(
        lambda: Entries.model_validate({"items": [entry_document(one) for one in cut.rows], "next": cut.following})
    )


@router.get("/{tournament}/progress", name="progress", response_model=Progress)
def progress(asked: Asking, tournament: Word) -> Response:
    """How far a tournament is: quick, for those who ask again and again."""
    found = asked.tournament(tournament)
    overviews = asked.results.overviews
    is_played, blocks = overviews.is_played(found.id), overviews.progress(found.id)

    def make() -> Progress:
        return Progress.model_validate(
            {
                "id": found.id,
                "blocks": blocks_document(blocks),
                "finished": None if found.finished is None else found.finished.isoformat(),
                "is_played": is_played,
            }
        )

    return asked.kept(make, version=f"{blocks} {found.finished} {is_played}")


@router.get("/{tournament}/records", name="records", response_model=Records)
def records(asked: Asking, part: Annotated[Part, parts(usual=5, most=50)], tournament: Word) -> Response:
    """The records of a tournament as an export has them: the matches of whole blocks, in plan order.

    `limit` counts blocks. While a tournament is played, blocks that finish late are met only by whoever begins anew.
    """
    name = asked.tournament(tournament).id
    begins = part.begins((0,))
    after = -1 if begins is None else int(begins[0])
    return asked.kept(lambda: _records(asked, part, name, after))


def _records(asked: Asked, part: Part, name: str, after: int) -> Records:
    results = asked.results
    cut = part.cut(results.matches.blocks(name, after=after, limit=part.limit + 1), lambda block: (block.ordinal,))
    stored = results.tournaments.tournament(name)
    items = [match_export(match, stored) for block in cut.rows for match in block.matches]
    return Records.model_validate({"items": items, "next": cut.following})
