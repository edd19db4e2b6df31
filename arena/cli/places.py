"""Where things lie on this machine: the store of results that the settings name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from arena.settings import database_url

if TYPE_CHECKING:
    from arena.store.results import Results


@contextmanager
def results() -> Iterator[Results]:
    """Open the store that the settings name; raises StoreError, and StoreEmptyError when nothing was played yet."""
    from arena.store.opening import open_store
    from arena.store.results import Results

    with open_store(database_url(), write=False) as store:
        yield Results.of(store)
