"""`/play/ID`: the table at which a person sits: what it sees, what it does, and what happens; nobody else finds it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Header, HTTPException, Path, Query
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from pydantic import Field
from sse_starlette import EventSourceResponse
from starlette.concurrency import run_in_threadpool

from arena.game.actions import Action, Declare, Play
from arena.game.cards import NAMES
from arena.game.errors import IllegalAction
from arena.match.explaining import hint
from arena.tournament.blocks import commitment
from arena.web.explanations import HINTS, options
from arena.web.play.game import Game
from arena.web.play.person import player_of
from arena.web.play.showing import NOTHING, Chosen, Sight
from arena.web.view import View, Viewing

router = APIRouter()

ADDRESS = "/play/{game}"

PATIENCE_S = 2.5
"""So long a form without a script waits for the person's next turn."""

MOST_WATCHERS = 8
"""In so many windows a game can be followed: each of them holds a connection for as long as it is open."""

CLOSED = "closed"

Id = Annotated[str, Path(max_length=40)]
Card = Annotated[int, Field(ge=0, lt=NAMES)]


@router.get(ADDRESS, name="play_table")
def table(view: Viewing, game: Id, ask: Annotated[bool, Query(alias="hint")] = False) -> Response:
    """The table as its person sees it; a game that was played before the server started is looked at again."""
    found = _find(view, game)
    if found is None:
        return RedirectResponse(view.url("game", game=game), 303)
    found.touch()
    return _table(view, found, hinted=_hint(view, found) if ask else "")


@router.post(ADDRESS)
async def move(
    view: Viewing,
    game: Id,
    turn: Annotated[int, Form(ge=0, lt=10**9)],
    thrown: Annotated[list[Card], Form(alias="throw", max_length=NAMES, default_factory=list)],
    act: Annotated[Literal["play", "declare"], Form()],
    take: Annotated[str, Form(pattern=r"^(closed|[0-9]{1,2})?$")] = "",
    accept: Annotated[str, Header()] = "",
) -> Response:
    """Do what was chosen, once: what is sent for another turn than the present one changes nothing."""
    found = await run_in_threadpool(_find, view, game)
    if found is None:
        raise HTTPException(404)
    found.touch()
    is_script = "application/json" in accept
    try:
        action = _action(act, thrown, take)
        if action is None and found.now.turn == turn:
            return await run_in_threadpool(_refused, view, found, "", Chosen(thrown, take), is_script)
        if action is not None:
            found.act(turn, action)
    except IllegalAction as error:
        chosen = Chosen(thrown, take)
        return await run_in_threadpool(_refused, view, found, error.reason.value, chosen, is_script)
    if is_script:
        return JSONResponse({"problem": ""})
    await found.settled(PATIENCE_S)
    return RedirectResponse(view.url("play_table", game=game), 303)


@router.post(ADDRESS + "/leave", name="play_leave")
def leave(view: Viewing, game: Id) -> Response:
    """End the game; all of its processes end with it."""
    found = _find(view, game)
    if found is not None:
        found.leave()
    return RedirectResponse(view.url("play"), 303)


@router.get(ADDRESS + "/hint", name="play_hint")
def give_hint(view: Viewing, game: Id) -> Response:
    """What the reference would do, as a part of the page."""
    found = _find(view, game)
    if found is None:
        raise HTTPException(404)
    found.touch()
    return HTMLResponse(_hint(view, found))


@router.get(ADDRESS + "/news", name="play_news")
async def news(
    view: Viewing,
    game: Id,
    after: Annotated[int, Query(ge=0, lt=10**9)] = 0,
    serial: Annotated[int, Query(ge=-1, lt=10**9)] = -1,
    last_event_id: Annotated[str, Header(pattern=r"^(\d{1,9}\.\d{1,9})?$")] = "",
) -> Response:
    """What happens, as server-sent events: each is what is new since the one before, or since `after` and `serial`."""
    found = await run_in_threadpool(_find, view, game)
    if found is None:
        return Response(status_code=204)  # which tells a browser not to come again
    if found.watchers >= MOST_WATCHERS:
        raise HTTPException(503, "this game is shown in too many windows: close some", {"retry-after": "30"})
    if last_event_id:
        after, serial = map(int, last_event_id.split("."))

    async def events() -> Any:
        at, known = after, serial
        with found.watched():
            while True:
                await found.changed(known)
                sight = await run_in_threadpool(Sight.of, view, found, at)
                at, known = sight.now.steps, sight.now.serial
                document = await run_in_threadpool(sight.document)
                yield {"id": f"{at}.{known}", "event": "news", "data": json.dumps(document)}
                if sight.now.phase.has_ended:
                    return

    return EventSourceResponse(events())


def _find(view: View, game: str) -> Game | None:
    """The game with this id if it is of whoever asks; to others it is not there."""
    player = player_of(view.request)
    return None if player is None else view.site.games.find(game, player)


def _action(act: str, thrown: list[int], take: str) -> Action | None:
    """What was chosen; None when nothing is taken."""
    if act == "declare":
        return Declare()
    if take == CLOSED:
        return Play(bytes(sorted(thrown)), None)
    return Play(bytes(sorted(thrown)), int(take)) if take and int(take) < NAMES else None


def _refused(view: View, game: Game, reason: str, chosen: Chosen, is_script: bool) -> Response:
    """Why something cannot be done."""
    if not is_script:
        return _table(view, game, 422, reason=reason, chosen=chosen)
    problem = view.render("play_problem.html", reason=reason)
    return JSONResponse({"problem": problem.strip()})  # the request was right, and so is this answer to it


def _table(
    view: View, game: Game, status: int = 200, *, reason: str | None = None, chosen: Chosen = NOTHING, hinted: str = ""
) -> Response:
    return view.page(
        "play_table.html",
        status,
        sight=Sight.of(view, game, chosen=chosen),
        reason=reason,
        hinted=hinted,
        commitment=commitment(game.setup.seed).hex(),
    )


def _hint(view: View, game: Game) -> str:
    """What the reference thinks of the person's turn; it can change nothing, so that it may come late."""
    now, seed = game.now, game.setup.seed
    found = None
    if now.turn is not None and (seen := now.seen) is not None:
        found = view.site.explanations.hint(game.id, now.turn, lambda: hint(seen, seed))
    return view.render("play_hint.html", found=found, options=options(found)[:HINTS] if found else [])
