"""The log of who did what: it is only added to."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.store.account_tables import AUDIT
from arena.store.engine import Store
from arena.store.roles import Deed

MOST_SUBJECT = 300
"""Characters that are kept of what a deed was done to."""

MOST_ORIGIN = 100


class Doer(NamedTuple):
    """Who does something: the owner ("" when nobody is known), from where (a network address, or the command line), and
    by which token."""

    owner: str
    origin: str
    token: int | None = None


class Audited(NamedTuple):
    """A deed as it was written down; `key` only grows."""

    key: int
    at: datetime
    owner: str
    token: int | None
    deed: Deed
    subject: str
    origin: str


class AuditLog:
    """Reads and writes the log. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, at: datetime, doer: Doer, deed: Deed, subject: str) -> None:
        """Write down one deed."""
        with self._store.writing() as connection:
            note(connection, at, doer, deed, subject)

    def page(self, *, before: int | None = None, owner: str | None = None, limit: int) -> tuple[Audited, ...]:
        """The latest `limit` deeds, before the one with the key `before`, of one owner if wanted."""
        wanted = sa.select(*_COLUMNS).order_by(AUDIT.c.key.desc()).limit(limit)
        if before is not None:
            wanted = wanted.where(AUDIT.c.key < before)
        if owner is not None:
            wanted = wanted.where(AUDIT.c.owner == owner)
        with self._store.reading() as connection:
            return tuple(Audited(*row) for row in connection.execute(wanted))


_COLUMNS: list[Any] = [AUDIT.c[name] for name in Audited._fields]


def note(connection: sa.Connection, at: datetime, doer: Doer, deed: Deed, subject: str) -> None:
    """Write down a deed in the transaction in which it is done."""
    row = {"at": at, "owner": doer.owner, "token": doer.token, "deed": deed}
    texts = {"subject": subject[:MOST_SUBJECT], "origin": doer.origin[:MOST_ORIGIN]}
    connection.execute(AUDIT.insert().values(row | texts))
