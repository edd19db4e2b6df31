"""`/submit`: an owner sends a bot, sees it being checked, and is told what is wrong with it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import UploadFile

from arena.bots import probe
from arena.bots.archive import MAX_PACKED
from arena.bots.members import MIB
from arena.web.accounts import Account, Author
from arena.web.intake import BusyError, TooLargeError
from arena.web.refusal import Refusal
from arena.web.view import View, Viewing

router = APIRouter()

MOST_BYTES = MAX_PACKED + 2**16
"""An archive with what a form puts around it."""


async def _sent(request: Request) -> UploadFile:
    """The file in the form. A declared field would be read before anybody asks who sends it."""
    archive = (await request.form()).get("archive")
    if not isinstance(archive, UploadFile):
        raise Refusal(422, "no file was chosen")
    return archive


@router.get("/submit", name="submit")
def form(view: Viewing, account: Author) -> Response:
    """The form for an archive, and what became of the last ones."""
    return _page(view, account, 200)


@router.post("/submit", max_body_size=MOST_BYTES)
def take(view: Viewing, account: Author, archive: Annotated[UploadFile, Depends(_sent)]) -> Response:
    """Let an archive wait for its check; what the sender calls the file does not matter."""
    if probe.offered().level == "none":
        return _page(view, account, 503)
    try:
        upload = view.site.intake.take(account.doer, archive.file)
    except BusyError as error:
        return _page(view, account, 429 if error.own else 503, busy=error.busy.name)
    except TooLargeError:
        raise HTTPException(413) from None
    return RedirectResponse(view.url("upload", upload=upload.id), 303)


@router.get("/submit/{upload}", name="upload")
def report(view: Viewing, account: Author, upload: str) -> Response:
    """What became of an archive, for its owner alone."""
    found = view.site.intake.find(upload, account.owner)
    if found is None:
        raise HTTPException(404)
    return view.page("upload.html", upload=found, ahead=view.site.intake.ahead(found))


def _page(view: View, account: Account, status: int, busy: str = "") -> Response:
    offer = probe.offered()
    return view.page(
        "submit.html",
        status,
        account=account,
        busy=busy,
        refused=offer.reason if offer.level == "none" else "",
        most_mb=MAX_PACKED // MIB,
        uploads=view.site.intake.of(account.owner),
    )
