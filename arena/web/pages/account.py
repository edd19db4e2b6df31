"""`/account`: what belongs to whoever has signed in."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from arena.web.accounts import Author
from arena.web.view import Viewing

router = APIRouter()


@router.get("/account", name="account")
def account_page(view: Viewing, account: Author) -> Response:
    """The tokens of the owner."""
    return view.page("account.html", account=account, tokens=view.results.accounts.tokens(account.owner))
