"""What the tests of the store share; each file says as STORED which tournaments its `store` holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.engine import Store
from arena.store.ledger import SqlLedger
from arena.store.ratings import Ratings
from tests.store.made import opened, tournament


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path, request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store with the tournaments of the file and their plans; an empty one where it has none."""
    with opened(path, *getattr(request.module, "STORED", ())) as store:
        yield store


@pytest.fixture
def ratings(store: Store) -> Ratings:
    return Ratings(store)


@pytest.fixture
def ledger(store: Store) -> SqlLedger:
    return SqlLedger(store)


@pytest.fixture
def epoch(ledger: SqlLedger) -> Iterator[int]:
    with ledger.lead(tournament().id) as epoch:
        yield epoch
