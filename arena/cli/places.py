"""Where things lie on this machine: the store of results, and the sample bot that ratings are anchored at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from arena.settings import database_url, sample_bots

if TYPE_CHECKING:
    from arena.store.archive import Archive
    from arena.store.bots import Bots
    from arena.store.events import EventLog
    from arena.store.repository import Repository
    from arena.store.submissions import Submissions

ANCHOR = "greedy"
"""The sample bot whose rating is 1500."""


class Results(NamedTuple):
    """An open store, for reading; `path` is the file of the database."""

    path: Path
    tournaments: Repository
    matches: Archive
    bots: Bots
    events: EventLog
    submissions: Submissions


@contextmanager
def results() -> Iterator[Results]:
    """Open the store that the settings name; raises StoreError, and StoreEmptyError when nothing was played yet."""
    from arena.store.archive import Archive
    from arena.store.bots import Bots
    from arena.store.events import EventLog
    from arena.store.opening import open_store
    from arena.store.repository import Repository
    from arena.store.submissions import Submissions

    with open_store(database_url(), write=False) as store:
        yield Results(store.path, Repository(store), Archive(store), Bots(store), EventLog(store), Submissions(store))


def anchor_digest() -> bytes | None:
    """The digest of the sample bot that anchors ratings, as it lies here; None when it cannot be read."""
    from arena.bots.errors import BotError
    from arena.bots.folders import open_folder

    try:
        return open_folder(sample_bots() / ANCHOR).digest
    except BotError:
        return None
