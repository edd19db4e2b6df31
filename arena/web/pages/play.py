"""`/play`: a person sits down at a table with bots, and plays; nobody else sees its hand."""

from __future__ import annotations

import json
import secrets
from math import ceil
from typing import Annotated, Any

from fastapi import APIRouter, Form, Header, HTTPException, Path, Query
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from pydantic import Field
from sse_starlette import EventSourceResponse
from starlette.concurrency import run_in_threadpool

from arena.game.actions import Action, Declare, Play
from arena.game.cards import NAMES
from arena.game.errors import IllegalAction
from arena.game.variant import Variant
from arena.match.explaining import hint
from arena.store.errors import StoreEmptyError
from arena.tournament.blocks import commitment
from arena.web.accounts import origin_of
from arena.web.explanations import HINTS, options
from arena.web.play.game import Game
from arena.web.play.games import FullError
from arena.web.play.opponents import Opponent, opponents
from arena.web.play.person import new_player, player_of
from arena.web.play.showing import NOTHING, Chosen, Sight
from arena.web.view import View, Viewing

router = APIRouter()

MOST_OPPONENTS = 7
USUAL = ("planner", "greedy")
"""Who is proposed."""

PRESETS = {
    "short": Variant(threshold=25),
    "standard": Variant(),
    "long": Variant(threshold=100),
    "three": Variant(threshold=0, deal_cap=3),
    "ten": Variant(threshold=0, deal_cap=10),
}

PATIENCE_S = 2.5
"""So long a form without a script waits for the person's next turn."""

SEND_S = 10.0
CLOSED = "closed"
LONGEST = 40

Id = Annotated[str, Path(max_length=LONGEST)]
Card = Annotated[int, Field(ge=0, lt=NAMES)]
Word = Annotated[str, Form(max_length=LONGEST)]


@router.get("/play", name="play")
def choose(view: Viewing) -> Response:
    """Whom to play against, and how long."""
    return _choice(view)


@router.post("/play")
def sit_down(
    view: Viewing,
    bot: Annotated[list[Annotated[str, Field(max_length=64)]], Form(max_length=MOST_OPPONENTS, default_factory=list)],
    rules: Word = "short",
    first: Word = "lot",
) -> Response:
    """Begin a game, or lead to the one that goes on."""
    found = {one.digest.hex(): one for one in opponents(view.site.database).values()}
    chosen = [word for word in bot if word]
    if rules not in PRESETS or not all(word in found for word in chosen):
        return _choice(view, 422, view.language.gettext("Somebody whom you chose is not here any more: choose again."))
    if not chosen:
        return _choice(view, 422, view.language.gettext("Choose at least one opponent."))
    if wait_s := view.site.sittings.take(origin_of(view.request)):
        raise HTTPException(429, headers={"retry-after": str(ceil(wait_s))})
    seat = 0 if first == "me" else secrets.randbelow(len(chosen) + 1)
    answer = Response(status_code=303)
    player = player_of(view.request) or new_player(view.request, answer)
    try:
        game = view.site.games.start(player, [found[word] for word in chosen], seat, PRESETS[rules])
    except FullError:
        full = view.language.gettext("All tables are taken just now: try again in a few minutes.")
        return _choice(view, 503, full)
    answer.headers["location"] = view.url("play_table", game=game.id)
    return answer


@router.get("/play/{game}", name="play_table")
def table(view: Viewing, game: Id, ask: Annotated[bool, Query(alias="hint")] = False) -> Response:
    """The table as its person sees it; a game that was played before the server started is looked at again."""
    found = _find(view, game)
    if found is None:
        return RedirectResponse(view.url("game", game=game), 303)
    found.touch()
    return _table(view, found, hinted=_hint(view, found) if ask else "")


@router.post("/play/{game}")
async def act(
    view: Viewing,
    game: Id,
    turn: Annotated[int, Form(ge=0, lt=10**9)],
    thrown: Annotated[list[Card], Form(alias="throw", max_length=NAMES, default_factory=list)],
    act: Word,
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


@router.post("/play/{game}/leave", name="play_leave")
def leave(view: Viewing, game: Id) -> Response:
    """End the game; all of its processes end with it."""
    found = _find(view, game)
    if found is not None:
        found.leave()
    return RedirectResponse(view.url("play"), 303)


@router.get("/play/{game}/hint", name="play_hint")
def give_hint(view: Viewing, game: Id) -> Response:
    """What the reference would do, as a part of the page."""
    found = _find(view, game)
    if found is None:
        raise HTTPException(404)
    found.touch()
    return HTMLResponse(_hint(view, found))


@router.get("/play/{game}/news", name="play_news")
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
    if last_event_id:
        after, serial = map(int, last_event_id.split("."))

    async def events() -> Any:
        at, known = after, serial
        while True:
            await found.changed(known)
            sight = await run_in_threadpool(Sight.of, view, found, at)
            at, known = sight.now.steps, sight.now.serial
            document = await run_in_threadpool(sight.document)
            yield {"id": f"{at}.{known}", "event": "news", "data": json.dumps(document)}
            if sight.now.phase.has_ended:
                return

    return EventSourceResponse(events(), send_timeout=SEND_S)


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


def _choice(view: View, status: int = 200, problem: str = "") -> Response:
    player = player_of(view.request)
    there = list(opponents(view.site.database).values())
    try:
        games = view.results.games.of(player) if player else ()
    except StoreEmptyError:
        games = ()
    return view.page(
        "play.html",
        status,
        opponents=there,
        defaults=_defaults(there),
        most=MOST_OPPONENTS,
        presets=PRESETS,
        going=view.site.games.of(player) if player else None,
        games=games,
        problem=problem,
    )


def _defaults(there: list[Opponent]) -> list[bytes | None]:
    """Who is proposed for each place at the table."""
    by_name = {one.name: one.digest for one in there if not one.owner}
    usual = [by_name[name] for name in USUAL if name in by_name] or [one.digest for one in there[:1]]
    return [*usual, *[None] * (MOST_OPPONENTS - len(usual))]
