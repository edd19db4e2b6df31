"""What the tests of the store share; each file says which tournaments its `store` holds, CUP always among them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.engine import Store
from arena.store.ledger import SqlLedger
from tests.store.made import tournament


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def ledger(store: Store) -> SqlLedger:
    return SqlLedger(store)


@pytest.fixture
def epoch(ledger: SqlLedger) -> Iterator[int]:
    with ledger.lead(tournament().id) as epoch:
        yield epoch
