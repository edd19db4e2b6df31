"""Bots: all of them, one with its versions, how its rating came about, and the log of its author."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query
from fastapi.responses import Response

from arena.store.bots import Participation
from arena.store.documents.bots import bot_document, event_document, whole_bot_document
from arena.store.documents.rankings import course_document
from arena.store.known import entered_as, known_bots
from arena.store.submissions import Submission, meant_by
from arena.web.accounts import BearerAuthor
from arena.web.api.asking import Asked, Asking
from arena.web.api.models.bots import Bots, Events, Versions
from arena.web.api.models.rankings import Courses
from arena.web.api.parts import Part, parts
from arena.web.api.rankings import Tournament
from arena.web.api.schema import BEARER
from arena.web.cursors import identity_key, read_identity

router = APIRouter(prefix="/bots", tags=["bots"])

Word = Annotated[
    str,
    Path(
        max_length=300,
        description="A digest or its beginning, NAME@VERSION, or a name, which means all its versions.",
        examples=["greedy"],
    ),
]


@router.get("", name="bots", response_model=Bots)
def bots(asked: Asking, part: Annotated[Part, parts(usual=50, most=500)]) -> Response:
    """All bots that were submitted or ever entered a tournament, by name, version and digest."""
    begins = None if part.after is None else read_identity(part.after, part.listing)

    def make() -> Bots:
        found = asked.results.known.page(after=begins, limit=part.limit + 1)
        cut = part.cut(found, lambda one: identity_key(one.bot))
        items = [_without(bot_document(one), "address") for one in cut.rows]
        return Bots.model_validate({"items": items, "next": cut.following})

    return asked.kept(make)


@router.get("/{bot}", name="bot", response_model=Versions)
def bot(asked: Asking, bot: Word) -> Response:
    """All versions of a bot that a word means, and how each fared in each tournament."""

    def make() -> Versions:
        submitted, entered = _found(asked, bot)
        versions = known_bots(entered, submitted)
        forfeits = asked.results.bots.recent_forfeits({one.bot.digest for one in versions if one.entered})
        items = [whole_bot_document(one, forfeits.get(one.bot.digest, 0)) for one in versions]
        return Versions.model_validate({"items": [_public(item) for item in items]})

    return asked.kept(make)


@router.get("/{bot}/history", name="bot_history", response_model=Courses)
def bot_history(asked: Asking, bot: Word, tournament: Tournament = None) -> Response:
    """How the ratings of the versions of a bot came about in a tournament; the latest that it entered by default."""
    _, entered = _found(asked, bot)
    wanted = asked.tournament(tournament).id if tournament is not None else _latest(entered)
    digests = {one.bot.digest for one in entered if one.tournament == wanted}
    if wanted is None or not digests:
        raise HTTPException(404, f"{bot} has not entered that tournament" if wanted else f"{bot} entered none yet")
    standing = asked.site.rankings.current(wanted, clean=False)

    def make() -> Courses:
        items = [course_document(wanted, digest, standing.course) for digest in sorted(digests)]
        return Courses.model_validate({"items": items})

    return asked.kept(make, version=str(standing.serial))


@router.get("/{bot}/events", name="bot_events", response_model=Events, openapi_extra=BEARER)
def bot_events(
    asked: Asking,
    account: BearerAuthor,
    bot: Word,
    limit: Annotated[int, Query(ge=1, le=1000, description="At most so many, the latest ones.")] = 50,
) -> Response:
    """What happened to a bot of the bearer beside its results, with what it had printed."""
    submitted = [one for one in meant_by(bot, asked.results.submissions.all()) if one.owner == account.owner]
    if not submitted:
        raise HTTPException(404, f"no bot {bot!r} of yours was submitted")
    pages = [asked.results.events.about(one.name, one.version, one.digest, limit=limit) for one in submitted]
    events = sorted((event for page in pages for event in page.events), key=lambda event: event.at)
    items = [event_document(event) for event in events[-limit:]]
    return asked.private(Events.model_validate({"items": items, "kept_back": sum(page.kept_back for page in pages)}))


def _found(asked: Asked, word: str) -> tuple[tuple[Submission, ...], tuple[Participation, ...]]:
    """The submissions and the participations of the bots that a word means; StoreError when it means none."""
    submitted = meant_by(word, asked.results.submissions.all())
    return submitted, entered_as(word, asked.results.bots, submitted)


def _latest(entered: tuple[Participation, ...]) -> str | None:
    return max(entered, key=lambda one: one.opened).tournament if entered else None


def _public(bot: dict[str, Any]) -> dict[str, Any]:
    """The document of a bot without where it listens and in which folder here it was found: not for everybody."""
    return _without(bot, "address") | {"fared": [_without(one, "origin") for one in bot["fared"]]}


def _without(document: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != name}
