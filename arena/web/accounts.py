"""Who is asking: a browser by the cookie of its session, a program by a bearer token.

A page that is not for everybody has `Author` or `Organiser` as an argument, the API `BearerAuthor` or
`BearerOrganiser`; what is done is noted by `audit`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, HTTPException, Request
from starlette.responses import Response

from arena.store.accounts import SESSION_TIME, Accounts, Token
from arena.store.audit import AuditLog, Doer
from arena.store.errors import StoreEmptyError, StoreError
from arena.store.roles import Deed, Role
from arena.web.security import is_encrypted
from arena.web.site import Site

COOKIE = "arena_session"
"""Cookies do not heed ports, so it must not be that of another program on this machine."""

SCHEME = "bearer"

NOTE_PATIENCE_S = 0.2
"""So long a program waits for a note of when its token was used; the next request makes up for one that was missed."""

WHO_ARE_YOU = {"www-authenticate": "Bearer"}


class NotSignedInError(Exception):
    """A page is for those who have signed in; `errors.py` leads there and back."""


class NotOrganiserError(Exception):
    """A page is for organisers, and an author asks for it."""


@dataclass(frozen=True)
class Account:
    """Who is asking, by which token, and from where."""

    token: Token
    doer: Doer

    @property
    def owner(self) -> str:
        """Whose bots this one may touch."""
        return self.token.owner

    @property
    def is_organiser(self) -> bool:
        """Whether tournaments may be started and stopped."""
        return self.token.role.covers(Role.ORGANISER)


def account_of(request: Request) -> Account | None:
    """Whose session a browser's cookie is of; None for strangers."""
    session = request.cookies.get(COOKIE)
    return _account(request, lambda accounts: accounts.signed_in(session, datetime.now(UTC))) if session else None


def bearer_of(request: Request) -> Account:
    """Whose token a program bears. Raises HTTPException with 401."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != SCHEME:
        raise HTTPException(401, "This needs a token: send it as `Authorization: Bearer TOKEN`.", WHO_ARE_YOU)
    account = _account(request, lambda accounts: accounts.bearer(secret.strip()))
    if account is None:
        raise HTTPException(401, "This token is of no use (any more): ask the organiser for another.", WHO_ARE_YOU)
    _note_use(request, account.token)
    return account


def _note_use(request: Request, token: Token) -> None:
    """Remember when a token was used, seldom: reading must not wait for a tournament that is written."""
    site: Site = request.app.state.site
    now = datetime.now(UTC)
    if not token.was_used_lately(now):
        with suppress(StoreError), site.database.writing(NOTE_PATIENCE_S) as store:
            Accounts(store).note_use(token, now)


def _account(request: Request, find: Callable[[Accounts], Token | None]) -> Account | None:
    site: Site = request.app.state.site
    try:
        token = find(site.database.results().accounts)
    except StoreEmptyError:
        return None
    return None if token is None else Account(token, Doer(token.owner, origin_of(request), token.key))


MaybeAccount = Annotated[Account | None, Depends(account_of)]
"""Who is signed in, None for a stranger."""


def _author(account: MaybeAccount) -> Account:
    if account is None:
        raise NotSignedInError
    return account


Author = Annotated[Account, Depends(_author)]
"""Whoever has signed in; others are led to where they can."""


def _organiser(account: Author) -> Account:
    if not account.is_organiser:
        raise NotOrganiserError
    return account


Organiser = Annotated[Account, Depends(_organiser)]
"""Whoever has signed in with an organiser's token."""

BearerAuthor = Annotated[Account, Depends(bearer_of)]
"""The same for programs; no cookie counts, so that no page elsewhere can borrow it."""


def _bearing_organiser(account: BearerAuthor) -> Account:
    if not account.is_organiser:
        raise HTTPException(403, "This is for organisers; yours is an author's token.")
    return account


BearerOrganiser = Annotated[Account, Depends(_bearing_organiser)]


def origin_of(request: Request) -> str:
    """The network address that a request comes from."""
    return request.client.host if request.client else ""


def audit(request: Request, account: Account, deed: Deed, subject: str) -> None:
    """Write down what somebody did to what."""
    site: Site = request.app.state.site
    with site.database.writing() as store:
        AuditLog(store).add(datetime.now(UTC), account.doer, deed, subject)


def keep_session(request: Request, response: Response, session: str) -> None:
    """Give a browser the cookie of its session: no script reads it, and no form of another site sends it."""
    lasts_s = int(SESSION_TIME.total_seconds())
    secure = is_encrypted(request)
    response.set_cookie(COOKIE, session, max_age=lasts_s, httponly=True, samesite="lax", secure=secure)


def forget_session(response: Response) -> None:
    """Take the cookie back."""
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")
