"""Tokens and sessions for tests of what is not for everybody."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

from fastapi.testclient import TestClient
from httpx2 import Response

from arena.store.accounts import Accounts
from arena.store.audit import Doer
from arena.store.opening import open_store
from arena.store.roles import Role


def token_in(path: Path, owner: str = "ada", role: Role = Role.AUTHOR) -> str:
    """The secret of a new token in the database at `path`, which is made when it is missing."""
    with open_store(f"sqlite:///{path}", write=True) as store:
        return Accounts(store).create(owner, role, datetime.now(UTC), Doer("test", "test"))[1]


def form_token(page: str) -> str:
    """What the first form of a page brings along to show that it is ours."""
    found = re.search(r'name="form_token" value="([^"]+)"', page)
    assert found is not None
    return unescape(found[1])


def post(client: TestClient, page: str, address: str, **fields: str) -> Response:
    """Send a form as the page at `page` has it to `address`, and do not follow where the answer leads."""
    token = form_token(client.get(page).text)
    return client.post(address, data={"form_token": token, **fields}, follow_redirects=False)


def sign_in(client: TestClient, token: str, **fields: str) -> Response:
    """Fill in the form for a token."""
    return post(client, "/sign-in", "/sign-in", token=token, **fields)


def signed_in(client: TestClient, path: Path, owner: str = "ada", role: Role = Role.AUTHOR) -> TestClient:
    """The same client after its owner signed in with a new token in the database at `path`."""
    answer = sign_in(client, token_in(path, owner, role))
    assert answer.status_code == 303, answer.text
    return client
