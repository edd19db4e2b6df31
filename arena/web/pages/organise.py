"""`/organise`: organisers start tournaments, stop them, resume and finish them; each deed is written down."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import RedirectResponse, Response

from arena.rating.notes import Note
from arena.store.overview import Overview
from arena.store.roles import Deed
from arena.tournament.labels import harmless
from arena.web.accounts import Account, Organiser, audit
from arena.web.conducting import BusyError, Run
from arena.web.ordering import ORDERED, PRESETS, Order, candidates, field_in
from arena.web.refusal import Refusal
from arena.web.slips import slips
from arena.web.view import View, Viewing

router = APIRouter()

PATIENCE_S = 10.0
"""So long a form waits for what becomes of it, which is told on the spot then."""

UNFINISHED = 50
"""So many of the tournaments that are not finished are listed."""

Which = Annotated[str, Form(max_length=100)]


@router.get("/organise", name="organise")
def organise(view: Viewing, account: Organiser) -> Response:
    """What is being played, what can go on, and the form for a new tournament."""
    return _page(view, account, Order())


@router.post("/organise", name="start_tournament")
def start(view: Viewing, account: Organiser, order: Annotated[Order, Form()]) -> Response:
    """Start a tournament; what is wrong with it is told in one line, and the form stays as it was filled in."""
    offered = {one.word for one in candidates(view.results.submissions.all())}
    if unknown := [word for word in order.bots if word not in offered]:
        problem = Note("", "%(bot)s cannot be chosen here (any more): choose again", {"bot": unknown[0]})
        return _page(view, account, order, problem)
    if wrong := slips(order):
        return _page(view, account, order, Note("", "see what stands at the marked fields"), wrong)
    try:
        run = view.site.conductor.start(order.words(), account.owner, wish=order.wish)
    except (BusyError, ValueError, OSError) as error:
        return _page(view, account, order, _why(error))
    is_settled = run.settled(PATIENCE_S)
    if run.has_ended and run.failure:
        return _page(view, account, order, run.failure)
    if run.heard_first():
        subject = f"{run.tournament or 'not open yet'} {order.name}".strip()
        audit(view.request, account, Deed.TOURNAMENT_STARTED, subject)
    if is_settled and run.tournament:
        return RedirectResponse(view.url("tournament", tournament=run.tournament), 303)
    return RedirectResponse(view.url("run", number=run.number), 303)


@router.get("/organise/runs/{number}", name="run")
def run_page(view: Viewing, account: Organiser, number: int) -> Response:
    """What a command that was started here says."""
    found = next((run for run in view.site.conductor.runs() if run.number == number), None)
    if found is None:
        raise Refusal(404, "what was started before the server was is not remembered")
    return view.page("run.html", account=account, run=found, lines=[harmless(line) for line in found.lines])


@router.post("/organise/stop", name="stop_tournament")
def stop(view: Viewing, account: Organiser, tournament: Which) -> Response:
    """Stop a tournament that was started here; it can be resumed."""
    run = view.site.conductor.playing(tournament)
    if run is None:
        raise Refusal(409, "this tournament is not played from here: end it where it was started, by Ctrl-C")
    run.stop()
    audit(view.request, account, Deed.TOURNAMENT_STOPPED, tournament)
    run.ended(PATIENCE_S)
    return RedirectResponse(view.url("organise"), 303)


@router.post("/organise/resume", name="resume_tournament")
def resume(view: Viewing, account: Organiser, tournament: Which) -> Response:
    """Go on with a tournament that was stopped."""
    return _go_on(view, account, ["tournament", "resume", "--stop-at-eof"], tournament, Deed.TOURNAMENT_RESUMED)


@router.post("/organise/finish", name="finish_tournament")
def finish(view: Viewing, account: Organiser, tournament: Which) -> Response:
    """Finish a tournament without the blocks of its withdrawn bots."""
    return _go_on(view, account, ["tournament", "finish"], tournament, Deed.TOURNAMENT_FINISHED)


@router.post("/organise/verify", name="verify_tournament")
def verify(view: Viewing, account: Organiser, tournament: Which) -> Response:  # noqa: ARG001 — for organisers only
    """Verify a tournament, however large it is."""
    found = _existing(view, tournament)
    view.site.moments.verify(found)
    return RedirectResponse(view.url("tournament", tournament=found), 303)


def _go_on(view: View, account: Account, command: list[str], tournament: str, deed: Deed) -> Response:
    """Let a command work on a tournament, and lead to its page; or tell what stands in the way."""
    found = _existing(view, tournament)
    try:
        run = view.site.conductor.start([*command, "--", found], account.owner, found)
    except (BusyError, OSError) as error:
        return _page(view, account, Order(), _why(error))
    run.settled(PATIENCE_S)
    if run.has_ended and run.failure:
        return _page(view, account, Order(), run.failure)
    audit(view.request, account, deed, found)
    return RedirectResponse(view.url("tournament", tournament=found), 303)


def _existing(view: View, tournament: str) -> str:
    """The id of a tournament that there is; StoreError for others."""
    return view.results.tournaments.name(tournament).id


def _page(
    view: View,
    account: Account,
    order: Order,
    problem: str | Note = "",
    told_at: Mapping[str, Note] = MappingProxyType({}),
) -> Response:
    """The whole page, with each slip told at its field; of a problem that a command has told, in English, the field
    that it is about is marked."""
    told = view.language.told(problem)[1] if isinstance(problem, Note) else problem
    is_english = not isinstance(problem, Note)
    wrong = {field: view.language.told(note)[1] for field, note in told_at.items()}
    if is_english and (field := field_in(told)):
        wrong[field] = ""
    overviews, conductor = view.results.overviews, view.site.conductor
    unfinished = overviews.page(limit=UNFINISHED, unfinished=True)
    played = {one.id for one in unfinished if overviews.is_played(one.id)}
    return view.page(
        "organise.html",
        422 if problem else 200,
        account=account,
        order=order,
        wish=Order().wish,
        problem=harmless(told),
        is_english=is_english,
        wrong=wrong,
        candidates=candidates(view.results.submissions.all()),
        formats=ORDERED,
        presets=list(PRESETS),
        runs=[run for run in conductor.runs() if not run.is_refused],
        unfinished=[(one, _state(one, one.id in played, conductor.playing(one.id))) for one in unfinished],
    )


def _state(one: Overview, is_played: bool, run: Run | None) -> str:
    """What can be done about a tournament that is not finished: stop it here, or elsewhere; resume it; finish it."""
    if run is not None:
        return "ours"
    if is_played:
        return "elsewhere"
    return "waits" if not one.progress.left and one.progress.withdrawn else "stopped"


def _why(error: BusyError | ValueError | OSError) -> Note:
    """Why nothing was started."""
    if isinstance(error, OSError):
        return Note(
            "",
            "the system refused to start it (%(error)s): end other programs, and try again",
            {"error": error.strerror},
        )
    known = error.note if isinstance(error, BusyError) else None
    return known or Note("", "a field holds a character that cannot be passed on")
