"""`/account`: the bots of whoever has signed in, what happened to them, and the tokens; nothing of anybody else's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Form, HTTPException, Query
from fastapi.responses import RedirectResponse, Response

from arena.store.accounts import Accounts
from arena.store.audit import AuditLog
from arena.store.roles import Deed
from arena.store.submissions import Submission, Submissions, newest
from arena.tournament.entries import BOTS_PER_OWNER
from arena.web.accounts import Account, Author
from arena.web.view import View, Viewing

router = APIRouter()

ENTRIES = 100
"""So many entries of a log are shown unless more are asked for."""

SHOWN_UPLOADS = 5


class OwnBot(NamedTuple):
    """A bot by name: its versions, the latest first, and which of them tournaments play, None when all are retired."""

    name: str
    versions: Sequence[Submission]
    plays: Submission | None


@router.get("/account", name="account")
def account_page(view: Viewing, account: Author) -> Response:
    """The bots of the owner, what they sent last, and their tokens."""
    return view.page(
        "account.html",
        account=account,
        bots=(bots := _own_bots(view.results.submissions.of(account.owner))),
        many=sum(bot.plays is not None for bot in bots) > BOTS_PER_OWNER,
        most=BOTS_PER_OWNER,
        uploads=view.site.intake.of(account.owner)[:SHOWN_UPLOADS],
        tokens=view.results.accounts.tokens(account.owner),
    )


@router.get("/account/log/{digest}", name="bot_log")
def log(view: Viewing, account: Author, digest: str, limit: Annotated[int, Query(ge=1, le=2000)] = ENTRIES) -> Response:
    """What happened to a bot beside its results, with what it printed, for its owner alone."""
    bot = next((one for one in view.results.submissions.of(account.owner) if one.digest.hex() == digest), None)
    if bot is None:
        raise HTTPException(404)
    page = view.results.events.about(bot.name, bot.version, bot.digest, limit=limit)
    more = limit * 5 if len(page.events) == limit < 2000 else None
    return view.page("bot_log.html", bot=bot, page=page, more=more and min(more, 2000))


@router.post("/account/retire", name="retire")
def retire(view: Viewing, account: Author, name: Annotated[str, Form()], version: Annotated[str, Form()]) -> Response:
    """Take a bot out of the tournaments to come."""
    return _change(view, account, (name, version), datetime.now(UTC))


@router.post("/account/restore", name="restore")
def restore(view: Viewing, account: Author, name: Annotated[str, Form()], version: Annotated[str, Form()]) -> Response:
    """Let a retired bot take part in new tournaments again."""
    return _change(view, account, (name, version), None)


@router.post("/account/revoke", name="revoke_token")
def revoke(view: Viewing, account: Author, token: Annotated[int, Form()]) -> Response:
    """Let a token of the owner's be of no use any more, such as one that was lost."""
    own = {one.key for one in view.results.accounts.tokens(account.owner) if one.revoked is None}
    if token not in own:
        raise HTTPException(404)
    with view.site.database.writing() as store:
        Accounts(store).revoke(token, datetime.now(UTC), account.doer)
    return RedirectResponse(view.url("account"), 303)


def _own_bots(submissions: Sequence[Submission]) -> list[OwnBot]:
    """The bots by name, each with its latest version first."""
    plays = {one.name: one for one in newest(submissions)}
    by_name = groupby(sorted(submissions, key=lambda one: one.name), key=lambda one: one.name)
    return [OwnBot(name, list(versions)[::-1], plays.get(name)) for name, versions in by_name]


def _change(view: View, account: Account, which: tuple[str, str], retired: datetime | None) -> Response:
    """Retire a version of the owner's, or let it come again; 404 for what is nobody's or another's."""
    bot = next((one for one in view.results.submissions.of(account.owner) if (one.name, one.version) == which), None)
    if bot is None:
        raise HTTPException(404)
    if (bot.retired is None) != (retired is None):
        with view.site.database.writing() as store:
            Submissions(store).retire([bot], retired)
            AuditLog(store).add(datetime.now(UTC), account.doer, Deed.RETIRED if retired else Deed.RESTORED, bot.label)
    return RedirectResponse(view.url("account"), 303)
