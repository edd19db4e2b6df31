"""Finished matches: all, those of a tournament, of a bot, or of two; and the record of one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from arena.store.archive import ListedMatch
from arena.store.documents.matches import match_document
from arena.store.exporting import record_bytes
from arena.web.api.asking import Asked, Asking
from arena.web.api.models.matches import Matches, MatchExport
from arena.web.api.parts import Part, parts
from arena.web.replay.library import ReadMatch

router = APIRouter(prefix="/matches", tags=["matches"])

PROTOBUF = "application/protobuf"

ADDRESS = "/{tournament}/{block}/{rotation}"

Tournament = Annotated[str, Path(max_length=200, description="A tournament's id.", examples=["3fb1a2c4d5e6"])]
Block = Annotated[
    str, Path(pattern="^[0-9a-f]{1,64}$", description="A block's id or its beginning.", examples=["8a0a8d6033"])
]
Rotation = Annotated[int, Path(ge=0, lt=10**9, description="Which rotation of the seats, from 0.", examples=[0])]

Bots = Annotated[
    list[str],
    Query(
        max_length=2,
        description="A bot's digest or its beginning, its name, or NAME@VERSION; given twice, both sat in the match.",
    ),
]


@router.get("", name="matches", response_model=Matches)
def matches(
    asked: Asking,
    part: Annotated[Part, parts(usual=50, most=200)],
    bot: Bots = [],  # noqa: B006 — FastAPI copies it
    tournament: Annotated[
        str | None, Query(max_length=200, description="A tournament's id, its name or the beginning of its id.")
    ] = None,
) -> Response:
    """Finished matches, the latest first."""
    begins = part.begins((0,))
    before = None if begins is None else int(begins[0])

    def make() -> Matches:
        cut = part.cut(_listed(asked, bot, tournament, before, part.limit + 1), lambda match: (match.id,))
        return Matches.model_validate({"items": [match_document(match) for match in cut.rows], "next": cut.following})

    return asked.kept(make)


def _listed(
    asked: Asked, bots: list[str], tournament: str | None, before: int | None, limit: int
) -> tuple[ListedMatch, ...]:
    archive = asked.results.matches
    if len(bots) == 2:
        return archive.between(*bots, tournament=tournament, before=before, limit=limit)
    return archive.matches(tournament=tournament, bot=bots[0] if bots else None, before=before, limit=limit)


@router.get(ADDRESS, name="match", response_model=MatchExport)
def match(asked: Asking, tournament: Tournament, block: Block, rotation: Rotation) -> Response:
    """A match as a line of an export: whoever has it can check it."""
    read = _read(asked, tournament, block, rotation)
    return asked.kept(f"{read.line}\n".encode, version=read.version)


@router.get(ADDRESS + "/record", name="record", response_class=Response, responses={200: {"content": {PROTOBUF: {}}}})
def record(asked: Asking, tournament: Tournament, block: Block, rotation: Rotation) -> Response:
    """The record of a match in bytes: the message arena.v1.MatchRecord of proto/arena/v1/record.proto."""
    read = _read(asked, tournament, block, rotation)
    return asked.kept(lambda: record_bytes(read.found), version=read.version, media_type=PROTOBUF)


def _read(asked: Asked, tournament: str, block: str, rotation: int) -> ReadMatch:
    return asked.site.library.read(asked.results, f"{tournament}/{block}/{rotation}")
