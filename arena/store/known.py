"""The bots that are known in any way: those that were submitted, and those that ever entered a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.store.bots import Bots, Participation
from arena.store.engine import Store
from arena.store.errors import UnknownBotError
from arena.store.submissions import Submission
from arena.store.tables import BOT, SUBMISSION
from arena.tournament.entries import Entry


class KnownBot(NamedTuple):
    """A version of a bot: where it took part, the latest first, and how it was submitted, if it was."""

    bot: Entry
    entered: Sequence[Participation]
    submission: Submission | None


def known_bots(entered: Iterable[Participation], submitted: Iterable[Submission]) -> list[KnownBot]:
    """Each version of a bot once, by name, version and digest; `entered` come in that order."""
    entries = {one: Entry(one.name, one.version, one.digest, one.address != "") for one in submitted}
    by_entry = {entry: one for one, entry in entries.items()}
    by_bot = {bot: list(group) for bot, group in groupby(entered, key=lambda one: one.bot)}
    return [KnownBot(bot, by_bot.get(bot, ()), by_entry.get(bot)) for bot in sorted({*by_bot, *by_entry})]


def entered_as(word: str, bots: Bots, submitted: Sequence[Submission]) -> tuple[Participation, ...]:
    """The tournaments that the bots entered that a word means; `submitted` are those that it means.

    None yet of one that was only submitted. Raises StoreError for a word that means nothing.
    """
    try:
        return bots.participations(word)
    except UnknownBotError:
        if submitted:
            return ()
        raise UnknownBotError(
            f"no bot {word!r} was submitted or has entered a tournament: `arena bots list` shows all that have"
        ) from None


class KnownBots:
    """Reads of them in pages. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def page(self, *, after: tuple[str, str, bytes] | None = None, limit: int = 50) -> tuple[KnownBot, ...]:
        """The first `limit` bots by name, version and digest; the next page is the one `after` the last of them."""
        columns = [SUBMISSION.c[name] for name in Submission._fields]
        with self._store.reading() as connection:
            rows = connection.execute(_behind(SUBMISSION, columns, after, limit))
            submitted = [Submission(*row) for row in rows]
            keys = list(connection.execute(_behind(BOT, [BOT.c.key], after, limit)).scalars())
        return tuple(known_bots(Bots(self._store).of(keys), submitted)[:limit])


def _behind(
    table: sa.Table, columns: Sequence[sa.Column[Any]], after: tuple[str, str, bytes] | None, limit: int
) -> sa.Select[Any]:
    """The first rows of a table of bots behind one."""
    order = (table.c.name, table.c.version, table.c.digest)
    wanted = sa.select(*columns).order_by(*order).limit(limit)
    return wanted if after is None else wanted.where(sa.tuple_(*order) > sa.tuple_(*map(sa.literal, after)))
