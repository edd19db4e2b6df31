"""`/play`: a person chooses bots to play against, and sits down at a table with them."""

from __future__ import annotations

import secrets
from math import ceil
from typing import Annotated, Literal

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import Response
from pydantic import Field

from arena.game.variant import Variant
from arena.store.errors import StoreEmptyError
from arena.web.accounts import origin_of
from arena.web.play.games import FullError
from arena.web.play.opponents import Opponent, opponents
from arena.web.play.person import new_player, player_of
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


@router.get("/play", name="play")
def choose(view: Viewing) -> Response:
    """Whom to play against, and how long."""
    return _choice(view)


@router.post("/play")
def sit_down(
    view: Viewing,
    bot: Annotated[list[Annotated[str, Field(max_length=64)]], Form(max_length=MOST_OPPONENTS, default_factory=list)],
    rules: Annotated[str, Form(max_length=20)] = "short",
    first: Annotated[Literal["lot", "me"], Form()] = "lot",
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
