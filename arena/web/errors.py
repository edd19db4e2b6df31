"""What a reader is told when something cannot be shown: one clear line and what to do. Pages answer with a page, the
API with problem details (RFC 9457)."""

from __future__ import annotations

import errno
import logging
from collections.abc import Mapping
from http import HTTPStatus
from sqlite3 import Error as SqliteError

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException
from starlette.types import Scope

from arena.rating.errors import RatingError
from arena.rating.notes import Note
from arena.store.errors import RecordError, StoreEmptyError, StoreError
from arena.tournament.labels import harmless
from arena.web.accounts import NotOrganiserError, NotSignedInError
from arena.web.database import UnreadableError
from arena.web.refusal import Refusal
from arena.web.security import HEADERS, SAFE_METHODS
from arena.web.tracing import HEADER, request_id
from arena.web.view import view_of
from arena.web.wording import plain_words

LOG = logging.getLogger(__name__)

API = "/api/"

FORM = "form"
"""The detail of a 403 that means: the form's token is missing or another's."""

BROKEN = (RatingError, RecordError, UnreadableError)
"""What is there and cannot be shown; any other failure of the store means that something is not there."""

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

TOLD = 300
"""Of a longer reason only so much is shown."""


def add_handlers(app: FastAPI) -> None:
    """Let the application tell every failure in these ways."""
    app.add_exception_handler(StoreEmptyError, _nothing_yet)
    app.add_exception_handler(StoreError, _store_failed)
    app.add_exception_handler(RatingError, _store_failed)
    app.add_exception_handler(NotSignedInError, _stranger)
    app.add_exception_handler(NotOrganiserError, _author_only)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(OSError, _no_room)
    app.add_exception_handler(Exception, _broken)


def problem(
    scope: Scope, status: int, detail: str, headers: Mapping[str, str] | None = None, **more: object
) -> Response:
    """A failure as programs read it, with the name under which the log has it."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    body |= {"instance": f"urn:uuid:{request_id(scope)}", **more}
    return JSONResponse(body, status, headers, "application/problem+json")


async def _nothing_yet(request: Request, error: Exception) -> Response:
    if request.url.path.startswith(API):
        return problem(request.scope, 404, str(error))
    return (await view_of(request)).page("nothing_yet.html")


async def _store_failed(request: Request, error: Exception) -> Response:
    is_missing = not isinstance(error, BROKEN) and not isinstance(error.__cause__, DBAPIError | SqliteError)
    note = error.note if isinstance(error, StoreError) else None
    return await _answer(request, 404 if is_missing else 503, str(error), note=note)


async def _stranger(request: Request, _: Exception) -> Response:
    """Lead to where one signs in, and from there back, or forward to the account after a form that is lost."""
    view = await view_of(request)
    back = view.here() if request.method in SAFE_METHODS else None
    return RedirectResponse(view.url("sign_in", {"back": back}), 303)


async def _author_only(request: Request, _: Exception) -> Response:
    return (await view_of(request)).page("organisers_only.html", 403)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = [
        {
            "where": str(one["loc"][0]),
            "name": ".".join(map(str, one["loc"][1:])),
            "detail": harmless(plain_words(one))[:TOLD],
        }
        for one in error.errors()
    ]
    told = f"{wrong[0]['name']}: {wrong[0]['detail']}"
    if request.url.path.startswith(API):
        return problem(request.scope, 422, told, errors=wrong)
    return await _answer(request, 422, told)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = error.detail != HTTPStatus(error.status_code).phrase
    headers = dict(error.headers) if error.headers else None
    note = error.note if isinstance(error, Refusal) else None
    return await _answer(request, error.status_code, error.detail if known else "", headers, note)


async def _no_room(request: Request, error: Exception) -> Response:
    """Large bodies are put on the disk while they arrive; what else a system refuses is a mistake of ours."""
    assert isinstance(error, OSError)
    if error.errno not in NO_ROOM:
        raise error
    LOG.error("request %s found no room on the disk: %s", request_id(request.scope), error)
    return await _answer(request, 507, "there is no room left on the disk of the server: tell whoever runs it")


async def _broken(request: Request, _: Exception) -> Response:
    name = request_id(request.scope)
    LOG.error("request %s failed: %s %s", name, request.method, request.url.path)
    return await _answer(request, 500, "", {**HEADERS, HEADER: name})  # sent from outside all that adds them


async def _answer(
    request: Request, status: int, reason: str, headers: dict[str, str] | None = None, note: Note | None = None
) -> Response:
    """An answer with a reason, to people in their language where it is known as a `note`."""
    told = harmless(reason)[:TOLD]
    if request.url.path.startswith(API):
        return problem(request.scope, status, told or HTTPStatus(status).description, headers)
    view = await view_of(request)
    shown = "" if told == FORM else told if note is None else harmless(view.language.told(note)[1])[:TOLD]
    page = view.page("error.html", status, code=status, reason=shown, is_english=note is None)
    page.headers.update(headers or {})
    return page
