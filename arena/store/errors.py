"""What can go wrong with a store, told in one line: what, why, and what to do.

Exception
├── StorageError            (arena.tournament.ports) what a campaign knows of it
│   └── StoreError          the database cannot be used, or what was asked for is not in it
│       ├── StoreEmptyError nothing has been played yet
│       ├── RecordError     a stored record is damaged, missing or another match's
│       ├── UnknownBotError no bot of this name has entered a tournament
│       ├── SubmissionError a bot may not be submitted as it is called
│       └── AccountError    there is no such token, or nobody may have the name of its owner
└── LedgerError             (arena.tournament.ports) a leader was refused
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.exc import DBAPIError

from arena.rating.notes import WordedError
from arena.tournament.ports import StorageError

CHOOSE_ANOTHER = "name another file with ARENA_DATABASE_URL=sqlite:///PATH, or move this one away"

REMEDIES = {
    "SQLITE_FULL": "free some space on the disk and try again; nothing was half-stored",
    "SQLITE_BUSY": "another program keeps it locked: wait for that one or end it, and try again",
    "SQLITE_LOCKED": "another program keeps it locked: wait for that one or end it, and try again",
    "SQLITE_CORRUPT": "the file is damaged: restore a backup, or move it away to begin anew",
    "SQLITE_NOTADB": "the file is damaged: restore a backup, or move it away to begin anew",
}
"""What to do, by the beginning of SQLite's name for an error."""


class StoreError(WordedError, StorageError):
    """The database cannot be used, or what was asked for is not in it; the message is for the user as it stands.

    What readers of pages meet is worded, so that they are told in their language.
    """


class StoreEmptyError(StoreError):
    """There is no tournament to read yet."""


class RecordError(StoreError):
    """A record is not what it was stored as, so nothing can be rebuilt from it; the message names it."""


class UnknownBotError(StoreError):
    """No bot of this name has entered a tournament."""


class SubmissionError(StoreError):
    """A bot cannot be submitted as it is called."""


class AccountError(StoreError):
    """There is no such token, or nobody may have the name of its owner."""


def nothing_played(path: Path) -> StoreEmptyError:
    """The answer of every reading command as long as nothing was played."""
    return StoreEmptyError(f"there is no tournament yet in {path}: play one with `arena tournament run`")


def explain(path: Path, error: Exception) -> StoreError:
    """Put a failure of the database below (SQLite's own or as SQLAlchemy wraps it) into one clear line."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    name = getattr(cause, "sqlite_errorname", "")
    remedy = next((text for start, text in REMEDIES.items() if name.startswith(start)), None)
    return StoreError(
        f"the database {path} failed: {cause}; {remedy or 'check that its folder exists and is writable'}"
    )
