"""From a typed failure to one line and an exit code: 0 done, 1 failed, 2 misuse.

What is not listed here is a bug of the program and keeps its traceback.
"""

from __future__ import annotations

import errno
import sqlite3

from arena.game.errors import VariantError

FAILED = 1
MISUSE = 2

REMEDIES = {
    errno.ENOSPC: "free some space there and try again",
    errno.EDQUOT: "free some space there and try again",
    errno.EMFILE: "allow more open files with `ulimit -n`, or play with fewer --workers",
    errno.ENFILE: "end other programs, or play with fewer --workers",
    errno.ENOMEM: "end other programs, or play with fewer --workers",
    errno.EAGAIN: "end other programs, or play with fewer --workers",
}
"""What to do when the system refused something to the arena."""


class Misuse(Exception):  # noqa: N818 — reads as what it is
    """What was asked for cannot be; the message says what, why, and what to do."""


class CommandFailed(Exception):  # noqa: N818
    """The command could not do its work though it was asked well; the message says what, why, and what to do."""


def exit_code(error: Exception) -> int | None:
    """The exit code of a failure that is told in one line; None for a bug.

    The classes are looked up only here, after a failure, so that a command that works does not load them.
    """
    if isinstance(error, Misuse | VariantError):
        return MISUSE
    if isinstance(error, CommandFailed):
        return FAILED
    if isinstance(error, OSError):
        return FAILED
    failures, wrong_input = _known()
    if isinstance(error, failures) or _is_of_database(error):
        return FAILED
    return MISUSE if isinstance(error, wrong_input) else None


def one_line(error: Exception) -> str:
    """The message of a failure without line breaks."""
    return " ".join((_of_system(error) if isinstance(error, OSError) else str(error)).split())


def _of_system(error: OSError) -> str:
    """What the system refused, with the file that it was about and what to do."""
    reason = error.strerror or str(error) or type(error).__name__
    about = f"{error.filename}: {reason}" if error.filename is not None else reason
    return f"the system refused: {about}; {REMEDIES.get(error.errno or 0, 'mend that and try again')}"


def _known() -> tuple[tuple[type[Exception], ...], tuple[type[Exception], ...]]:
    """The errors of the packages: failures, and wrong input (of which a failure may be a kind)."""
    from arena.bots.errors import BotError, BuildError, StartError, UnkeptError
    from arena.fleet.campaign import CampaignStopped
    from arena.fleet.engine import EngineError
    from arena.match.limits import LimitsError
    from arena.rating.errors import RatingError
    from arena.store.errors import RecordError, StoreEmptyError, StoreError
    from arena.tournament.formats import PlanError
    from arena.tournament.ports import LedgerError

    of_bots = (BuildError, StartError, UnkeptError)
    failures = (*of_bots, CampaignStopped, EngineError, LedgerError, RatingError, RecordError, StoreEmptyError)
    return failures, (BotError, LimitsError, PlanError, StoreError)


def _is_of_database(error: Exception) -> bool:
    """Whether a database that is the right one failed (a full disk, a lock): nobody asked for anything wrong."""
    from sqlalchemy.exc import DBAPIError

    return isinstance(error.__cause__, DBAPIError | sqlite3.Error)
