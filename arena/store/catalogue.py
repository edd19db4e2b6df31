"""All bots that were submitted or ever entered a tournament, page by page, and one of them with its other versions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa

from arena.store.bots import DIGEST, digest_range
from arena.store.engine import Store
from arena.store.errors import StoreError, UnknownBotError
from arena.store.known import Identity, listed
from arena.store.tables import BOT, DIGEST_BYTES, ENTRY, RATING, SUBMISSION, TOTAL, TOURNAMENT
from arena.tournament.entries import Entry

if TYPE_CHECKING:
    from arena.rating.bot_rows import BotReport

NEVER = datetime.min.replace(tzinfo=UTC)

_OF_BOT = [BOT.c[field] for field in Entry._fields]


class Version(NamedTuple):
    """A version of a bot: whose it is ("" for nobody's), since when it is known, and since when it is retired.

    `known` is when it was submitted or entered a tournament last.
    """

    bot: Entry
    owner: str
    known: datetime
    submitted: datetime | None
    retired: datetime | None


class CataloguedBot(NamedTuple):
    """A bot of the list with its sums over all tournaments, and its rating in the `tournament` that it entered last.

    `withdrawn` is the reason for which it was withdrawn from that one. `rating` is that of the list that was kept.
    """

    version: Version
    tournaments: int
    matches: int
    faults: int
    fault_matches: int
    tournament: str
    name: str
    withdrawn: str | None
    rating: BotReport[bytes] | None


class Catalogue:
    """Reads about all bots. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def page(self, *, words: str = "", after: Identity | None = None, limit: int) -> tuple[CataloguedBot, ...]:
        """The first `limit` bots whose names hold these words, by name, version and digest, behind the one `after`."""
        with self._store.reading() as connection:
            identities = listed(connection, words=words, after=after, limit=limit)
            found = {version.bot[:3]: version for version in _versions(connection, {one.digest for one in identities})}
            return tuple(_catalogued(connection, [found[one] for one in identities]))

    def versions(self, word: str) -> tuple[Version, ...]:
        """All versions of the bot with this name, or the beginning of this digest, the newest first.

        A version that is named by its digest stands before the others. Raises UnknownBotError, and StoreError where
        several digests begin so.
        """
        with self._store.reading() as connection:
            name, digest = _meant(connection, word)
            called = _known(connection, lambda table: table.c.name == name)
            versions = _versions(connection, {one for _, one in called})
        same = [version for version in versions if version.bot.name == name]
        return tuple(sorted(same, key=lambda one: (one.bot.digest != digest, -one.known.timestamp(), one.bot)))


def _meant(connection: sa.Connection, word: str) -> tuple[str, bytes | None]:
    """The name that is meant, and the digest where it was one."""
    is_whole = len(word) == 2 * DIGEST_BYTES  # no name is so long
    if not is_whole and _known(connection, lambda table: table.c.name == word):
        return word, None
    found: set[tuple[str, bytes]] = set()
    if DIGEST.fullmatch(word):
        found = _known(connection, lambda table: table.c.digest.between(*digest_range(word)))
    if not found:
        raise UnknownBotError.worded(
            "there is no bot %(word)s: the list of bots shows those that there are", word=repr(word)
        )
    if len({digest for _, digest in found}) > 1:
        raise StoreError.worded("%(word)s is the beginning of several digests: give more of it", word=repr(word))
    return min(found)


def _known(connection: sa.Connection, which: Callable[[sa.Table], sa.ColumnElement[bool]]) -> set[tuple[str, bytes]]:
    """Names and digests of the bots that entered or were submitted, and for which this holds."""
    wanted = (sa.select(table.c.name, table.c.digest).where(which(table)) for table in (BOT, SUBMISSION))
    return {(name, digest) for one in wanted for name, digest in connection.execute(one)}


def _versions(connection: sa.Connection, digests: set[bytes]) -> list[Version]:
    """The bots with these digests."""
    tables = BOT.join(ENTRY, ENTRY.c.bot == BOT.c.key).join(TOURNAMENT, TOURNAMENT.c.key == ENTRY.c.tournament)
    entered = sa.select(*_OF_BOT, sa.func.max(TOURNAMENT.c.opened)).select_from(tables)
    entered = entered.where(BOT.c.digest.in_(digests)).group_by(BOT.c.key)
    found = {Entry(*row[:4]): row[4] for row in connection.execute(entered)}
    submitted = {}
    for row in connection.execute(sa.select(SUBMISSION).where(SUBMISSION.c.digest.in_(digests))):
        submitted[Entry(row.name, row.version, row.digest, row.address != "")] = row
    versions = []
    for bot in sorted({*found, *submitted}):
        by, last = submitted.get(bot), found.get(bot, NEVER)
        if by is None:
            versions.append(Version(bot, "", last, None, None))
        else:
            versions.append(Version(bot, by.owner, max(by.submitted, last), by.submitted, by.retired))
    return versions


def _catalogued(connection: sa.Connection, versions: Sequence[Version]) -> list[CataloguedBot]:
    """With the sums of each, and its place in the tournament that it entered last."""
    which = BOT.c.digest.in_({version.bot.digest for version in versions})
    keys = {Entry(*row[:4]): row.key for row in connection.execute(sa.select(*_OF_BOT, BOT.c.key).where(which))}
    sums = _sums(connection, list(keys.values()))
    last = {bot: row[-1] for bot, row in sums.items()}
    names = _tournaments(connection, set(last.values()))
    ratings, withdrawn = _ratings(connection, last), _withdrawn(connection, last)
    catalogued = []
    for version in versions:
        key = keys.get(version.bot)
        if key is None or key not in sums:
            catalogued.append(CataloguedBot(version, 0, 0, 0, 0, "", "", None, None))
        else:
            tournaments, matches, faults, fault_matches, latest = sums[key]
            fared = (tournaments, matches, faults, fault_matches)
            catalogued.append(CataloguedBot(version, *fared, *names[latest], withdrawn.get(key), ratings.get(key)))
    return catalogued


def _sums(connection: sa.Connection, bots: Sequence[int]) -> dict[int, tuple[int, int, int, int, int]]:
    """In how many tournaments bots took part, their matches, faults and matches with one, and the latest tournament."""
    entered = sa.select(ENTRY.c.bot, ENTRY.c.tournament).where(ENTRY.c.bot.in_(bots)).distinct().subquery()
    sums = [sa.func.coalesce(sa.func.sum(TOTAL.c[name]), 0) for name in ("matches", "faults", "fault_matches")]
    counted = sa.and_(TOTAL.c.bot == entered.c.bot, TOTAL.c.tournament == entered.c.tournament)
    told = sa.select(entered.c.bot, sa.func.count(), *sums, sa.func.max(entered.c.tournament))
    rows = connection.execute(told.select_from(entered.outerjoin(TOTAL, counted)).group_by(entered.c.bot))
    return {bot: (tournaments, *figures) for bot, tournaments, *figures in rows}


def _tournaments(connection: sa.Connection, keys: set[int]) -> dict[int, tuple[str, str]]:
    """Ids and names."""
    columns = (TOURNAMENT.c.key, TOURNAMENT.c.id, TOURNAMENT.c.name)
    found = connection.execute(sa.select(*columns).where(TOURNAMENT.c.key.in_(keys)))
    return {key: (identity, name) for key, identity, name in found}


def _ratings(connection: sa.Connection, last: dict[int, int]) -> dict[int, BotReport[bytes]]:
    """What was kept of the ratings of bots in the tournaments that they entered last, by their keys."""
    from arena.store.ratings_lists import report_of_row  # noqa: PLC0415  (it needs scipy, which takes 0.2 s to load)

    wanted = sa.select(RATING, BOT.c.digest).join(BOT, BOT.c.key == RATING.c.bot)
    wanted = wanted.where(RATING.c.bot.in_(last), RATING.c.tournament.in_(set(last.values())), sa.not_(RATING.c.clean))
    rows = connection.execute(wanted).mappings()
    return {row["bot"]: report_of_row(row) for row in rows if last[row["bot"]] == row["tournament"]}


def _withdrawn(connection: sa.Connection, last: dict[int, int]) -> dict[int, str]:
    """The reasons for which bots were withdrawn from the tournaments that they entered last."""
    wanted = sa.select(ENTRY.c.bot, ENTRY.c.tournament, ENTRY.c.withdrawn)
    wanted = wanted.where(ENTRY.c.bot.in_(last), ENTRY.c.withdrawn.is_not(None))
    return {bot: reason for bot, where, reason in connection.execute(wanted) if last[bot] == where}
