"""An owner with bots in a database that is there already: what the pages behind a token show."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from arena.store.accounts import Accounts
from arena.store.audit import AuditLog, Doer
from arena.store.engine import Store
from arena.store.results import Results
from arena.store.roles import Deed, Role, UploadState
from arena.store.submissions import Submission, Submissions
from arena.store.uploads import Upload, Uploads
from tests.web.pages import Stored

OWNER = "Ada Λ & <b>Co"
"""A name that has to be shown with care."""

NOW = datetime.now(UTC)

WRONG = "'three of a kind': ILLEGAL_ACTION: it threw 7h 7d 7s 2c, but these are no cards of one rank"

STEPS = (
    {"step": "files", "summary": "run as: python main.py", "figures": {}, "findings": []},
    {"step": "start", "summary": "0.61 s until it said who it is", "figures": {}, "findings": []},
    {
        "step": "turns",
        "summary": "49 of 50 turns answered by the rules",
        "figures": {},
        "findings": [
            {
                "error": True,
                "what": WRONG,
                "expected": "cards of one rank, or a run",
                "said": ["Traceback (most recent call last):", '  File "main.py", line 7, in <module>' + " x" * 100],
            }
        ],
    },
    {
        "step": "speed",
        "summary": "a turn alone 0.793 ms, p99 12.539 ms",
        "figures": {},
        "findings": [{"error": False, "what": "it is slow at times", "expected": "", "said": []}],
    },
)


def with_owner(store: Store, stored: Stored) -> Stored:
    """Let an organiser own the first bot of the stored tournament, have sent another, and have signed in."""
    doer = Doer(OWNER, "127.0.0.1")
    accounts = Accounts(store)
    _, secret = accounts.create(OWNER, Role.ORGANISER, NOW, doer)
    lost, _ = accounts.create(OWNER, Role.AUTHOR, NOW, doer)
    accounts.revoke(lost.key, NOW, doer)
    session = accounts.sign_in(secret, NOW, "127.0.0.1")
    assert session is not None
    entries = Results.of(store).tournaments.tournament(stored.tournament).tournament.entries
    bot = next(one for one in entries if one.digest.hex() == stored.bot)
    submissions = Submissions(store)
    old = submissions.add(Submission(bot.name, "0.9", bytes(32), OWNER, "", NOW - timedelta(days=9)), {}, b"")
    submissions.add(Submission(bot.name, bot.version, bot.digest, OWNER, "", NOW), {}, b"")
    submissions.retire([old], NOW)
    upload = Upload("sent", OWNER, NOW, UploadState.REFUSED, "fox", "1.0", bytes(32), WRONG, STEPS)
    Uploads(store).add(upload)
    AuditLog(store).add(NOW, doer, Deed.SUBMISSION_REFUSED, f"{upload.label}: {upload.reason}")
    return stored._replace(session=session, own_bot=stored.bot, upload=upload.id)
