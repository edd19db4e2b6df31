"""Who may do what: tokens, made once and kept only as a digest, and who is signed in with one.

A secret is 32 random bytes, so its SHA-256 can neither be reversed nor guessed; it is looked up by that digest, and
what was found is compared in constant time.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Any, NamedTuple

import sqlalchemy as sa

from arena.bots.errors import ManifestError
from arena.bots.names import MAX_OWNER, check_label, look_alike
from arena.store.account_tables import SESSION, TOKEN
from arena.store.audit import Doer, note
from arena.store.engine import Store
from arena.store.errors import AccountError
from arena.store.roles import Deed, Role
from arena.store.tables import SUBMISSION

SECRET_BYTES = 32

PREFIX = "lsa_"
"""What a token begins with, so that people and scanners for forgotten secrets know it for one."""

LONGEST_SECRET = 200
"""Nothing longer is looked at."""

SESSION_TIME = timedelta(days=30)

MOST_SESSIONS = 20
"""So many may be signed in with one token; the one that ends first makes room."""

USED_EVERY = timedelta(minutes=1)
"""How exactly it is known when a token was used last: not every request writes."""


class Token(NamedTuple):
    """A token as it can be listed: `key` is its number; the secret itself is nowhere."""

    key: int
    owner: str
    role: Role
    created: datetime
    used: datetime | None
    revoked: datetime | None

    def was_used_lately(self, now: datetime) -> bool:
        """Whether its last use is known as exactly as it is kept."""
        return self.used is not None and now - self.used < USED_EVERY


class Accounts:
    """Reads and writes tokens and sessions. Failures of the database are StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def tokens(self, owner: str | None = None) -> tuple[Token, ...]:
        """Every token, or those of an owner, the oldest first; revoked ones too."""
        wanted = _TOKENS.order_by(TOKEN.c.key)
        if owner is not None:
            wanted = wanted.where(TOKEN.c.owner == owner)
        with self._store.reading() as connection:
            return tuple(Token(*row) for row in connection.execute(wanted))

    def create(self, owner: str, role: Role, at: datetime, doer: Doer) -> tuple[Token, str]:
        """A new token and its secret, which nobody can have again. Raises AccountError where the name cannot be."""
        secret = PREFIX + token_urlsafe(SECRET_BYTES)
        with self._store.writing() as connection:
            owner = _checked(connection, owner)
            row = {"digest": _digest(secret), "owner": owner, "role": role, "created": at}
            key = connection.execute(TOKEN.insert().values(row)).inserted_primary_key
            assert key is not None
            note(connection, at, doer, Deed.CREATED, f"token {key[0]} of {owner} ({role})")
        return Token(key[0], owner, role, at, None, None), secret

    def revoke(self, key: int, at: datetime, doer: Doer) -> Token:
        """Let a token, and all who are signed in with it, be of no use from now on. Raises AccountError."""
        with self._store.writing() as connection:
            row = connection.execute(_TOKENS.where(TOKEN.c.key == key)).one_or_none()
            if row is None:
                raise AccountError(f"there is no token {key}: `arena tokens list` shows all")
            token = Token(*row)
            if token.revoked is not None:
                raise AccountError(f"token {key} was revoked already")
            connection.execute(TOKEN.update().where(TOKEN.c.key == key).values(revoked=at))
            connection.execute(SESSION.delete().where(SESSION.c.token == key))
            note(connection, at, doer, Deed.REVOKED, f"token {key} of {token.owner} ({token.role})")
        return token._replace(revoked=at)

    def bearer(self, secret: str) -> Token | None:
        """Whose secret this is; None when nobody's, or of a token that was revoked."""
        with self._store.reading() as connection:
            return _bearer(connection, secret)

    def is_in_force(self, key: int) -> bool:
        """Whether the token with this number was not revoked."""
        wanted = sa.select(TOKEN.c.key).where(TOKEN.c.key == key, TOKEN.c.revoked.is_(None))
        with self._store.reading() as connection:
            return connection.execute(wanted).one_or_none() is not None

    def note_use(self, token: Token, at: datetime) -> None:
        """Remember that a token is in use, if that was not done a moment ago."""
        if token.was_used_lately(at):
            return
        with self._store.writing() as connection:
            connection.execute(TOKEN.update().where(TOKEN.c.key == token.key).values(used=at))

    def sign_in(self, secret: str, at: datetime, origin: str) -> str | None:
        """Begin a session with a token; returns the session's own secret, None when the token is no good.

        A refused attempt is noted too, without anything of what was tried.
        """
        with self._store.writing() as connection:
            token = _bearer(connection, secret)
            if token is None:
                note(connection, at, Doer("", origin), Deed.SIGN_IN_REFUSED, "")
                return None
            session = token_urlsafe(SECRET_BYTES)
            _make_room(connection, token.key, at)
            row = {"digest": _digest(session), "token": token.key, "until": at + SESSION_TIME}
            connection.execute(SESSION.insert().values(row))
            connection.execute(TOKEN.update().where(TOKEN.c.key == token.key).values(used=at))
            note(connection, at, Doer(token.owner, origin, token.key), Deed.SIGNED_IN, f"token {token.key}")
        return session

    def signed_in(self, session: str, at: datetime) -> Token | None:
        """With which token a session was begun; None when it is over or the token was revoked."""
        digest = _digest(session)
        wanted = _TOKENS.add_columns(SESSION.c.digest).join(SESSION, SESSION.c.token == TOKEN.c.key)
        wanted = wanted.where(SESSION.c.digest == digest, SESSION.c.until > at, TOKEN.c.revoked.is_(None))
        with self._store.reading() as connection:
            row = connection.execute(wanted).one_or_none()
        if row is None or not compare_digest(row.digest, digest):
            return None
        return Token(*row[:-1])

    def sign_out(self, session: str, at: datetime, doer: Doer) -> None:
        """End a session."""
        with self._store.writing() as connection:
            if connection.execute(SESSION.delete().where(SESSION.c.digest == _digest(session))).rowcount:
                note(connection, at, doer, Deed.SIGNED_OUT, "")


_COLUMNS: list[Any] = [TOKEN.c[name] for name in Token._fields]
_TOKENS: sa.Select[Any] = sa.select(*_COLUMNS)


def _digest(secret: str) -> bytes:
    return sha256(secret.encode(errors="replace")).digest()


def _bearer(connection: sa.Connection, secret: str) -> Token | None:
    if len(secret) > LONGEST_SECRET:
        return None
    digest = _digest(secret)
    wanted = _TOKENS.add_columns(TOKEN.c.digest).where(TOKEN.c.digest == digest, TOKEN.c.revoked.is_(None))
    row = connection.execute(wanted).one_or_none()
    if row is None or not compare_digest(row.digest, digest):
        return None
    return Token(*row[:-1])


def _make_room(connection: sa.Connection, token: int, at: datetime) -> None:
    """Drop sessions that are over, and the oldest of a token that has many."""
    connection.execute(SESSION.delete().where(SESSION.c.until <= at))
    own = sa.select(SESSION.c.digest).where(SESSION.c.token == token).order_by(SESSION.c.until.desc())
    old = connection.execute(own).scalars().all()[MOST_SESSIONS - 1 :]
    connection.execute(SESSION.delete().where(SESSION.c.digest.in_(old)))


def _checked(connection: sa.Connection, owner: str) -> str:
    """The owner's name in normal form, unless nobody may be called so or it looks like another's."""
    try:
        owner = check_label("owner", owner, MAX_OWNER)
    except ManifestError as error:
        raise AccountError(str(error)) from None
    known = sa.union(sa.select(SUBMISSION.c.owner), sa.select(TOKEN.c.owner))
    like = look_alike(owner, connection.execute(known).scalars().all())
    if like is not None:
        raise AccountError(f"the owner {owner!r} looks like {like!r}, who is another one: write it like that, if meant")
    return owner
