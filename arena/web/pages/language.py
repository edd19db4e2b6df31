"""`/language/CODE`: choosing the language by hand, and back to where one was."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import RedirectResponse

from arena.web.i18n import CODES, COOKIE
from arena.web.queries import is_ours
from arena.web.view import Viewing

router = APIRouter()

A_YEAR_S = 365 * 24 * 3600


@router.get("/language/{code}", name="language")
async def choose_language(view: Viewing, code: str, back: str = "/") -> RedirectResponse:
    """Remember the language in a cookie, and lead back to a page of ours."""
    if code not in CODES:
        raise HTTPException(404)
    answer = RedirectResponse(back if is_ours(back) else view.url("ranking"), 303)
    answer.set_cookie(COOKIE, code, max_age=A_YEAR_S, samesite="lax", httponly=True)
    return answer
