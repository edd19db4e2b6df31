"""`/matches/TOURNAMENT/BLOCK/ROTATION`: a finished match, turn by turn, and whether it went as the rules have it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import RedirectResponse, Response

from arena.tournament.checks.derivation import RUNNING
from arena.tournament.labels import SHORT
from arena.web.refusal import Refusal
from arena.web.replay.asked import Asked, Number, Stepping, Watched
from arena.web.replay.deals import deal_rows
from arena.web.replay.library import ReadMatch
from arena.web.view import View, Viewing

router = APIRouter()

ADDRESS = "/matches/{tournament}/{block}/{rotation}"

Tournament = Annotated[str, Path(max_length=200)]
Block = Annotated[str, Path(pattern="^[0-9a-f]{1,64}$")]


@router.get(ADDRESS, name="match")
def match(view: Viewing, tournament: Tournament, block: Block, rotation: Number, step: Stepping) -> Response:
    """The match at a step, by default its first; a shortened address leads to the whole one."""
    read = _read(view, tournament, block, rotation)
    path = _path(read)
    if (tournament, block) != (path["tournament"], path["block"]):
        asked = view.request.url.query
        return RedirectResponse(view.url("match", **path) + (f"?{asked}" if asked else ""))
    watched = _watched(view, read)
    shown = watched.replay(step)

    def render() -> str:
        is_shown = read.report.ok
        return view.render(
            "match.html",
            read=read,
            table=shown.table,
            shown=shown if is_shown else None,
            deals=deal_rows(read.record),
            changed=read.record.variant.changes(),
            notes=[note for note in read.report.notes if note != RUNNING],  # which the page tells in its own words
            explained=watched.explained(step, shown) if is_shown else None,
            export=view.url("match_export", **path),
        )

    return view.kept(render, version=read.version)


@router.get(ADDRESS + "/deals/{deal}", name="match_steps")
def match_steps(
    view: Viewing, tournament: Tournament, block: Block, rotation: Number, deal: Number, seat: Asked = None
) -> Response:
    """The steps of a deal for the script of the page."""
    return _followed(view, tournament, block, rotation).steps(deal, seat)


@router.get(ADDRESS + "/turns/{turn}/explanation", name="match_explanation")
def match_explanation(view: Viewing, tournament: Tournament, block: Block, rotation: Number, turn: Number) -> Response:
    """What is thought of a turn, as a part of the page."""
    return _followed(view, tournament, block, rotation).explanation(turn)


@router.get(ADDRESS + "/export", name="match_export")
def match_export(view: Viewing, tournament: Tournament, block: Block, rotation: Number) -> Response:
    """The match as a line of an export, to keep and to check."""
    read = _read(view, tournament, block, rotation)
    name = f"{read.record.block_id.hex()[:SHORT]}-{read.record.rotation}"
    return _watched(view, read).download(lambda: read.line, name)


def _read(view: View, tournament: str, block: str, rotation: int) -> ReadMatch:
    return view.site.library.read(view.results, f"{tournament}/{block}/{rotation}")


def _followed(view: View, tournament: str, block: str, rotation: int) -> Watched:
    """The match, if it can be followed: 404 when its record breaks the rules, as its page tells."""
    read = _read(view, tournament, block, rotation)
    if not read.report.ok:
        problem = str(read.report.problems[0])
        raise Refusal(404, "what is recorded of this match does not hold: %(problem)s", problem=problem)
    return _watched(view, read)


def _path(read: ReadMatch) -> dict[str, Any]:
    """The whole address of a match."""
    block = read.record.block_id.hex()
    return {"tournament": read.found.tournament, "block": block, "rotation": read.record.rotation}


def _watched(view: View, read: ReadMatch) -> Watched:
    return Watched(
        view,
        read.record,
        names=read.names,
        bots=[view.bot(digest) for digest in read.record.seats],
        digest=read.found.digest,
        version=read.version,
        route="match",
        path=_path(read),
    )
