"""The tables of who may do what: tokens, who is signed in, what owners sent, and the log of who did what. Of a secret
only its SHA-256 is ever stored."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field

from arena.store.roles import Deed, Role, UploadState
from arena.store.tables import BIG, Model, table_of, words


class TokenRow(Model, table=True):
    """A token that was given to an owner: `digest` is the SHA-256 of the secret, which nobody keeps but its bearer."""

    __tablename__ = "token"
    __table_args__ = ({"sqlite_autoincrement": True},)
    key: int | None = Field(default=None, primary_key=True)
    digest: bytes = Field(unique=True)
    owner: str = Field(index=True)
    role: Role = Field(sa_type=words(Role))
    created: datetime
    used: datetime | None = None
    revoked: datetime | None = None


class SessionRow(Model, table=True):
    """Somebody who signed in with a token, until they sign out, the time is over or the token is revoked."""

    __tablename__ = "session"
    digest: bytes = Field(primary_key=True)
    token: int = Field(foreign_key="token.key", index=True)
    until: datetime = Field(index=True)


class AuditRow(Model, table=True):
    """One deed: whose token it was ("" for none, and for the command line the account there), what was done to what,
    and from where."""

    __tablename__ = "audit"
    __table_args__ = (sa.Index(None, "owner", "key"), {"sqlite_autoincrement": True})
    key: int | None = Field(default=None, sa_type=BIG, primary_key=True)
    at: datetime
    owner: str
    token: int | None = Field(default=None, foreign_key="token.key")
    deed: Deed = Field(sa_type=words(Deed, 24))
    subject: str
    origin: str


class UploadRow(Model, table=True):
    """An archive that was sent, and what became of it: see `arena.store.uploads.Upload`."""

    __tablename__ = "upload"
    __table_args__ = (sa.Index(None, "owner", "key"), {"sqlite_autoincrement": True})
    key: int | None = Field(default=None, primary_key=True)
    id: str = Field(max_length=32, unique=True)
    owner: str
    at: datetime
    state: UploadState = Field(sa_type=words(UploadState))
    name: str
    version: str
    digest: bytes | None = None
    reason: str
    steps: list[dict[str, Any]] = Field(sa_type=sa.JSON)


TOKEN = table_of(TokenRow)
SESSION = table_of(SessionRow)
AUDIT = table_of(AuditRow)
UPLOAD = table_of(UploadRow)
