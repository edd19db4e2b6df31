"""`/audit`: who did what, for organisers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from arena.web.accounts import Organiser
from arena.web.paging import page_by_key
from arena.web.queries import OrBlank
from arena.web.view import Viewing

router = APIRouter()

ROWS = 100


@router.get("/audit", name="audit")
def audit(
    view: Viewing,
    account: Organiser,
    before: OrBlank[Annotated[int, Field(ge=1, le=2**62)]] = None,
    owner: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """The latest deeds, of all or of one owner."""
    log = view.results.audit
    page = page_by_key(
        lambda limit: log.page(before=before, owner=owner or None, limit=limit), ROWS, lambda one: one.key
    )
    return view.page("audit.html", account=account, page=page, owner=owner, before=before)
