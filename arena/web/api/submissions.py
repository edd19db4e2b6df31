"""Submissions: an owner sends a bot, and asks what became of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from tempfile import SpooledTemporaryFile
from typing import Annotated, BinaryIO, cast

from fastapi import APIRouter, Depends, HTTPException, Path, Request
from fastapi.responses import Response

from arena.bots import probe
from arena.bots.archive import MAX_PACKED
from arena.bots.members import MIB
from arena.store.documents.uploads import upload_document
from arena.web.accounts import BearerAuthor
from arena.web.api import PATH
from arena.web.api.asking import Asking
from arena.web.api.models.submissions import Submission, Submissions
from arena.web.api.schema import BEARER, refused
from arena.web.intake import MOST_OF_OWNER, BusyError, TooLargeError

router = APIRouter(prefix="/submissions", tags=["submissions"])

ARCHIVE = "application/octet-stream"

IN_MEMORY = 2**20
"""A larger archive goes to the disk while it comes in."""

COME_BACK = {"retry-after": "30"}

SENDING = BEARER | {
    "requestBody": {
        "description": "The archive itself: tar, tar.gz, tar.zst or zip, with `bot.toml` in it.",
        "required": True,
        "content": {ARCHIVE: {"schema": {"type": "string", "format": "binary"}}},
    },
    "responses": {
        "401": refused("The token is missing, or of no use (any more)."),
        "413": refused(f"The archive is larger than {MAX_PACKED // MIB} MiB."),
        "429": refused(
            f"Your last {MOST_OF_OWNER} bots are still being checked, or you have sent very many, or asked too often."
        ),
        "503": refused("Too many bots wait for their check, the disk is full, or there is no sandbox here."),
    },
}


async def sent(request: Request, _: BearerAuthor) -> AsyncIterator[BinaryIO]:
    """The body of a request, which is read only of those who may send something."""
    with SpooledTemporaryFile(IN_MEMORY) as file:
        async for part in request.stream():
            file.write(part)
        file.seek(0)
        yield cast(BinaryIO, file)


@router.get("", name="submissions", response_model=Submissions, openapi_extra=BEARER)
def submissions(asked: Asking, account: BearerAuthor) -> Response:
    """What became of the last archives of the bearer, the latest first."""
    items = [upload_document(upload) for upload in asked.site.intake.of(account.owner)]
    return asked.private(Submissions.model_validate({"items": items}))


@router.post(
    "",
    name="submit",
    status_code=202,
    response_model=Submission,
    max_body_size=MAX_PACKED,
    openapi_extra=SENDING,
)
def submit(asked: Asking, account: BearerAuthor, archive: Annotated[BinaryIO, Depends(sent)]) -> Response:
    """Send a bot: it waits for its check, and is taken in when that finds no error.

    `Location` tells where to look. Whether the archive holds a bot is looked at only then: `state` tells of it.
    """
    offer = probe.offered()
    if offer.level == "none":
        raise HTTPException(503, f"nothing can be taken in here, since there is no sandbox: {offer.reason}")
    try:
        upload = asked.site.intake.take(account.doer, archive)
    except BusyError as busy:
        raise HTTPException(429 if busy.own else 503, str(busy), COME_BACK) from busy
    except TooLargeError:
        raise HTTPException(413) from None
    answer = asked.private(Submission.model_validate(upload_document(upload)), 202)
    answer.headers["location"] = f"{PATH}/submissions/{upload.id}"
    return answer


@router.get("/{submission}", name="submission", response_model=Submission, openapi_extra=BEARER)
def submission(
    asked: Asking,
    account: BearerAuthor,
    submission: Annotated[str, Path(max_length=100, description="The `id` that it was given.")],
) -> Response:
    """What became of one archive of the bearer."""
    found = asked.site.intake.find(submission, account.owner)
    if found is None:
        raise HTTPException(404, f"nothing that you sent is called {submission!r}")
    return asked.private(Submission.model_validate(upload_document(found)))
