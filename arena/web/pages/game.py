"""`/games/ID`: a game of a person against bots, looked at again like any match."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import Response

from arena.store.errors import StoreEmptyError
from arena.store.games import PlayedGame
from arena.tournament.blocks import commitment
from arena.tournament.export import export_line, game_json
from arena.tournament.labels import SHORT
from arena.web.refusal import Refusal
from arena.web.replay.asked import Asked, Number, Stepping, Watched
from arena.web.replay.deals import deal_rows
from arena.web.view import View, Viewing

router = APIRouter()

ADDRESS = "/games/{game}"

Id = Annotated[str, Path(max_length=40)]


@router.get(ADDRESS, name="game")
def game(view: Viewing, game: Id, step: Stepping) -> Response:
    """The game at a step, by default its first."""
    played = _read(view, game)
    watched = _watched(view, played)
    shown = watched.replay(step)

    def render() -> str:
        return view.render(
            "game.html",
            played=played,
            shown=shown,
            deals=deal_rows(played.record),
            explained=watched.explained(step, shown),
            commitment=commitment(played.record.seed).hex(),
        )

    return view.kept(render, version=watched.version)


@router.get(ADDRESS + "/deals/{deal}", name="game_steps")
def game_steps(view: Viewing, game: Id, deal: Number, seat: Asked = None) -> Response:
    """The steps of a deal for the script of the page."""
    return _watched(view, _read(view, game)).steps(deal, seat)


@router.get(ADDRESS + "/turns/{turn}/explanation", name="game_explanation")
def game_explanation(view: Viewing, game: Id, turn: Number) -> Response:
    """What is thought of a turn, as a part of the page."""
    return _watched(view, _read(view, game)).explanation(turn)


@router.get(ADDRESS + "/export", name="game_export")
def game_export(view: Viewing, game: Id) -> Response:
    """The game in the words of an export, to keep."""
    played = _read(view, game)

    def line() -> str:
        return export_line(game_json(played.record, played.id, played.names))

    return _watched(view, played).download(line, played.id[:SHORT])


def _read(view: View, game: str) -> PlayedGame:
    try:
        played = view.results.games.find(game)
    except StoreEmptyError:
        played = None
    if played is None:
        raise Refusal(404, "there is no such game (any more): one that was not finished is not kept")
    return played


def _watched(view: View, played: PlayedGame) -> Watched:
    return Watched(
        view,
        played.record,
        names=[name or view.language.gettext("Person") for name in played.names],
        bots=[None] * len(played.names),
        digest=played.id.encode(),
        version=f"game {played.id}",  # it never changes
        route="game",
        path={"game": played.id},
    )
