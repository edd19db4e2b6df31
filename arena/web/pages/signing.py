"""`/sign-in` and `/sign-out`: a browser begins a session with a token, and ends it."""

from __future__ import annotations

from datetime import UTC, datetime
from math import ceil
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import RedirectResponse, Response

from arena.store.accounts import Accounts
from arena.store.errors import StoreEmptyError
from arena.web.accounts import COOKIE, MaybeAccount, forget_session, keep_session, origin_of
from arena.web.queries import is_ours
from arena.web.view import View, Viewing

router = APIRouter()

LONGEST = 2000
"""Characters of what a form may bring."""


@router.get("/sign-in", name="sign_in")
def ask_for_token(view: Viewing, account: MaybeAccount, back: str = "") -> Response:
    """The form for a token."""
    return view.page("sign_in.html", account=account, back=back[:LONGEST], refused=False)


@router.post("/sign-in")
def sign_in(
    view: Viewing, token: Annotated[str, Form(max_length=LONGEST)], back: Annotated[str, Form(max_length=LONGEST)] = ""
) -> Response:
    """Begin a session, and lead back."""
    origin = origin_of(view.request)
    if wait_s := view.site.sign_ins.take(origin):
        raise HTTPException(429, headers={"retry-after": str(ceil(wait_s))})
    session = _begun(view, token.strip(), origin)
    if session is None:
        return view.page("sign_in.html", 403, account=None, back=back, refused=True)
    answer = RedirectResponse(back if is_ours(back) else view.url("account"), 303)
    keep_session(view.request, answer, session)
    return answer


def _begun(view: View, token: str, origin: str) -> str | None:
    try:
        with view.site.database.writing() as store:
            return Accounts(store).sign_in(token, datetime.now(UTC), origin)
    except StoreEmptyError:
        return None


@router.post("/sign-out", name="sign_out")
def sign_out(view: Viewing, account: MaybeAccount) -> Response:
    """End the session here; others with the same token go on."""
    if account is not None:
        with view.site.database.writing() as store:
            Accounts(store).sign_out(view.request.cookies[COOKIE], datetime.now(UTC), account.doer)
    answer = RedirectResponse(view.url("ranking"), 303)
    forget_session(answer)
    return answer
