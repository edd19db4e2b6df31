"""Sending a bot: who may, how large, what happens to it, and that nobody else sees anything of it."""

from __future__ import annotations

import errno
import io
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from starlette.types import Message

from arena.bots import probe
from arena.bots.archive import MAX_PACKED
from arena.bots.guard import LOCK
from arena.bots.orphans import sweep
from arena.bots.probe import Offer
from arena.fleet.frames import Frame
from arena.store.audit import Doer
from arena.store.opening import open_store
from arena.store.results import Results
from arena.store.roles import Deed, UploadState
from arena.store.uploads import Upload
from arena.web.app import create_app
from arena.web.intake import MOST_OF_OWNER, MOST_OFTEN, MOST_WAITING, BusyError
from arena.web.pages.submit import MOST_BYTES
from arena.web.site import Site
from tests.arena_bots.archives import BOT, tar
from tests.bots.making import make_scripted
from tests.needs import needs
from tests.web.apart import apart
from tests.web.examining import GOOD, LATE, NASTY, WRONG, Examiners, found, refused
from tests.web.serving import settings
from tests.web.signing import form_token, post, signed_in


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def ada(app: FastAPI, path: Path, examiners: Examiners) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://localhost") as client:
        yield signed_in(client, path, "ada")
        examiners.go.set()


@pytest.fixture
def bob(app: FastAPI, path: Path, ada: TestClient) -> TestClient:
    """Another owner, at the same server."""
    return signed_in(TestClient(app, base_url="http://localhost"), path, "bob")


def send(client: TestClient, data: bytes = b"archive", called: str = "fox.tar", token: str | None = None) -> Response:
    given = form_token(client.get("/submit").text) if token is None else token
    files = {"archive": (called, io.BytesIO(data), "application/x-tar")}
    return client.post("/submit", data={"form_token": given}, files=files, follow_redirects=False)


def sent(client: TestClient, data: bytes = b"archive") -> str:
    """The address of the page that tells what becomes of an archive."""
    answer = send(client, data)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def ended(client: TestClient, page: str, most_s: float = 30.0) -> str:
    """The page once its upload is not open any more."""
    until = time.monotonic() + most_s
    while 'data-open="yes"' in (text := client.get(page).text):
        assert time.monotonic() < until, text
    return text


def stored(path: Path) -> list[tuple[str, str]]:
    with open_store(f"sqlite:///{path}", write=False) as store:
        return [(one.label, one.owner) for one in Results.of(store).submissions.all()]


def test_a_bot_that_keeps_to_the_rules_is_taken_in_for_the_owner_of_the_token(
    ada: TestClient, path: Path, examiners: Examiners
) -> None:
    text = ended(ada, sent(ada, b"the archive"))
    assert "taken in" in text and "it starts" in text
    assert examiners.archives == [b"the archive"]
    assert stored(path) == [("fox 1.0", "ada")]
    with open_store(f"sqlite:///{path}", write=False) as store:
        results = Results.of(store)
        assert results.submissions.package(bytes([1] * 32)) == b"package", "as it was packed here, not as it was sent"
        assert [(one.owner, one.deed, one.subject) for one in results.audit.page(limit=1)] == [
            ("ada", Deed.SUBMITTED, "fox 1.0")
        ]
    assert "fox" in ada.get("/account").text


def test_while_it_is_checked_its_page_tells_how_far_it_is(ada: TestClient, examiners: Examiners) -> None:
    examiners.go.clear()
    first, second = sent(ada), sent(ada)
    page = ada.get(second).text
    assert "1 bot is checked before it" in page
    assert '<noscript><meta http-equiv="refresh"' in page, "without a script it is loaded anew"
    assert "being checked" in ada.get("/submit").text
    examiners.go.set()
    assert "taken in" in ended(ada, first)
    assert "meta http-equiv" not in ended(ada, second)


@pytest.mark.parametrize(
    ("finds", "said"),
    [
        (refused("the archive: it is empty"), "the archive: it is empty"),
        (refused(NASTY), "alert(1)"),
        (found(GOOD, WRONG), "it cheats"),
        (found(name="greedy"), "belongs to a sample bot"),
        (found(name="GREEDY"), "looks like"),
    ],
)
def test_what_is_wrong_keeps_a_bot_out_with_the_reason(
    ada: TestClient, path: Path, examiners: Examiners, finds: list[Frame], said: str
) -> None:
    examiners.found = finds
    text = ended(ada, sent(ada))
    assert "refused" in text and said in text
    assert stored(path) == []
    with open_store(f"sqlite:///{path}", write=False) as store:
        assert Results.of(store).audit.page(limit=1)[0].deed is Deed.SUBMISSION_REFUSED


def test_what_a_thief_sent_is_kept_out_once_the_token_is_revoked(
    ada: TestClient, path: Path, examiners: Examiners
) -> None:
    examiners.go.clear()
    page = sent(ada)
    with open_store(f"sqlite:///{path}", write=True) as store:
        Results.of(store).accounts.revoke(1, datetime.now(UTC), Doer("root", ""))
    examiners.go.set()
    assert "the token with which it was sent was revoked" in ended(signed_in(ada, path, "ada"), page)
    assert stored(path) == []


def test_errors_in_quick_matches_are_told_and_keep_nobody_out(
    ada: TestClient, path: Path, examiners: Examiners
) -> None:
    examiners.found = found(GOOD, LATE)
    text = ended(ada, sent(ada))
    assert "taken in" in text and "the check found 1 error" in text
    assert stored(path) == [("fox 1.0", "ada")]


def test_the_name_of_another_owners_bot_cannot_be_had(
    ada: TestClient, bob: TestClient, path: Path, examiners: Examiners
) -> None:
    ended(ada, sent(ada))
    examiners.found = found(files=2)
    assert "belongs to ada" in ended(bob, sent(bob))
    assert stored(path) == [("fox 1.0", "ada")]


def test_what_a_bot_says_of_itself_is_shown_and_does_nothing(ada: TestClient, examiners: Examiners) -> None:
    examiners.found = found(GOOD, WRONG, name=NASTY)
    text = ended(ada, sent(ada)) + ada.get("/submit").text + ada.get("/account").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#34;fox&#34; &amp;quot;" in text
    assert "<script>alert" not in text
    assert "\u202e" not in text and "\x1b" not in text
    assert "\N{FOX FACE}" in text


def test_others_see_nothing_of_it(ada: TestClient, bob: TestClient, app: FastAPI) -> None:
    page = sent(ada)
    ended(ada, page)
    assert bob.get(page).status_code == 404
    assert page not in bob.get("/submit").text
    stranger = TestClient(app, base_url="http://localhost")
    assert stranger.get(page, follow_redirects=False).headers["location"].startswith("/sign-in")
    assert ada.get("/submit/nothing").status_code == 404


def test_a_stranger_sends_nothing(app: FastAPI, ada: TestClient, examiners: Examiners, path: Path) -> None:
    with TestClient(app, base_url="http://localhost") as stranger:
        answer = send(stranger, token=form_token(stranger.get("/sign-in").text))
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    assert examiners.archives == []


def test_not_even_read_is_what_a_stranger_sends(app: FastAPI) -> None:
    async def receive() -> Message:
        raise AssertionError("it was read")

    answers: list[Message] = []

    async def answer(message: Message) -> None:
        answers.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"multipart/form-data; boundary=x")]
    scope = {"type": "http", "method": "POST", "path": "/submit", "query_string": b"", "headers": headers}
    with TestClient(app):
        apart(app({**scope, "http_version": "1.1", "scheme": "http", "server": ("localhost", 80)}, receive, answer))
    assert answers[0]["status"] == 303


@pytest.mark.parametrize("token", ["", "x" * 43])
def test_another_site_sends_nothing_in_somebodys_name(ada: TestClient, examiners: Examiners, token: str) -> None:
    assert send(ada, token=token).status_code == 403
    assert examiners.archives == []


def test_what_is_too_large_is_not_read(ada: TestClient, examiners: Examiners) -> None:
    assert send(ada, bytes(MOST_BYTES + 1)).status_code == 413
    assert send(ada, bytes(MAX_PACKED + 1)).status_code == 413
    assert examiners.archives == []


def test_a_form_without_a_file_makes_no_sense(ada: TestClient) -> None:
    assert post(ada, "/submit", "/submit").status_code == 422
    assert post(ada, "/submit", "/submit", archive="no file").status_code == 422


@pytest.mark.parametrize("called", ["../../etc/passwd", "/etc/passwd", "a" * 300, "\u202e.tar", "<script>.tar"])
def test_how_the_sender_calls_the_file_does_not_matter(
    ada: TestClient, examiners: Examiners, tmp_path: Path, called: str
) -> None:
    text = ended(ada, send(ada, called=called).headers["location"])
    assert "passwd" not in text and "<script>.tar" not in text
    assert {file.suffix.partition("-")[0] for file in tmp_path.iterdir()} == {".db"}


def test_an_owner_who_sends_many_has_to_wait(ada: TestClient, bob: TestClient, examiners: Examiners) -> None:
    examiners.go.clear()
    for _ in range(MOST_OF_OWNER):
        sent(ada)
    answer = send(ada)
    assert answer.status_code == 429 and "still being checked" in answer.text
    sent(bob)


def test_whoever_sends_very_many_has_to_wait_though_they_are_checked(ada: TestClient) -> None:
    for _ in range(MOST_OFTEN):
        ended(ada, sent(ada))
    answer = send(ada)
    assert answer.status_code == 429 and "try again in an hour" in answer.text


class FullDisk(io.BytesIO):
    """A file of which nothing can be read or stored, since the disk is full."""

    def read(self, _: int | None = -1) -> bytes:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_told_and_takes_no_place(app: FastAPI, ada: TestClient) -> None:
    intake = app.state.site.intake
    for _ in range(MOST_OF_OWNER + 1):
        with pytest.raises(BusyError, match="no room for it on the disk"):
            intake.take(Doer("ada", "here"), FullDisk())
    ended(ada, sent(ada))


def test_when_too_many_wait_nobody_is_let_in(app: FastAPI, ada: TestClient, path: Path, examiners: Examiners) -> None:
    examiners.go.clear()
    clients = [signed_in(TestClient(app, base_url="http://localhost"), path, f"owner{n}") for n in range(6)]
    full = [send(client).status_code for client in clients for _ in range(MOST_OF_OWNER)]
    assert full.count(303) in (MOST_WAITING, MOST_WAITING + 1), "one may be out of the queue already"
    assert set(full) == {303, 503}


def test_without_a_sandbox_nothing_is_taken_in(
    ada: TestClient, examiners: Examiners, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = form_token(ada.get("/submit").text)
    monkeypatch.setattr(probe, "offered", lambda: Offer("none", "bubblewrap is not installed"))
    assert "bubblewrap is not installed" in ada.get("/submit").text
    assert "archive" not in ada.get("/submit").text.partition("<main")[2].partition("</main>")[0].replace("Archive", "")
    assert send(ada, token=token).status_code == 503
    assert examiners.archives == []


def test_a_check_that_is_broken_off_is_no_fault_of_the_bot(ada: TestClient, path: Path, examiners: Examiners) -> None:
    examiners.found = found()[:-1]
    text = ended(ada, sent(ada))
    assert "broken off" in text and "it ended with status 1" in text
    examiners.found = found()
    assert "taken in" in ended(ada, sent(ada)), "and the next one is checked"


def test_what_waits_when_the_server_ends_is_told_to_be_lost(
    app: FastAPI, ada: TestClient, examiners: Examiners, path: Path
) -> None:
    examiners.go.clear()
    pages = [sent(ada), sent(ada)]
    site: Site = app.state.site
    site.intake.close()
    with TestClient(create_app(settings(path)), base_url="http://localhost") as later:
        signed_in(later, path, "ada")
        for page in pages:
            assert '<bdi lang="en">the server ended meanwhile</bdi>' in later.get(page).text
            assert "<bdi>server berhenti saat itu</bdi>" in later.get(page, headers={"accept-language": "id"}).text
    assert stored(path) == []


def test_nothing_of_an_archive_stays_on_the_disk(
    ada: TestClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    ended(ada, sent(ada))
    site: Site = app.state.site
    sweep(place, None)
    assert [file.name for file in place.rglob("*") if file.is_file()] == [LOCK], "by which a dead server is known"
    site.intake.close()
    assert list(place.iterdir()) == []


def test_an_upload_is_open_until_it_is_decided() -> None:
    assert {state: Upload("", "", None, state).is_open for state in UploadState} == {  # type: ignore[arg-type]
        UploadState.WAITING: True,
        UploadState.CHECKING: True,
        UploadState.TAKEN: False,
        UploadState.REFUSED: False,
        UploadState.BROKEN_OFF: False,
    }


@needs("sandbox")
@pytest.mark.slow
def test_a_real_bot_is_checked_in_the_sandbox_and_then_plays(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    make_scripted(tmp_path / "fox")
    files = {file.name: file.read_bytes() for file in (tmp_path / "fox").iterdir()}
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        signed_in(client, path, "ada")
        text = ended(client, sent(client, tar(files)), 110)
        assert "taken in" in text, text
        assert "10 of 10 played" in text
        out = ended(client, sent(client, tar(BOT | {"../evil": b""})), 60)
        assert "leads out of the bot" in out
    assert stored(path) == [("fox 1", "ada")]
