"""Bots that were submitted: whose they are, which versions there are, and the archive of each.

A name belongs to whoever submitted it first, and nobody gets one that looks like it. A submission is one transaction,
so that no half of one is ever stored.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.bots.names import look_alike
from arena.store.engine import Store
from arena.store.errors import StoreError, SubmissionError
from arena.store.tables import PACKAGE, SUBMISSION

DIGITS = re.compile(r"[0-9a-f]{6,64}")
"""The beginning of a digest that is long enough not to be a slip in a name."""


class Submission(NamedTuple):
    """A version of a bot that was submitted.

    `version` is the one under which it plays: as the bot says, with a number behind it where other files have that
    one already. `address` is where a remote bot listens, "" for one whose files are stored. A bot that is `retired`
    takes part in no new tournament.
    """

    name: str
    version: str
    digest: bytes
    owner: str
    address: str
    submitted: datetime
    retired: datetime | None = None

    @property
    def label(self) -> str:
        """Name and version, as people call the bot."""
        return f"{self.name} {self.version}"


class Submissions:
    """Reads and writes submissions. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> tuple[Submission, ...]:
        """Every submission, the oldest first."""
        with self._store.reading() as connection:
            return _all(connection)

    def of(self, owner: str) -> tuple[Submission, ...]:
        """Those of an owner, the oldest first."""
        with self._store.reading() as connection:
            return _all(connection, SUBMISSION.c.owner == owner)

    def add(self, wanted: Submission, reserved: Mapping[str, bytes], package: bytes = b"") -> Submission:
        """Store a bot with its archive `package`, which a remote one has none of; returns how it plays.

        What is stored already is returned as it is. `reserved` are names with the one digest that may bear them. Raises
        `SubmissionError` when the bot may not have its name.
        """
        with self._store.writing() as connection:
            there = _all(connection)
            submission = judged(wanted, there, reserved)
            if submission not in there:
                connection.execute(SUBMISSION.insert().values(submission._asdict()))
                if not submission.address:
                    connection.execute(PACKAGE.insert().values(digest=submission.digest, data=package))
        return submission

    def package(self, digest: bytes) -> bytes:
        """The archive of a bot whose files are stored."""
        with self._store.reading() as connection:
            found = connection.execute(sa.select(PACKAGE.c.data).where(PACKAGE.c.digest == digest)).scalar_one()
        return bytes(found)

    def retire(self, submissions: Iterable[Submission], at: datetime | None) -> None:
        """Let these take part in no tournament that opens after `at`; with None, in those to come again."""
        with self._store.writing() as connection:
            for one in submissions:
                named = (SUBMISSION.c.name == one.name, SUBMISSION.c.version == one.version)
                connection.execute(SUBMISSION.update().where(*named).values(retired=at))


def judged(wanted: Submission, there: Sequence[Submission], reserved: Mapping[str, bytes]) -> Submission:
    """A bot as it would be stored beside what is `there`: the same one if it is there already, else with its version
    made free. Raises `SubmissionError` when it may not have its name."""
    for other in there:
        same = (other.digest, other.name, other.owner) == (wanted.digest, wanted.name, wanted.owner)
        if same and (not wanted.address or f"{other.version}+".startswith(f"{wanted.version}+")):
            return other
    _check_name(wanted, there, reserved)
    taken = [other.version for other in there if other.name == wanted.name]
    return wanted._replace(version=free_version(wanted.version, taken))


def _check_name(wanted: Submission, there: Sequence[Submission], reserved: Mapping[str, bytes]) -> None:
    name, owner = wanted.name, wanted.owner
    whose = next((other.owner for other in there if other.name == name), owner)
    if whose != owner:
        raise SubmissionError(f"the name {name!r} belongs to {whose}, who submitted it first: choose another name")
    if reserved.get(name, wanted.digest) != wanted.digest:
        raise SubmissionError(f"the name {name!r} belongs to a sample bot: choose another name")
    like = look_alike(name, (*reserved, *(other.name for other in there)))
    if like is not None:
        raise SubmissionError(f"the name {name!r} looks like {like!r}, which is another bot: choose another name")
    if DIGITS.fullmatch(name) and any(
        digest.hex().startswith(name) for digest in _other_digests(name, there, reserved)
    ):
        raise SubmissionError(f"the name {name!r} is the beginning of another bot's digest: choose another name")
    same = next((one for one in there if one.digest == wanted.digest and one.name != name and not one.retired), None)
    if same is not None:
        raise SubmissionError(
            f"the bot at {wanted.address} was submitted as {same.name!r}: `arena bots retire` that one first"
        )
    like = look_alike(owner, (other.owner for other in there))
    if like is not None:
        raise SubmissionError(
            f"the owner {owner!r} looks like {like!r}, who is another one: write it like that, if meant"
        )


def _other_digests(name: str, there: Sequence[Submission], reserved: Mapping[str, bytes]) -> Iterator[bytes]:
    """By which digests people may mean a bot that is not called so."""
    yield from reserved.values()
    yield from (one.digest for one in there if one.name != name)


def free_version(declared: str, taken: Iterable[str]) -> str:
    """The version as declared, or with the first number from 2 behind it that no other bot of the name has."""
    used = set(taken)
    if declared not in used:
        return declared
    return next(version for number in count(2) if (version := f"{declared}+{number}") not in used)


def newest(submissions: Iterable[Submission]) -> tuple[Submission, ...]:
    """The latest version of each name among these that is not retired, in the order of submission."""
    latest = {one.name: one for one in submissions if one.retired is None}
    return tuple(sorted(latest.values(), key=lambda one: one.submitted))


def meant_by(word: str, submissions: Sequence[Submission]) -> tuple[Submission, ...]:
    """The submissions that a word means: all versions of a name, `NAME@VERSION`, or the beginning of a digest.

    Raises StoreError when several digests begin so.
    """
    word = unicodedata.normalize("NFC", word)
    name, _, version = word.rpartition("@")
    called = tuple(one for one in submissions if one.name == word)
    called = called or tuple(one for one in submissions if (one.name, one.version) == (name, version))
    if called or not DIGITS.fullmatch(word):
        return called
    begins = tuple(one for one in submissions if one.digest.hex().startswith(word))
    if len({one.digest for one in begins}) > 1:
        raise StoreError.worded("%(word)s is the beginning of several digests: give more of it", word=repr(word))
    return begins


def _all(connection: sa.Connection, *which: sa.ColumnElement[bool]) -> tuple[Submission, ...]:
    columns: list[Any] = [SUBMISSION.c[name] for name in Submission._fields]
    wanted = sa.select(*columns).where(*which).order_by(SUBMISSION.c.key)
    return tuple(Submission(*row) for row in connection.execute(wanted))
