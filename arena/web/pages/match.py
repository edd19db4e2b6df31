"""`/matches/TOURNAMENT/BLOCK/ROTATION`: a finished match, turn by turn, and whether it went as the rules have it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import Field

from arena.tournament.checks.derivation import RUNNING
from arena.tournament.labels import SHORT
from arena.web.explanations import options
from arena.web.queries import OrBlank
from arena.web.replay.deals import deal_rows
from arena.web.replay.library import ReadMatch
from arena.web.replay.showing import NoSuchMomentError, Replay, Table, find_moment, steps_document
from arena.web.view import View, Viewing

router = APIRouter()

ADDRESS = "/matches/{tournament}/{block}/{rotation}"

MANY = 10**9

Tournament = Annotated[str, Path(max_length=200)]
Block = Annotated[str, Path(pattern="^[0-9a-f]{1,64}$")]
Rotation = Annotated[int, Path(ge=0, lt=MANY)]
Number = Annotated[int, Path(ge=0, lt=MANY)]
Asked = OrBlank[Annotated[int, Field(ge=0, lt=MANY)]]


@router.get(ADDRESS, name="match")
def match(
    view: Viewing,
    tournament: Tournament,
    block: Block,
    rotation: Rotation,
    turn: Asked = None,
    deal: Asked = None,
    end: bool = False,
    seat: Asked = None,
    explain: bool = False,
) -> Response:
    """The match at a step, by default its first; a shortened address leads to the whole one."""
    read = _read(view, tournament, block, rotation)
    path = _path(read)
    if (tournament, block) != (path["tournament"], path["block"]):
        asked = view.request.url.query
        return RedirectResponse(view.url("match", **path) + (f"?{asked}" if asked else ""))
    table = _table(view, read, seat)
    try:
        moment = find_moment(read.record, turn, deal, end=end)
    except NoSuchMomentError as error:
        raise HTTPException(404, str(error)) from error

    def render() -> str:
        shown = Replay.of(view, table, moment) if read.report.ok else None
        explained = None
        if shown and explain and table.is_explained(shown.frame):
            explained = _explanation(view, read, shown.frame.turn)
        return view.render(
            "match.html",
            read=read,
            table=table,
            shown=shown,
            deals=deal_rows(read.record),
            changed=read.record.variant.changes(),
            notes=[note for note in read.report.notes if note != RUNNING],  # which the page tells in its own words
            explained=explained,
            export=view.url("match_export", **path),
        )

    return view.kept(render, version=read.version)


@router.get(ADDRESS + "/deals/{deal}", name="match_steps")
def match_steps(
    view: Viewing, tournament: Tournament, block: Block, rotation: Rotation, deal: Number, seat: Asked = None
) -> Response:
    """The steps of a deal for the script of the page."""
    read = _followed(_read(view, tournament, block, rotation))
    if deal >= len(read.record.deals):
        raise HTTPException(404, f"there is no deal {deal} in this match")
    table = _table(view, read, seat)

    def render() -> bytes:
        return bytes(JSONResponse(steps_document(view, table, deal)).body)

    return view.kept(render, version=read.version, media_type="application/json")


@router.get(ADDRESS + "/turns/{turn}/explanation", name="match_explanation")
def match_explanation(
    view: Viewing, tournament: Tournament, block: Block, rotation: Rotation, turn: Number
) -> Response:
    """What is thought of a turn, as a part of the page."""
    read = _followed(_read(view, tournament, block, rotation))
    return view.kept(lambda: view.render("explanation.html", **_explanation(view, read, turn)), version=read.version)


@router.get(ADDRESS + "/export", name="match_export")
def match_export(view: Viewing, tournament: Tournament, block: Block, rotation: Rotation) -> Response:
    """The match as a line of an export, to keep and to check."""
    read = _read(view, tournament, block, rotation)
    answer = view.kept(lambda: read.line + "\n", version=read.version, media_type="application/json")
    name = f"match-{read.record.block_id.hex()[:SHORT]}-{read.record.rotation}.json"
    answer.headers["content-disposition"] = f'attachment; filename="{name}"'
    return answer


def _read(view: View, tournament: str, block: str, rotation: int) -> ReadMatch:
    return view.site.library.read(view.results, f"{tournament}/{block}/{rotation}")


def _followed(read: ReadMatch) -> ReadMatch:
    """The match, if it can be followed: 404 when its record breaks the rules, as its page tells."""
    if not read.report.ok:
        raise HTTPException(404, f"what is recorded of this match does not hold: {read.report.problems[0]}")
    return read


def _path(read: ReadMatch) -> dict[str, Any]:
    """The whole address of a match."""
    block = read.record.block_id.hex()
    return {"tournament": read.found.tournament, "block": block, "rotation": read.record.rotation}


def _table(view: View, read: ReadMatch, viewer: int | None) -> Table:
    if viewer is not None and viewer >= len(read.record.seats):
        raise HTTPException(404, f"there is no seat {viewer} in this match")
    path = _path(read)
    seen: dict[str, object] = {} if viewer is None else {"seat": str(viewer)}
    return Table(
        read.record,
        read.names,
        [view.bot(digest) for digest in read.record.seats],
        viewer,
        address=lambda query: view.url("match", dict(query), **path),
        steps=lambda deal: view.url("match_steps", seen, **path, deal=deal),
        explanation=lambda turn: view.url("match_explanation", **path, turn=turn),
    )


def _explanation(view: View, read: ReadMatch, turn: int | None) -> dict[str, Any]:
    assert turn is not None
    one = view.site.explanations.of(read.record, read.found.digest, turn)
    return {"one": one, "options": options(one.judgement) if one.judgement else []}
