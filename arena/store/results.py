"""All that can be read of an open store, in one place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from arena.store.archive import Archive
from arena.store.bots import Bots
from arena.store.engine import Store
from arena.store.events import EventLog
from arena.store.repository import Repository
from arena.store.submissions import Submissions


class Results(NamedTuple):
    """An open store, for reading; `path` is the file of the database."""

    path: Path
    tournaments: Repository
    matches: Archive
    bots: Bots
    events: EventLog
    submissions: Submissions

    @classmethod
    def of(cls, store: Store) -> Results:
        """The reads of a store."""
        return cls(store.path, Repository(store), Archive(store), Bots(store), EventLog(store), Submissions(store))
