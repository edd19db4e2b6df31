"""What is decided of a bot that was sent: whether it may have its name, what keeps it out, and what is kept of it."""

from __future__ import annotations

from datetime import UTC, datetime

from arena.bots.conformance import Step
from arena.bots.folders import discover
from arena.rating.notes import Note
from arena.settings import sample_bots
from arena.store.audit import AuditLog, Doer
from arena.store.errors import SubmissionError
from arena.store.roles import Deed, UploadState
from arena.store.submissions import Submission, Submissions, judged
from arena.store.uploads import Upload, Uploads
from arena.web.database import Database

DECISIVE = frozenset({Step.FILES.value, Step.START.value, Step.DESCRIBE.value, Step.TURNS.value, Step.BATCH.value})
"""An error in these steps keeps a bot out, as it does in `arena submit`; what comes later is for its author to mend."""

DEEDS = {UploadState.TAKEN: Deed.SUBMITTED, UploadState.REFUSED: Deed.SUBMISSION_REFUSED}

REVOKED = Note("", "the token with which it was sent was revoked").text


def refusal(database: Database, upload: Upload) -> str:
    """Why a bot could not be stored as it calls itself; "" when it could."""
    try:
        judged(_wanted(upload), database.results().submissions.all(), _reserved())
    except SubmissionError as error:
        return str(error)
    return ""


def decided(database: Database, upload: Upload, package: bytes, doer: Doer) -> Upload:
    """What became of an upload that was examined to the end; a bot that nothing keeps out is stored."""
    if wrong := _lost_token(database, doer) or first_error(upload):
        return upload._replace(state=UploadState.REFUSED, reason=wrong)
    try:
        with database.writing() as store:
            kept = Submissions(store).add(_wanted(upload), _reserved(), package)
    except SubmissionError as error:
        return upload._replace(state=UploadState.REFUSED, reason=str(error))
    return upload._replace(state=UploadState.TAKEN, version=kept.version)


def _lost_token(database: Database, doer: Doer) -> str:
    """That the token was revoked meanwhile, since it may have been a thief who sent it; "" when it was not."""
    is_lost = doer.token is not None and not database.results().accounts.is_in_force(doer.token)
    return REVOKED if is_lost else ""


def first_error(upload: Upload) -> str:
    """The first thing that keeps a bot out; "" when there is none."""
    found = (
        finding["what"]
        for step in upload.steps
        if step["step"] in DECISIVE
        for finding in step["findings"]
        if finding["error"]
    )
    return next(found, "")


def keep(database: Database, ended: Upload, doer: Doer) -> None:
    """Write down what became of an upload; whoever sees it then finds all else in its place already."""
    with database.writing() as store:
        if ended.state in DEEDS:
            about = f"{ended.label or 'an archive'}{f': {ended.reason}' if ended.reason else ''}"
            AuditLog(store).add(datetime.now(UTC), doer, DEEDS[ended.state], about)
        Uploads(store).change(ended)


def _wanted(upload: Upload) -> Submission:
    assert upload.digest is not None
    return Submission(upload.name, upload.version, upload.digest, upload.owner, "", datetime.now(UTC))


def _reserved() -> dict[str, bytes]:
    """The names of the sample bots, with the digests that may bear them."""
    return {bot.name: bot.digest for bot in discover([sample_bots()], broken=True)}
