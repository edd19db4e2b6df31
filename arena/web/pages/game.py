"""`/games/ID`: a game of a person against bots, looked at again like any match."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from arena.store.errors import StoreEmptyError
from arena.store.games import PlayedGame
from arena.tournament.blocks import commitment
from arena.web.explanations import options
from arena.web.queries import OrBlank
from arena.web.replay.deals import deal_rows
from arena.web.replay.showing import NoSuchMomentError, Replay, Table, find_moment, steps_document
from arena.web.view import View, Viewing

router = APIRouter()

ADDRESS = "/games/{game}"
MANY = 10**9

Id = Annotated[str, Path(max_length=40)]
Number = Annotated[int, Path(ge=0, lt=MANY)]
Asked = OrBlank[Annotated[int, Field(ge=0, lt=MANY)]]


@router.get(ADDRESS, name="game")
def game(
    view: Viewing,
    game: Id,
    turn: Asked = None,
    deal: Asked = None,
    end: bool = False,
    seat: Asked = None,
    explain: bool = False,
) -> Response:
    """The game at a step, by default its first."""
    played = _read(view, game)
    table = _table(view, played, seat)
    try:
        moment = find_moment(played.record, turn, deal, end=end)
    except NoSuchMomentError as error:
        raise HTTPException(404, str(error)) from error

    def render() -> str:
        shown = Replay.of(view, table, moment)
        is_explained = explain and table.is_explained(shown.frame)
        return view.render(
            "game.html",
            played=played,
            shown=shown,
            deals=deal_rows(played.record),
            explained=_explanation(view, played, shown.frame.turn) if is_explained else None,
            commitment=commitment(played.record.seed).hex(),
        )

    return view.kept(render, version=_version(played))


@router.get(ADDRESS + "/deals/{deal}", name="game_steps")
def game_steps(view: Viewing, game: Id, deal: Number, seat: Asked = None) -> Response:
    """The steps of a deal for the script of the page."""
    played = _read(view, game)
    if deal >= len(played.record.deals):
        raise HTTPException(404, f"there is no deal {deal} in this game")
    table = _table(view, played, seat)

    def render() -> bytes:
        return bytes(JSONResponse(steps_document(view, table, deal)).body)

    return view.kept(render, version=_version(played), media_type="application/json")


@router.get(ADDRESS + "/turns/{turn}/explanation", name="game_explanation")
def game_explanation(view: Viewing, game: Id, turn: Number) -> Response:
    """What is thought of a turn, as a part of the page."""
    played = _read(view, game)
    explained = _explanation(view, played, turn)
    return view.kept(lambda: view.render("explanation.html", **explained), version=_version(played))


def _read(view: View, game: str) -> PlayedGame:
    try:
        played = view.results.games.find(game)
    except StoreEmptyError:
        played = None
    if played is None:
        raise HTTPException(404, "there is no such game (any more): one that was not finished is not kept")
    return played


def _version(played: PlayedGame) -> str:
    """A game never changes."""
    return f"game {played.id}"


def _table(view: View, played: PlayedGame, viewer: int | None) -> Table:
    seats = len(played.names)
    if viewer is not None and viewer >= seats:
        raise HTTPException(404, f"there is no seat {viewer} in this game")
    seen: dict[str, object] = {} if viewer is None else {"seat": str(viewer)}
    return Table(
        played.record,
        [name or view.language.gettext("Person") for name in played.names],
        [None] * seats,
        viewer,
        address=lambda query: view.url("game", dict(query), game=played.id),
        steps=lambda deal: view.url("game_steps", seen, game=played.id, deal=deal),
        explanation=lambda turn: view.url("game_explanation", game=played.id, turn=turn),
    )


def _explanation(view: View, played: PlayedGame, turn: int | None) -> dict[str, Any]:
    assert turn is not None
    one = view.site.explanations.of(played.record, played.id.encode(), turn)
    return {"one": one, "options": options(one.judgement) if one.judgement else []}
