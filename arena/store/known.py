"""The bots that are known in any way: those that were submitted, and those that ever entered a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import sqlalchemy as sa

from arena.store.bots import Bots, Participation
from arena.store.engine import Store
from arena.store.errors import UnknownBotError
from arena.store.submissions import Submission
from arena.store.tables import BOT, SUBMISSION
from arena.tournament.entries import Entry


class Identity(NamedTuple):
    """What stands for a version of a bot, and what lists of all bots are sorted by."""

    name: str
    version: str
    digest: bytes


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


def listed(connection: sa.Connection, *, words: str = "", after: Identity | None = None, limit: int) -> list[Identity]:
    """The first `limit` bots whose names hold these words, by name, version and digest, behind the one `after`."""
    found: set[Identity] = set()
    for table in (BOT, SUBMISSION):
        columns = [table.c[name] for name in Identity._fields]
        wanted = sa.select(*columns).order_by(*columns).limit(limit)
        if words:
            wanted = wanted.where(table.c.name.icontains(words, autoescape=True))
        if after is not None:
            wanted = wanted.where(sa.tuple_(*columns) > sa.tuple_(*map(sa.literal, after)))
        found.update(Identity(*row) for row in connection.execute(wanted.distinct()))
    return sorted(found)[:limit]


class KnownBots:
    """Reads of them in pages. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def page(self, *, after: Identity | None = None, limit: int = 50) -> tuple[KnownBot, ...]:
        """The first `limit` bots by name, version and digest; the next page is the one `after` the last of them."""
        with self._store.reading() as connection:
            wanted = set(listed(connection, after=after, limit=limit))
            digests = {one.digest for one in wanted}
            columns = [SUBMISSION.c[name] for name in Submission._fields]
            rows = connection.execute(sa.select(*columns).where(SUBMISSION.c.digest.in_(digests)))
            submitted = [Submission(*row) for row in rows]
            keys = list(connection.execute(sa.select(BOT.c.key).where(BOT.c.digest.in_(digests))).scalars())
        known = known_bots(Bots(self._store).of(keys), submitted)
        return tuple(one for one in known if one.bot[:3] in wanted)
