"""What an owner may do with a token, and nobody else: read a bot's log, send a bot, see what its check found."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

from arena.bots import probe
from arena.bots.archive import MAX_PACKED
from arena.bots.probe import Offer
from arena.store.opening import open_store
from arena.store.results import Results
from arena.store.submissions import Submission, Submissions
from arena.web.intake import MOST_OF_OWNER
from tests.web.api.reading import PATH
from tests.web.conftest import CUP
from tests.web.examining import GOOD, WRONG, Examiners, found, refused
from tests.web.signing import signed_in, token_in

OWN, OTHER = CUP.entries[:2]


@pytest.fixture
def path(made_up: Path, tmp_path: Path) -> Path:
    """A database in which two bots of the finished tournament belong to Ada and Bob."""
    path = tmp_path / "arena.db"
    shutil.copy(made_up, path)
    with open_store(f"sqlite:///{path}", write=True) as store:
        for bot, owner in ((OWN, "ada"), (OTHER, "bob")):
            now = datetime.now(UTC)
            Submissions(store).add(Submission(bot.name, bot.version, bot.digest, owner, "", now), {}, b"")
    return path


@pytest.fixture
def client(app: FastAPI, examiners: Examiners) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://localhost") as client:
        yield client
        examiners.go.set()


@pytest.fixture
def ada(path: Path) -> dict[str, str]:
    """What a program of Ada sends along."""
    return {"authorization": f"Bearer {token_in(path, 'ada')}"}


@pytest.fixture
def bob(path: Path) -> dict[str, str]:
    return {"authorization": f"Bearer {token_in(path, 'bob')}"}


def send(client: TestClient, who: dict[str, str], data: bytes = b"archive") -> Response:
    headers = {**who, "content-type": "application/octet-stream"}
    return client.post(f"{PATH}/submissions", content=data, headers=headers)


def ended(client: TestClient, who: dict[str, str], address: str, most_s: float = 30.0) -> dict[str, Any]:
    """What became of a submission."""
    until = time.monotonic() + most_s
    while (document := client.get(address, headers=who).json())["state"] in ("waiting", "checking"):
        assert time.monotonic() < until, document
    return dict(document)


def test_a_bot_that_keeps_to_the_rules_is_taken_in_for_the_owner_of_the_token(
    client: TestClient, ada: dict[str, str], path: Path, examiners: Examiners
) -> None:
    answer = send(client, ada, b"the archive")
    assert answer.status_code == 202
    document = ended(client, ada, answer.headers["location"])
    assert document["id"] == answer.json()["id"]
    assert (document["state"], document["bot"], document["version"], document["owner"]) == (
        "taken",
        "fox",
        "1.0",
        "ada",
    )
    assert document["steps"] == [GOOD]
    assert examiners.archives == [b"the archive"]
    with open_store(f"sqlite:///{path}", write=False) as store:
        assert [one.owner for one in Results.of(store).submissions.all() if one.name == "fox"] == ["ada"]


@pytest.mark.parametrize(
    ("finds", "reason"), [(refused("the archive: it is empty"), "it is empty"), (found(WRONG), "cheats")]
)
def test_why_a_bot_was_refused_is_told_its_owner(
    client: TestClient, ada: dict[str, str], examiners: Examiners, finds: Any, reason: str
) -> None:
    examiners.found = finds
    document = ended(client, ada, send(client, ada).headers["location"])
    assert document["state"] == "refused"
    assert reason in document["reason"]
    listed = client.get(f"{PATH}/submissions", headers=ada)
    assert listed.json()["items"] == [document]
    assert listed.headers["cache-control"] == "private, no-store"


def test_nobody_else_sees_what_an_owner_sent(client: TestClient, ada: dict[str, str], bob: dict[str, str]) -> None:
    sent = send(client, ada).headers["location"]
    assert client.get(sent, headers=bob).status_code == 404
    assert client.get(f"{PATH}/submissions", headers=bob).json() == {"items": []}
    ended(client, ada, sent)


def test_nothing_is_read_of_those_who_may_not_send(client: TestClient, examiners: Examiners) -> None:
    for who in ({}, {"authorization": "Bearer lsa_none"}, {"authorization": "Basic YWRhOmFkYQ=="}):
        answer = send(client, who, bytes(1000))
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
    assert examiners.archives == []


def test_a_session_of_a_browser_is_no_token(app: FastAPI, client: TestClient, path: Path) -> None:
    browser = signed_in(client, path, "ada")
    assert browser.get("/account").status_code == 200
    assert send(browser, {}).status_code == 401


def test_an_archive_that_is_too_large_is_refused(client: TestClient, ada: dict[str, str], examiners: Examiners) -> None:
    answer = send(client, ada, bytes(MAX_PACKED + 1))
    assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")
    headers = {**ada, "transfer-encoding": "chunked"}
    streamed = client.post(f"{PATH}/submissions", content=(bytes(2**20) for _ in range(200)), headers=headers)
    assert (streamed.status_code, streamed.headers["content-type"]) == (413, "application/problem+json")
    assert examiners.archives == []


def test_one_owner_cannot_fill_the_queue(client: TestClient, ada: dict[str, str], examiners: Examiners) -> None:
    examiners.go.clear()
    answers = [send(client, ada) for _ in range(MOST_OF_OWNER + 1)]
    assert [answer.status_code for answer in answers] == [202] * MOST_OF_OWNER + [429]
    assert int(answers[-1].headers["retry-after"]) > 0


def test_without_a_sandbox_nothing_is_taken_in(
    client: TestClient, ada: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "offered", lambda: Offer("none", "bubblewrap is not installed"))
    answer = send(client, ada)
    assert answer.status_code == 503
    assert "bubblewrap is not installed" in answer.json()["detail"]


def test_a_log_is_shown_to_the_owner_of_the_bot_alone(
    client: TestClient, ada: dict[str, str], bob: dict[str, str]
) -> None:
    address = f"{PATH}/bots/{OWN.name}/events"
    answer = client.get(address, headers=ada)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "private, no-store"
    assert client.get(address, headers=bob).status_code == 404
    assert client.get(f"{PATH}/bots/{OWN.digest.hex()}/events", headers=bob).status_code == 404
