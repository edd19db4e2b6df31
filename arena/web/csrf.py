"""Forms come from our own pages: a random token in a cookie that other sites cannot use or read, and the same in the
form. Every POST below the pages is checked; programs with a bearer token have no cookie that could be abused."""

from __future__ import annotations

from hmac import compare_digest
from secrets import token_urlsafe

from fastapi import HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from arena.web.accounts import NotSignedInError, account_of
from arena.web.security import SAFE_METHODS, is_encrypted

COOKIE = "form_token"
FIELD = "form_token"
HEADER = "x-form-token"
"""Where a script puts the token."""

TOKEN_BYTES = 32


def form_token(request: Request) -> str:
    """The token for the forms of this answer: that of the reader's cookie, or a new one."""
    if not hasattr(request.state, "form_token"):
        known = request.cookies.get(COOKIE, "")
        request.state.form_token = known if len(known) >= TOKEN_BYTES else token_urlsafe(TOKEN_BYTES)
    return str(request.state.form_token)


def keep_token(request: Request, response: Response) -> None:
    """Give the reader the cookie, if a form of this answer has a token that is new to them."""
    token = getattr(request.state, "form_token", None)
    if token is not None and token != request.cookies.get(COOKIE):
        # Not strict: whoever comes by a link would seem to have none, and a new one would spoil the forms elsewhere.
        response.set_cookie(COOKIE, token, httponly=True, samesite="lax", secure=is_encrypted(request))


async def check_form(request: Request) -> None:
    """Refuse with 403 what changes something and does not bring the token of its cookie; files of strangers at all."""
    if request.method in SAFE_METHODS:
        return
    if _brings_files(request) and await run_in_threadpool(account_of, request) is None:
        raise NotSignedInError  # before any of it is read
    known = request.cookies.get(COOKIE, "")
    given = request.headers.get(HEADER) or (await request.form()).get(FIELD)
    if not known or not isinstance(given, str) or not compare_digest(known.encode(), given.encode()):
        raise HTTPException(403, "form")


def _brings_files(request: Request) -> bool:
    return request.headers.get("content-type", "").lower().startswith("multipart/")
