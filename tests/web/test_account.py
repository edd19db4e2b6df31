"""What belongs to an owner: bots, logs, tokens; and that nobody else sees or changes any of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from arena.store.audit import Doer
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.results import Results
from arena.store.roles import Deed, Role
from arena.store.submissions import Submission, Submissions
from arena.tournament.entries import BOTS_PER_OWNER
from arena.tournament.ports import BotEvent, BotEventKind, ClaimedBlock
from arena.web.app import create_app
from tests.store.made import opened, result, tournament
from tests.web.serving import settings
from tests.web.signing import post, sign_in, signed_in, token_in

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
CUP = tournament()
FOX = CUP.entries[0]
SECRET = "my hand is Ks Kd"
NASTY = "<script>alert(1)</script>\u202e\x1b[31m&quot;\N{FOX FACE}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with a running tournament, of which the first bot is Ada's; she has an older version, too."""
    path = tmp_path / "arena.db"
    with opened(path, CUP) as store:
        submissions = Submissions(store)
        submissions.add(Submission(FOX.name, "0.1", bytes(32), "ada", "", NOW), {}, b"")
        submissions.add(Submission(FOX.name, FOX.version, FOX.digest, "ada", "", NOW + timedelta(1)), {}, b"")
    return path


@pytest.fixture
def app(path: Path) -> FastAPI:
    return create_app(settings(path))


@pytest.fixture
def ada(app: FastAPI, path: Path) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://localhost") as client:
        yield signed_in(client, path, "ada")


@pytest.fixture
def bob(app: FastAPI, path: Path, ada: TestClient) -> TestClient:
    return signed_in(TestClient(app, base_url="http://localhost"), path, "bob")


def log_of(bot: bytes = FOX.digest) -> str:
    return f"/account/log/{bot.hex()}"


def fault(claimed: ClaimedBlock, output: str = SECRET) -> BotEvent:
    block = claimed.block.block_id
    return BotEvent(FOX.digest, BotEventKind.FAULT, NOW, "REFUSED", NASTY, output, block, rotation=1, turn=7)


def state(path: Path) -> dict[str, bool]:
    """Which versions of the fox are retired."""
    with open_store(f"sqlite:///{path}", write=False) as store:
        return {one.version: one.retired is not None for one in Results.of(store).submissions.all()}


def deeds(path: Path) -> list[tuple[str, Deed, str]]:
    with open_store(f"sqlite:///{path}", write=False) as store:
        found = Results.of(store).audit.page(limit=100)
    about_tokens = (Deed.CREATED, Deed.SIGNED_IN)
    return [(one.owner, one.deed, one.subject) for one in found[::-1] if one.deed not in about_tokens]


def test_an_owner_sees_the_own_bots_and_which_of_them_play(ada: TestClient, bob: TestClient) -> None:
    page = ada.get("/account").text
    assert FOX.name in page
    assert page.index("plays in new tournaments") < page.index("a later version plays")
    assert FOX.name not in bob.get("/account").text
    assert "You have no bots here yet" in bob.get("/account").text


def test_each_version_leads_to_its_page_also_before_it_has_played(ada: TestClient) -> None:
    page = ada.get("/account").text
    for digest in (FOX.digest, bytes(32)):
        assert f'href="/bots/{digest.hex()}"' in page
        assert ada.get(f"/bots/{digest.hex()}").status_code == 200


def test_an_owner_of_many_is_told_how_many_play(ada: TestClient, path: Path) -> None:
    for number in range(BOTS_PER_OWNER):
        assert "unless its organiser says otherwise" not in ada.get("/account").text
        with open_store(f"sqlite:///{path}", write=True) as store:
            bot = Submission(f"hen of {'abcdef'[number]}", "1", bytes([number + 1] * 32), "ada", "", NOW)
            Submissions(store).add(bot, {}, b"")
    assert f"only the {BOTS_PER_OWNER} bots of an owner" in ada.get("/account").text


def test_a_bot_is_retired_and_restored_by_its_owner(ada: TestClient, path: Path) -> None:
    fox = {"name": FOX.name, "version": FOX.version}
    for address, retired in (("/account/retire", True), ("/account/retire", True), ("/account/restore", False)):
        assert post(ada, "/account", address, **fox).headers["location"] == "/account"
        assert state(path) == {"0.1": False, FOX.version: retired}
    label = f"{FOX.name} {FOX.version}"
    assert deeds(path) == [("ada", Deed.RETIRED, label), ("ada", Deed.RESTORED, label)]


@pytest.mark.parametrize("address", ["/account/retire", "/account/restore"])
def test_nobody_else_retires_it(bob: TestClient, path: Path, address: str) -> None:
    assert post(bob, "/account", address, name=FOX.name, version=FOX.version).status_code == 404
    assert post(bob, "/account", address, name="nobody", version="1").status_code == 404
    assert state(path) == {"0.1": False, FOX.version: False}
    assert deeds(path) == []


def test_without_the_token_of_the_form_nothing_changes(ada: TestClient, path: Path) -> None:
    for address in ("/account/retire", "/account/restore", "/account/revoke", "/sign-out"):
        assert ada.post(address, data={"name": FOX.name, "version": FOX.version, "token": 1}).status_code == 403
    assert state(path) == {"0.1": False, FOX.version: False}
    assert ada.get("/account", follow_redirects=False).status_code == 200


def test_a_log_is_its_owners_alone(ada: TestClient, bob: TestClient, app: FastAPI, path: Path) -> None:
    with open_store(f"sqlite:///{path}", write=True) as store:
        ledger = SqlLedger(store)
        with ledger.lead(CUP.id) as epoch:
            (claimed,) = ledger.claim(CUP.id, epoch, 1)
            ledger.complete(CUP.id, epoch, result(claimed), [fault(claimed)])
    assert SECRET in ada.get(log_of()).text
    assert bob.get(log_of()).status_code == 404
    organiser = signed_in(TestClient(app, base_url="http://localhost"), path, "grace", Role.ORGANISER)
    assert organiser.get(log_of()).status_code == 404
    stranger = TestClient(app, base_url="http://localhost")
    assert stranger.get(log_of(), follow_redirects=False).headers["location"].startswith("/sign-in")
    assert ada.get(log_of(CUP.entries[1].digest)).status_code == 404
    assert ada.get("/account/log/nothing").status_code == 404


def test_nothing_of_a_block_that_is_still_played_is_in_a_log(ada: TestClient, path: Path) -> None:
    with open_store(f"sqlite:///{path}", write=True) as store:
        ledger = SqlLedger(store)
        with ledger.lead(CUP.id) as epoch:
            first, _ = ledger.claim(CUP.id, epoch, 2)
            ledger.complete(CUP.id, epoch, result(first), [fault(first)])
    page = ada.get(log_of()).text
    assert SECRET not in page and "refused to answer" not in page
    assert "1 entry is kept back" in page


def test_what_a_bot_printed_is_shown_and_does_nothing(ada: TestClient, path: Path) -> None:
    with open_store(f"sqlite:///{path}", write=True) as store:
        ledger = SqlLedger(store)
        with ledger.lead(CUP.id) as epoch:
            (claimed,) = ledger.claim(CUP.id, epoch, 1)
            ledger.complete(CUP.id, epoch, result(claimed), [fault(claimed, f"{NASTY}\n{NASTY}")])
    page = ada.get(log_of()).text
    assert "refused to answer" in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 3
    assert "<script>alert" not in page and "\u202e" not in page and "\x1b" not in page
    assert "&amp;quot;\N{FOX FACE}" in page


def test_of_a_bot_that_has_not_played_the_log_says_so(ada: TestClient) -> None:
    assert "Nothing has happened to it" in ada.get(log_of(bytes(32))).text


def test_an_owner_revokes_the_own_tokens_only(ada: TestClient, bob: TestClient, path: Path) -> None:
    token_in(path, "ada")
    assert post(bob, "/account", "/account/revoke", token="1").status_code == 404
    assert post(ada, "/account", "/account/revoke", token="99").status_code == 404
    assert post(ada, "/account", "/account/revoke", token="x").status_code == 422
    assert post(ada, "/account", "/account/revoke", token="3").status_code == 303
    assert ada.get("/account", follow_redirects=False).status_code == 200
    assert post(ada, "/account", "/account/revoke", token="1").status_code == 303
    assert ada.get("/account", follow_redirects=False).headers["location"].startswith("/sign-in"), "it was this one"
    assert [subject for _, deed, subject in deeds(path) if deed is Deed.REVOKED] == [
        "token 3 of ada (author)",
        "token 1 of ada (author)",
    ]


def test_who_did_what_is_for_organisers(ada: TestClient, app: FastAPI, path: Path) -> None:
    assert ada.get("/audit").status_code == 403
    sign_in(ada, "a guess")
    grace = signed_in(TestClient(app, base_url="http://localhost"), path, "grace", Role.ORGANISER)
    with open_store(f"sqlite:///{path}", write=True) as store:
        Results.of(store).audit.add(NOW, Doer("ada", NASTY), Deed.SUBMISSION_REFUSED, NASTY)
    page = grace.get("/audit").text
    assert "sent a bot that was refused" in page and "was refused at signing in" in page and "a stranger" in page
    assert "<script>alert" not in page and "\u202e" not in page
    assert "a guess" not in page
    only = grace.get("/audit?owner=ada").text
    assert "a stranger" not in only and "signed in" in only
    assert grace.get("/audit?before=1").status_code == 200
    assert grace.get("/audit?before=x").status_code == 422


def test_many_deeds_are_shown_in_pages(ada: TestClient, app: FastAPI, path: Path) -> None:
    grace = signed_in(TestClient(app, base_url="http://localhost"), path, "grace", Role.ORGANISER)
    with open_store(f"sqlite:///{path}", write=True) as store:
        for number in range(120):
            Results.of(store).audit.add(NOW, Doer("ada", ""), Deed.RETIRED, f"fox {number}.")
    first = grace.get("/audit?owner=ada").text
    assert "fox 119." in first and "fox 19." not in first
    following = first.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    second = grace.get(following).text
    assert "fox 19." in second and "fox 20." not in second
