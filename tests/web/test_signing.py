"""Signing in with a token: who may, for how long, where it leads, and what a cookie is worth to others."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi import Request
from fastapi.testclient import TestClient

from arena.store.accounts import Accounts
from arena.store.audit import Doer
from arena.store.opening import open_store
from arena.store.results import Results
from arena.store.roles import Deed, Role
from arena.web import site
from arena.web.accounts import COOKIE, BearerAuthor, BearerOrganiser, Organiser, audit
from arena.web.app import create_app
from tests.web.serving import settings
from tests.web.signing import form_token, post, sign_in, signed_in, token_in

WRONG = "lsa_" + "x" * 43


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def reader(path: Path) -> Iterator[TestClient]:
    """A reader of an application with something for organisers, in a browser and for programs."""
    app = create_app(settings(path))

    @app.get("/for-organisers")
    def organise(request: Request, account: Organiser) -> str:
        audit(request, account, Deed.TOURNAMENT_STARTED, "a tournament")
        return account.owner

    @app.get("/api/test/mine")
    def mine(account: BearerAuthor) -> str:
        return account.owner

    @app.get("/api/test/organise")
    def organise_by_program(account: BearerOrganiser) -> str:
        return account.owner

    with TestClient(app, base_url="http://localhost") as client:
        yield client


def deeds(path: Path) -> list[tuple[str, Deed, str]]:
    """Who did what from where, the earliest first, without the making of tokens."""
    with open_store(f"sqlite:///{path}", write=False) as store:
        found = Results.of(store).audit.page(limit=100)
    return [(one.owner, one.deed, one.origin) for one in found[::-1] if one.deed is not Deed.CREATED]


def test_whoever_has_a_token_signs_in_and_is_led_to_their_account(reader: TestClient, path: Path) -> None:
    answer = sign_in(reader, token_in(path))
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    page = reader.get("/account")
    assert page.status_code == 200
    assert "ada" in page.text
    assert page.headers["cache-control"] == "no-store"
    assert deeds(path) == [("ada", Deed.SIGNED_IN, "testclient")]


def test_a_stranger_is_led_to_where_one_signs_in_and_then_back(reader: TestClient, path: Path) -> None:
    answer = reader.get("/account?page=2", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?back=%2Faccount%3Fpage%3D2")
    form = reader.get(answer.headers["location"])
    assert 'name="back" value="/account?page=2"' in form.text
    assert sign_in(reader, token_in(path), back="/account?page=2").headers["location"] == "/account?page=2"


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_it_leads_to_no_other_host(reader: TestClient, path: Path, back: str) -> None:
    assert sign_in(reader, token_in(path), back=back).headers["location"] == "/account"


@pytest.mark.parametrize("tried", [WRONG, "<script>alert(1)</script>", "\u202e", "0"])
def test_what_is_no_token_is_refused_and_not_repeated(reader: TestClient, path: Path, tried: str) -> None:
    token_in(path)
    answer = sign_in(reader, tried)
    assert answer.status_code == 403
    assert "Nobody has this token" in answer.text
    assert f'"{tried}"' not in answer.text and "<script>alert" not in answer.text
    assert COOKIE not in reader.cookies
    assert deeds(path) == [("", Deed.SIGN_IN_REFUSED, "testclient")]


def test_before_there_is_a_database_nobody_has_a_token(reader: TestClient, path: Path) -> None:
    assert sign_in(reader, WRONG).status_code == 403
    assert not path.exists(), "a stranger makes no database"


def test_whoever_guesses_has_to_wait(reader: TestClient, path: Path) -> None:
    token = token_in(path)
    for _ in range(site.SIGN_INS):
        assert sign_in(reader, WRONG).status_code == 403
    answer = sign_in(reader, token)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= site.SIGN_IN_EVERY_S


def test_without_the_token_of_the_form_nobody_signs_in(reader: TestClient, path: Path) -> None:
    answer = reader.post("/sign-in", data={"token": token_in(path)})
    assert answer.status_code == 403
    assert COOKIE not in reader.cookies


def test_no_script_reads_the_cookie_and_no_other_site_sends_it_with_a_form(reader: TestClient, path: Path) -> None:
    cookies = [one for one in sign_in(reader, token_in(path)).headers.get_list("set-cookie") if f"{COOKIE}=" in one]
    assert len(cookies) == 1
    assert "HttpOnly" in cookies[0] and "samesite=lax" in cookies[0].lower()


@pytest.mark.parametrize(
    ("scheme", "headers", "is_secure"),
    [("https", {}, True), ("http", {"x-forwarded-proto": "https"}, True), ("http", {}, False)],
)
def test_over_tls_no_cookie_ever_travels_without_it(
    path: Path, scheme: str, headers: dict[str, str], is_secure: bool
) -> None:
    with TestClient(create_app(settings(path)), base_url=f"{scheme}://localhost", headers=headers) as client:
        given = client.get("/sign-in")
        answer = client.post(
            "/sign-in",
            data={"form_token": form_token(given.text), "token": token_in(path)},
            headers={"cookie": f"form_token={given.cookies['form_token']}"},
            follow_redirects=False,
        )
    cookies = [*given.headers.get_list("set-cookie"), *answer.headers.get_list("set-cookie")]
    assert ["secure" in one.lower() for one in cookies] == [is_secure] * 2


def test_every_session_has_a_secret_of_its_own(reader: TestClient, path: Path) -> None:
    token = token_in(path)
    secrets = {sign_in(reader, token).cookies[COOKIE] for _ in range(3)}
    assert len(secrets) == 3


def test_after_signing_out_the_cookie_is_worth_nothing(reader: TestClient, path: Path) -> None:
    signed_in(reader, path)
    session = reader.cookies[COOKIE]
    assert post(reader, "/account", "/sign-out").status_code == 303
    assert COOKIE not in reader.cookies
    answer = reader.get("/account", headers={"cookie": f"{COOKIE}={session}"}, follow_redirects=False)
    assert answer.headers["location"].startswith("/sign-in")
    assert [deed for _, deed, _ in deeds(path)] == [Deed.SIGNED_IN, Deed.SIGNED_OUT]


def test_a_revoked_token_ends_what_was_begun_with_it(reader: TestClient, path: Path) -> None:
    signed_in(reader, path)
    with open_store(f"sqlite:///{path}", write=True) as store:
        Accounts(store).revoke(1, datetime.now(UTC), Doer("root", ""))
    assert reader.get("/account", follow_redirects=False).status_code == 303
    assert sign_in(reader, "any").status_code == 403


def test_an_author_is_no_organiser(reader: TestClient, path: Path) -> None:
    signed_in(reader, path)
    answer = reader.get("/for-organisers")
    assert answer.status_code == 403
    assert "This is for organisers" in answer.text
    assert 'href="/sign-in?back=%2Ffor-organisers"' in answer.text


def test_what_an_organiser_does_is_written_down(reader: TestClient, path: Path) -> None:
    signed_in(reader, path, "grace", Role.ORGANISER)
    assert reader.get("/for-organisers").json() == "grace"
    assert deeds(path)[-1] == ("grace", Deed.TOURNAMENT_STARTED, "testclient")


def test_a_program_bears_its_token(reader: TestClient, path: Path) -> None:
    author, organiser = token_in(path), token_in(path, "grace", Role.ORGANISER)
    answers = {
        (whose, place): reader.get(f"/api/test/{place}", headers={"authorization": f"Bearer {token}"}).status_code
        for whose, token in (("author", author), ("organiser", organiser))
        for place in ("mine", "organise")
    }
    assert answers == {
        ("author", "mine"): 200,
        ("author", "organise"): 403,
        ("organiser", "mine"): 200,
        ("organiser", "organise"): 200,
    }
    with open_store(f"sqlite:///{path}", write=False) as store:
        assert all(token.used is not None for token in Results.of(store).accounts.tokens())


@pytest.mark.parametrize("header", ["", "Bearer", f"Bearer {WRONG}", "Basic YWRhOmFkYQ==", "Bearer \xff"])
def test_a_program_without_a_good_token_is_told_what_is_needed(reader: TestClient, path: Path, header: str) -> None:
    signed_in(reader, path)  # whose cookie does not count
    answer = reader.get("/api/test/mine", headers={b"authorization": header.encode("latin-1")})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["content-type"] == "application/problem+json"
