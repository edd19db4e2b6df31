"""What owners sent to be taken in: what became of each archive, and the report of its check, for its owner alone.

The archive itself is only kept where it is taken in, as a submission.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.store.account_tables import UPLOAD
from arena.store.engine import Store
from arena.store.roles import UploadState

MOST_KEPT = 50
"""So many reports are kept of an owner, the latest ones."""

MOST_REASON = 1000
"""Characters of a reason that are kept."""


class Upload(NamedTuple):
    """An archive that was sent, and what became of it.

    `name`, `version` and `digest` are those of its bot, "" and None while it is unknown, and once it is taken in those
    under which it plays. `reason` says why it was not taken in, `steps` are the reports of its check, as
    `arena.bots.conformance.document` makes them.
    """

    id: str
    owner: str
    at: datetime
    state: UploadState = UploadState.WAITING
    name: str = ""
    version: str = ""
    digest: bytes | None = None
    reason: str = ""
    steps: Sequence[Mapping[str, Any]] = ()

    @property
    def is_open(self) -> bool:
        """Whether something is still to come."""
        return self.state in (UploadState.WAITING, UploadState.CHECKING)

    @property
    def label(self) -> str:
        """Name and version, as people call the bot; "" while it is unknown."""
        return f"{self.name} {self.version}".strip()

    @property
    def errors(self) -> int:
        """How many errors the check found."""
        return sum(finding["error"] for step in self.steps for finding in step["findings"])


class Uploads:
    """Reads and writes uploads. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, upload: Upload) -> None:
        """Keep a new upload, and forget the oldest of an owner who has many."""
        with self._store.writing() as connection:
            connection.execute(UPLOAD.insert().values(_row(upload)))
            own = sa.select(UPLOAD.c.key).where(UPLOAD.c.owner == upload.owner).order_by(UPLOAD.c.key.desc())
            old = connection.execute(own).scalars().all()[MOST_KEPT:]
            connection.execute(UPLOAD.delete().where(UPLOAD.c.key.in_(old)))

    def change(self, upload: Upload) -> None:
        """Keep what became of an upload."""
        with self._store.writing() as connection:
            connection.execute(UPLOAD.update().where(UPLOAD.c.id == upload.id).values(_row(upload)))

    def of(self, owner: str) -> tuple[Upload, ...]:
        """Those of an owner, the latest first."""
        wanted = sa.select(*_COLUMNS).where(UPLOAD.c.owner == owner).order_by(UPLOAD.c.key.desc())
        with self._store.reading() as connection:
            return tuple(map(_upload, connection.execute(wanted)))

    def find(self, number: str, owner: str) -> Upload | None:
        """The upload with this id, if it is of this owner."""
        wanted = sa.select(*_COLUMNS).where(UPLOAD.c.id == number, UPLOAD.c.owner == owner)
        with self._store.reading() as connection:
            row = connection.execute(wanted).one_or_none()
        return None if row is None else _upload(row)


_COLUMNS: list[Any] = [UPLOAD.c[name] for name in Upload._fields]


def _upload(row: Sequence[Any]) -> Upload:
    return Upload(*row)._replace(steps=tuple(row[-1]))


def _row(upload: Upload) -> dict[str, Any]:
    return upload._asdict() | {"reason": upload.reason[:MOST_REASON], "steps": list(upload.steps)}
