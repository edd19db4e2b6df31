"""All that can be read of an open store, in one place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from arena.store.accounts import Accounts
from arena.store.archive import Archive
from arena.store.audit import AuditLog
from arena.store.bots import Bots
from arena.store.catalogue import Catalogue
from arena.store.conduct import Conduct
from arena.store.engine import Store
from arena.store.events import EventLog
from arena.store.games import Games
from arena.store.known import KnownBots
from arena.store.meetings import Meetings
from arena.store.overview import Overviews
from arena.store.repository import Repository
from arena.store.submissions import Submissions
from arena.store.uploads import Uploads


class Results(NamedTuple):
    """An open store, for reading; `path` is the file of the database."""

    path: Path
    tournaments: Repository
    matches: Archive
    bots: Bots
    events: EventLog
    submissions: Submissions
    accounts: Accounts
    audit: AuditLog
    uploads: Uploads
    overviews: Overviews
    meetings: Meetings
    conduct: Conduct
    known: KnownBots
    catalogue: Catalogue
    games: Games

    @classmethod
    def of(cls, store: Store) -> Results:
        """The reads of a store."""
        played = (Repository(store), Archive(store), Bots(store), EventLog(store))
        people = (Submissions(store), Accounts(store), AuditLog(store), Uploads(store))
        return cls(
            store.path,
            *played,
            *people,
            Overviews(store),
            Meetings(store),
            Conduct(store),
            KnownBots(store),
            Catalogue(store),
            Games(store),
        )
