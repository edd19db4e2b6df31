"""Whose game it is: a random token in a cookie, so that nobody else sees the hand. Only its SHA-256 is ever kept."""

from __future__ import annotations

from hashlib import sha256
from secrets import token_urlsafe

from fastapi import Request
from starlette.responses import Response

from arena.web.security import is_encrypted

COOKIE = "player"
TOKEN_BYTES = 24
LASTS_S = 365 * 24 * 3600


def player_of(request: Request) -> bytes | None:
    """Who asks; None for a browser that has never played."""
    token = request.cookies.get(COOKIE, "")
    return sha256(token.encode()).digest() if len(token) >= TOKEN_BYTES else None


def new_player(request: Request, response: Response) -> bytes:
    """Give a browser the cookie of a new player."""
    token = token_urlsafe(TOKEN_BYTES)
    response.set_cookie(COOKIE, token, max_age=LASTS_S, httponly=True, samesite="lax", secure=is_encrypted(request))
    return sha256(token.encode()).digest()
