"""`/tournaments/ID`: what was fixed when it opened, how it stands, live, and what its cards can be trusted for."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response
from sse_starlette import EventSourceResponse
from starlette.concurrency import run_in_threadpool

from arena.game.variant import Variant
from arena.rating.wording import effect_text
from arena.store.ranking import ranking_notes
from arena.tournament.blocks import commitment
from arena.tournament.entries import entries_digest
from arena.tournament.labels import labels
from arena.tournament.planning import grows, matches_a_block
from arena.tournament.ports import Tournament
from arena.web.moments import Moment
from arena.web.ranked import row_of, scale_of
from arena.web.refusal import Refusal
from arena.web.view import View, Viewing

router = APIRouter()

LEADERS = 20
"""So many bots of the ranking are shown as it moves."""

MOST_GIVEN_UP = 20
"""So many blocks that were given up are named."""


class Option(NamedTuple):
    """A value of an option; one that names a bot has its `digest`, and the bot's label as its `text`."""

    digest: bytes | None
    text: str


@router.get("/tournaments/{tournament}", name="tournament")
def tournament_page(view: Viewing, tournament: str) -> Response:
    """One tournament."""
    found = view.results.tournaments.name(tournament)
    if found.id != tournament:
        return RedirectResponse(view.url("tournament", tournament=found.id), 307)
    moment = view.site.moments.now(found.id)
    return view.kept(
        lambda: view.render("tournament.html", **_fixed(view, moment), **_moving(view, moment)),
        version=f"{moment.standing.serial} {moment[1:]}",
    )


@router.get("/tournaments/{tournament}/live", name="tournament_live")
async def tournament_live(view: Viewing, tournament: str) -> Response:
    """What moves on that page, as server-sent events: `now` with a part of the page, and `over` at the end."""
    live = view.site.live
    moment = await run_in_threadpool(_moment, view, tournament)
    if moment.is_over:
        return Response(status_code=204)  # which tells a browser not to come again
    if live.is_full:
        raise Refusal(503, "too many follow tournaments just now", {"retry-after": "30"})

    def tell(moment: object) -> str:
        assert isinstance(moment, Moment)
        return view.render("tournament_live.html", **_moving(view, moment))

    async def events() -> Any:
        async for text in live.follow(moment.standing.ranking.stored.tournament.id, view.language.code, tell):
            yield {"event": "now", "data": text}
        yield {"event": "over", "data": ""}

    return EventSourceResponse(events())


def _moment(view: View, tournament: str) -> Moment:
    return view.site.moments.now(view.results.tournaments.name(tournament).id)


def _moving(view: View, moment: Moment) -> dict[str, Any]:
    """What the moving part of the page is made of."""
    standing = moment.standing
    ranking, scale = standing.ranking, scale_of(standing.ranking)
    tournament = ranking.stored.tournament
    effect = ranking.rated.summary.design_effect
    return {
        "tournament": tournament,
        "moment": moment,
        "matches": matches_a_block(tournament),
        "rows": [row_of(view.language, standing, bot, scale) for bot in ranking.in_order[:LEADERS]],
        "ends": scale,
        "bots": len(ranking.in_order),
        "effects": [
            None if error is None else effect_text(value, error, view.language.number)
            for value, error in ((effect.places, effect.places_error), (effect.points, effect.points_error))
        ],
        "notes": [view.language.told(note) for note in ranking_notes(ranking)],
    }


def _fixed(view: View, moment: Moment) -> dict[str, Any]:
    """What was fixed when the tournament opened, and what its cards can be trusted for."""
    stored = moment.standing.ranking.stored
    tournament, results = stored.tournament, view.results
    fared = moment.standing.ranking.fared
    return {
        "finished": results.tournaments.name(tournament.id).finished,
        "standard": Variant().as_dict(),
        "names": moment.standing.ranking.labels,
        "options": _options(tournament),
        "commitment": commitment(tournament.secret).hex(),
        "entries_digest": entries_digest(tournament.entries).hex(),
        "secret": tournament.secret.hex() if moment.is_finished else None,
        "has_remote": any(entry.remote for entry in tournament.entries),
        "grows": grows(tournament),
        "fared": [state for state in fared.values() if state.withdrawn is not None or state.voids],
        "given_up": results.overviews.given_up(tournament.id, MOST_GIVEN_UP),
    }


def _options(tournament: Tournament) -> list[tuple[str, list[Option]]]:
    """The options of the format, each with its values."""
    names = {digest.hex(): (digest, label) for digest, label in labels(tournament.entries).items()}

    def read(value: Any) -> Option:
        digest, label = names.get(value, (None, str(value)))
        return Option(digest, label)

    return [
        (name, [read(one) for one in (value if isinstance(value, list) else [value])])
        for name, value in tournament.options.items()
    ]
