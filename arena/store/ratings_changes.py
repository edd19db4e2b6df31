"""Where stored rows are not what they ought to be, and how they are put right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

Row = Mapping[str, Any]


class Difference(NamedTuple):
    """A figure that was stored otherwise than the records say; None for a row that is missing, or should not be."""

    where: str
    field: str
    stored: Any
    rebuilt: Any


class Change(NamedTuple):
    """A row of a table that must be put right; `stored` or `rebuilt` is None where there is no such row."""

    where: str
    table: sa.Table
    key: Row
    stored: Row | None
    rebuilt: Row | None

    def differences(self) -> Iterator[Difference]:
        """The fields that differ, in words that a user understands."""
        for field in self.rebuilt or self.stored or ():
            stored, rebuilt = (None if row is None else row[field] for row in (self.stored, self.rebuilt))
            if stored != rebuilt:
                yield Difference(self.where, field, stored, rebuilt)

    def apply(self, connection: sa.Connection) -> None:
        """Make the row what it ought to be."""
        own = [self.table.c[name] == value for name, value in self.key.items()]
        if self.rebuilt is None:
            connection.execute(self.table.delete().where(*own))
        elif self.stored is None:
            connection.execute(self.table.insert().values(**self.key, **self.rebuilt))
        else:
            connection.execute(self.table.update().where(*own).values(**self.rebuilt))
