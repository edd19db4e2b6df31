"""A disk that is full: whoever sends something large is told so, and what needs no room goes on."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from arena.bots import probe
from arena.bots.probe import Offer
from arena.web.app import create_app
from tests.web.serving import settings
from tests.web.signing import form_token, sign_in, token_in

LARGE = bytes(6 * 2**20)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def token(path: Path) -> str:
    return token_in(path)


@pytest.fixture
def ada(path: Path, token: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(probe, "offered", lambda: Offer("watchdog", ""))
    with TestClient(create_app(settings(path)), base_url="http://localhost", raise_server_exceptions=False) as ada:
        sign_in(ada, token)
        yield ada


@contextmanager
def room_for(most: int) -> Iterator[None]:
    """No file of this process can grow beyond so many bytes, to which the system answers as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_program_that_sends_more_than_there_is_room_for_is_told(ada: TestClient, token: str) -> None:
    bearer = {"authorization": f"Bearer {token}"}
    with room_for(3 * 2**20):
        answer = ada.post("/api/v1/submissions", content=LARGE, headers=bearer)
        assert ada.get("/api/v1/submissions", headers=bearer).json()["items"] == []
    assert (answer.status_code, answer.headers["content-type"]) == (507, "application/problem+json")
    assert "no room left on the disk" in answer.json()["detail"]


def test_a_person_who_sends_more_than_there_is_room_for_is_told(ada: TestClient) -> None:
    data = {"form_token": form_token(ada.get("/submit").text)}
    with room_for(3 * 2**20):
        answer = ada.post("/submit", data=data, files={"archive": ("fox.tar", LARGE)})
        assert ada.get("/").status_code == 200
    assert answer.status_code == 507
    assert "no room left on the disk" in answer.text


def test_where_the_database_cannot_grow_a_change_is_refused_and_readers_go_on(ada: TestClient, token: str) -> None:
    ada.get("/account")
    with room_for(0):
        assert sign_in(ada, token).status_code == 503
        assert ada.get("/account").status_code == 200
    assert sign_in(ada, token).status_code == 303
