"""What stands before every page: hosts, origins, sizes, slow readers, headers, forms."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import pytest
from fastapi import APIRouter, Depends, FastAPI, Form
from fastapi.testclient import TestClient
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope, Send

from arena.rating.errors import BadResultsError
from arena.store.errors import RecordError, StoreError
from arena.web import csrf
from arena.web.app import MOST_BYTES, create_app
from arena.web.security import CONTENT_SECURITY_POLICY, Timely, host_name
from tests.web.apart import apart
from tests.web.serving import settings


@pytest.fixture
def app(made_up: Path) -> FastAPI:
    """The application with a form of its own, as a page has one."""
    app = create_app(settings(made_up))
    router = APIRouter()

    @router.post("/form")
    def take(word: Annotated[str, Form()]) -> str:
        return word

    @router.get("/broken")
    def fail() -> None:
        raise RuntimeError("a mistake")

    app.include_router(router, dependencies=[Depends(csrf.check_form)], max_body_size=MOST_BYTES)
    return app


@pytest.fixture
def reader(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/nothing", "/?seats=77", "/broken", "/language/el", "/static/x/arena.css"])
def test_every_answer_forbids_what_no_page_needs(reader: TestClient, path: str) -> None:
    headers = reader.get(path, follow_redirects=False).headers
    assert headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "server" not in headers


def test_a_mistake_of_ours_tells_nothing_of_the_program(reader: TestClient) -> None:
    answer = reader.get("/broken")
    assert answer.status_code == 500
    assert "a mistake" not in answer.text and "Traceback" not in answer.text


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "", "[::1", "evil.example:8000", "127.0.0.2"]
)
def test_under_another_name_nothing_is_answered(reader: TestClient, host: str) -> None:
    answer = reader.get("/", headers={"host": host})
    assert answer.status_code == 403
    assert "<html" not in answer.text


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (StoreError("there is no bot x"), 404),
        (RecordError("the record is damaged"), 503),
        (BadResultsError("too many bots"), 503),
        (HTTPException(404), 404),
        (HTTPException(429, "ten a minute", {"Retry-After": "6"}), 429),
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/fails", "/api/fails"])
def test_a_failure_is_told_to_people_by_a_page_and_to_programs_by_a_document(
    app: FastAPI, path: str, error: Exception, status: int
) -> None:
    @app.get(path)
    def fail() -> None:
        raise error

    answer = TestClient(app, base_url="http://localhost").get(path)
    assert answer.status_code == status
    assert answer.headers.get("retry-after") == ("6" if status == 429 else None)
    told = error.detail if isinstance(error, HTTPException) else str(error)
    if path.startswith("/api/"):
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == status
        assert told in answer.json()["detail"] or told == "Not Found"
    else:
        assert answer.text.count("<h1>") == 1
        assert told in answer.text or told == "Not Found"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "[::1]:8000"])
def test_under_its_names_it_answers_at_any_port(reader: TestClient, host: str) -> None:
    assert reader.get("/", headers={"host": host}).status_code == 200


def test_further_names_can_be_allowed(made_up: Path) -> None:
    app = create_app(replace(settings(made_up), allowed_hosts=("arena.example",)))
    assert TestClient(app, base_url="https://arena.example").get("/").status_code == 200
    assert TestClient(app, base_url="http://localhost").get("/").status_code == 403


def test_a_host_is_read_without_its_port() -> None:
    assert [host_name(host) for host in ("a:1", "[::1]:2", "A", "[::1", "a:b:c")] == ["a", "::1", "a", "", "a"]


def test_a_form_of_our_own_page_is_taken(reader: TestClient) -> None:
    token = "t" * 43
    reader.cookies.set(csrf.COOKIE, token)
    assert reader.post("/form", data={"word": "x", csrf.FIELD: token}).text == '"x"'
    assert reader.post("/form", data={"word": "x"}, headers={csrf.HEADER: token}).text == '"x"'
    origin = {"origin": "http://localhost"}
    assert reader.post("/form", data={"word": "x", csrf.FIELD: token}, headers=origin).status_code == 200


@pytest.mark.parametrize("cookie", ["", "t" * 43])
@pytest.mark.parametrize("given", [None, "", "u" * 43, "é"])
def test_a_form_without_the_token_of_its_cookie_is_refused(reader: TestClient, cookie: str, given: str | None) -> None:
    if cookie:
        reader.cookies.set(csrf.COOKIE, cookie)
    answer = reader.post("/form", data={"word": "x"} | ({} if given is None else {csrf.FIELD: given}))
    assert answer.status_code == 403
    assert "load the page anew" in answer.text


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://[", "", "http://localhost.evil.example", "http://localhost:1"]
)
def test_a_form_of_another_site_is_refused_even_with_the_token(reader: TestClient, origin: str) -> None:
    token = "t" * 43
    reader.cookies.set(csrf.COOKIE, token)
    answer = reader.post("/form", data={"word": "x", csrf.FIELD: token}, headers={"origin": origin})
    assert answer.status_code == 403


def test_a_large_request_is_refused_whether_it_says_so_or_not(reader: TestClient) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(2 * MOST_BYTES // 65536):
            yield b"x" * 65536

    kind = {"content-type": "application/x-www-form-urlencoded"}
    declared = reader.post("/form", content=b"x" * (MOST_BYTES + 1), headers=kind)
    streamed = reader.post("/form", content=parts(), headers=kind)
    assert (declared.status_code, streamed.status_code) == (413, 413)
    for answer in (declared, streamed):
        assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert "too large" in answer.text.lower()


@pytest.mark.parametrize(
    "charset",
    ["punycode", "PUNYCODE", '"puny\\code"', "utf-7", "unicode_escape", "undefined", "utf-8; charset=idna"],
)
@pytest.mark.parametrize("path", ["/form", "/play", "/submit", "/api/v1/submissions"])
def test_no_stranger_chooses_how_a_form_is_decoded(reader: TestClient, path: str, charset: str) -> None:
    long = "-" + "a" * (MOST_BYTES - 1000)  # for which punycode would take hours
    body = f'--b\r\nContent-Disposition: form-data; name="word"\r\n\r\n{long}\r\n--b--\r\n'
    kind = {"content-type": f"multipart/form-data; boundary=b; charset={charset}"}
    assert reader.post(path, content=body, headers=kind).status_code == 415


def test_a_form_of_several_parts_may_say_that_it_is_in_utf_8(reader: TestClient) -> None:
    token = "t" * 43
    reader.cookies.set(csrf.COOKIE, token)
    body = '--b\r\nContent-Disposition: form-data; name="word"\r\n\r\nλ\r\n--b--\r\n'.encode()
    for kind in ("multipart/form-data; boundary=b", "multipart/form-data; boundary=b; charset=UTF-8"):
        answer = reader.post("/play", content=body, headers={"content-type": kind, csrf.HEADER: token})
        assert answer.url.path == "/sign-in", "files are for those who have signed in"


@pytest.mark.parametrize("path", ["/", "/rules", "/nothing", "/static/x/arena.css", "/api/v1/bots", "/organise"])
def test_a_head_is_that_of_the_page(reader: TestClient, path: str) -> None:
    page, head = (reader.request(method, path, follow_redirects=False) for method in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (page.status_code, b"")
    changing = ("x-request-id", "set-cookie", "content-length" if page.status_code == 404 else "")
    assert {k: v for k, v in head.headers.items() if k not in changing} == {
        k: v for k, v in page.headers.items() if k not in changing
    }


def test_a_body_that_takes_too_long_is_refused_and_a_stream_may_last() -> None:
    first = {"type": "http.request", "body": b"", "more_body": True}
    sent: list[Message] = [first]
    seen: list[object] = []

    async def receive() -> Message:
        if sent:
            return sent.pop(0)
        await asyncio.sleep(0.05 if first["more_body"] is False else 60)
        return {"type": "http.disconnect"}

    async def inner(_scope: Scope, receive: Receive, _send: Send) -> None:
        for _ in range(2):
            try:
                seen.append((await receive())["type"])
            except HTTPException as error:
                seen.append(error.status_code)

    async def send(_: Message) -> None:
        raise AssertionError("nothing is answered")

    apart(Timely(inner, body_s=0.01)({"type": "http"}, receive, send))
    assert seen == ["http.request", 408]
    sent, first["more_body"] = [first], False
    apart(Timely(inner, body_s=0.01)({"type": "http"}, receive, send))
    assert seen[2:] == ["http.request", "http.disconnect"], "after the body, one may listen as long as one likes"


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd"])
def test_no_path_leads_out_of_the_static_files(reader: TestClient, path: str) -> None:
    assert reader.get(path).status_code == 404
    version = reader.app.state.site.version  # type: ignore[attr-defined]
    assert reader.get(f"/static/{version}/{path.removeprefix('/static/')}").status_code == 404
