from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from socket import create_connection, socket
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, expect

from arena.game.variant import Variant
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.tournament.blocks import commitment
from arena.tournament.entries import Entry, entries_digest, sort_entries
from arena.tournament.planning import grows
from arena.tournament.ports import Tournament
from arena.web.app import create_app
from arena.web.moments import Moments
from arena.web.site import Site
from arena.web.verifying import Finding, Verification
from tests.cli.stored import block_result, store_tournament
from tests.needs import needs
from tests.tournament.playing import bots, tournament
from tests.web.browsing import LOOKS, looking
from tests.web.conftest import CUP, RUNNING
from tests.web.serving import served, served_app, settings

SWISS = replace(
    tournament(bots(6), 2, Variant(threshold=25)),
    id="swi012345678",
    name="Swiss",
    format="swiss",
    options={"rounds": 2},
)
HOSTILE = "<script>alert(1)</script>"
STRANGE = replace(
    tournament(sort_entries([*bots(2), Entry(HOSTILE, "1\u202e.0", bytes([7]) * 32)]), 2, Variant(threshold=25)),
    id="bad012345678",
    name=HOSTILE,
)


@pytest.fixture(autouse=True)
def unverified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is verified by the way, which would take seconds: see test_verifying.py."""
    found = Verification(Finding.HOLDS, 24, 8, 2400)
    monkeypatch.setattr(Moments, "_verified", lambda *_: found)


@pytest.fixture
def odd(tmp_path: Path) -> Iterator[TestClient]:
    """A reader of a Swiss of which a round was played, and a tournament full of trouble and of hostile names."""
    path = tmp_path / "arena.db"
    store_tournament(path, SWISS, blocks=4)
    gone = {STRANGE.entries[0].digest: "<b>does not</b> start"}
    store_tournament(path, STRANGE, withdrawn=gone, given_up="<i>the disk</i> is full")
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        yield client


def test_the_list_has_every_tournament_with_how_far_it_is(client: TestClient) -> None:
    page = client.get("/tournaments").text
    assert page.index(RUNNING.name) < page.index(f">{CUP.name}<")
    assert "stopped" in page
    assert "finished" in page
    assert f'/tournaments/{CUP.id}"' in page


def test_the_list_is_cut_by_key(client: TestClient) -> None:
    assert CUP.id in client.get("/tournaments?before=2").text
    assert RUNNING.id not in client.get("/tournaments?before=2").text
    assert "No earlier tournament" in client.get("/tournaments?before=1").text
    assert client.get("/tournaments?before=x").status_code == 422


def test_without_a_tournament_it_is_said_what_to_do(empty_client: TestClient) -> None:
    assert "make tournament" in empty_client.get("/tournaments").text


def test_a_tournament_shows_what_was_fixed_when_it_opened(client: TestClient) -> None:
    page = client.get(f"/tournaments/{CUP.id}").text
    for told in (CUP.name, commitment(CUP.secret).hex(), entries_digest(CUP.entries).hex(), "<code>threshold</code>"):
        assert told in page
    assert "<mark>25</mark>" in page


def test_the_secret_is_shown_when_the_tournament_is_finished_and_not_before(client: TestClient) -> None:
    assert CUP.secret.hex() in client.get(f"/tournaments/{CUP.id}").text
    for address in ("", "/entries", "/live"):
        if address != "/live":
            assert RUNNING.secret.hex() not in client.get(f"/tournaments/{RUNNING.id}{address}").text
    assert "kept until the tournament is finished" in client.get(f"/tournaments/{RUNNING.id}").text


def test_a_name_or_the_beginning_of_an_id_leads_to_its_page(client: TestClient) -> None:
    for name in (CUP.name, CUP.id[:5]):
        answer = client.get(f"/tournaments/{name}", follow_redirects=False)
        assert answer.headers["location"] == f"/tournaments/{CUP.id}"


@pytest.mark.parametrize("part", ["", "/entries", "/rounds", "/live"])
def test_what_is_no_tournament_is_not_found(client: TestClient, part: str) -> None:
    assert client.get(f"/tournaments/nothing{part}").status_code == 404


def test_verified_is_said_of_what_was_computed_only(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    page = f"/tournaments/{CUP.id}"
    assert ">verified<" in client.get(page).text
    for found in (None, Verification(Finding.RUNNING), Verification(Finding.BROKEN, problems=["line 1 <is> wrong"])):
        monkeypatch.setattr(Moments, "_verified", lambda *_, found=found: found)
        shown = client.get(page).text
        assert ">verified<" not in shown
        assert "<is>" not in shown


def test_nothing_counts_as_verified_as_long_as_the_secret_is_not_known(client: TestClient) -> None:
    page = client.get(f"/tournaments/{RUNNING.id}").text
    assert ">verified<" not in page
    assert ">holds so far<" in page


def test_trouble_is_named_and_hostile_names_do_no_harm(odd: TestClient) -> None:
    page = odd.get(f"/tournaments/{STRANGE.id}").text
    for told in ("does not&lt;/b&gt; start", "&lt;i&gt;the disk&lt;/i&gt; is full", "blocks with a withdrawn bot"):
        assert told in page
    for part in ("", "/entries"):
        shown = odd.get(f"/tournaments/{STRANGE.id}{part}").text
        assert "<script>alert" not in shown
        assert "\u202e" not in shown
    assert "<script>alert" not in odd.get("/tournaments").text


def test_entries_stand_page_by_page_in_the_order_of_their_digest(client: TestClient) -> None:
    page = client.get(f"/tournaments/{CUP.id}/entries").text
    places = [page.index(entry.digest.hex() + "</code>") for entry in CUP.entries]
    assert places == sorted(places)


def test_a_swiss_shows_who_met_whom_and_for_how_much(odd: TestClient) -> None:
    page = odd.get("/tournaments/Swiss/rounds").text
    assert "Round 2 of 2 so far" in page
    assert "After round 2 of 2" in page
    first = odd.get("/tournaments/Swiss/rounds?round=1").text
    assert "Round 1 of 2 so far" in first
    assert first.count('scope="rowgroup"') == 3
    assert " / 2</span>" in first


def test_what_was_planned_as_a_whole_has_no_rounds(client: TestClient) -> None:
    assert client.get(f"/tournaments/{CUP.id}/rounds").status_code == 404


def test_a_page_is_not_sent_again_before_something_has_changed(client: TestClient) -> None:
    for address in ("/tournaments", f"/tournaments/{RUNNING.id}", f"/tournaments/{CUP.id}/entries"):
        tag = client.get(address).headers["etag"]
        assert client.get(address, headers={"if-none-match": tag}).status_code == 304


def of_format(name: str, seats: int = 2, **options: object) -> Tournament:
    entered = bots(2 if name == "ab" else 5)
    opened = tournament(entered, seats, Variant(threshold=25), format=name, options=options)
    return replace(opened, id=f"{name[:3]}012345678", name=name)


FIRST, SECOND = (entry.digest.hex() for entry in bots(2))

EVERY_FORMAT = (
    of_format("round-robin", seats=3, lineups=5),
    of_format("gauntlet", challenger=[bots(5)[0].digest.hex()]),
    of_format("swiss", rounds=2),
    of_format("knockout"),
    of_format("ab", seats=4, a=FIRST, fixed=3),
    of_format("informed", question="leader at 95 %", blocks=12),
)


@pytest.mark.parametrize("cup", EVERY_FORMAT, ids=lambda cup: cup.format)
@pytest.mark.parametrize("blocks", [0, 2])
def test_tournaments_of_every_format_are_shown_from_their_first_moment(
    tmp_path: Path, cup: Tournament, blocks: int
) -> None:
    path = tmp_path / "arena.db"
    store_tournament(path, cup, blocks=blocks)
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        page = client.get(f"/tournaments/{cup.id}")
        assert page.status_code == 200
        assert ("The first block is not finished yet" in page.text) == (blocks == 0)
        assert client.get("/tournaments").status_code == client.get(f"/tournaments/{cup.id}/entries").status_code == 200
        rounds = client.get(f"/tournaments/{cup.id}/rounds")
        assert rounds.status_code == (200 if grows(cup) else 404)


def test_who_has_gone_is_no_longer_sent_to_and_the_server_can_end_at_any_time(made_up: Path) -> None:
    def follow() -> socket:
        connection = create_connection((host, port), timeout=60)
        connection.sendall(f"GET /tournaments/{RUNNING.id}/live HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        received = b""
        while b"event: now" not in received:
            received += connection.recv(65536)
        return connection

    app = create_app(settings(made_up))

    def followers() -> int:
        site: Site = app.state.site
        return site.live.followers

    with served_app(app) as address:
        host, port = urlsplit(address).hostname or "", urlsplit(address).port or 0
        for connection in [follow() for _ in range(3)]:
            connection.close()
        until = time.monotonic() + 60
        while followers():
            assert time.monotonic() < until
            time.sleep(0.01)
        staying = follow()
        assert followers() == 1
    staying.close()


def test_nobody_need_follow_what_is_over(client: TestClient) -> None:
    assert client.get(f"/tournaments/{CUP.id}/live").status_code == 204
    page = client.get(f"/tournaments/{CUP.id}").text
    assert "data-events" not in page
    assert "live.js" not in page


def test_who_finds_no_room_to_follow_is_told_when_to_come_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.web.live.Live.is_full", True)
    answer = client.get(f"/tournaments/{RUNNING.id}/live")
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0


@needs("chromium")
@pytest.mark.slow
def test_the_page_follows_a_tournament_until_its_end(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    store_tournament(path, RUNNING, blocks=2)
    with (
        served(path) as address,
        looking(browser, address, LOOKS[0]) as (page, complaints),
        open_store(f"sqlite:///{path}", write=True) as store,
    ):
        page.goto(f"/tournaments/{RUNNING.id}")
        expect(page.locator(".live-head .badge")).to_have_text("stopped")
        expect(page.locator(".progress")).to_contain_text("2 / 6")
        ledger = SqlLedger(store)
        with ledger.lead(RUNNING.id) as epoch:
            expect(page.locator(".live-head .badge")).to_have_text("being played")
            ledger.complete(RUNNING.id, epoch, block_result(RUNNING, ledger.claim(RUNNING.id, epoch, 1)[0]))
            expect(page.locator(".progress")).to_contain_text("3 / 6")
            for claim in ledger.claim(RUNNING.id, epoch, 9):
                ledger.complete(RUNNING.id, epoch, block_result(RUNNING, claim))
            expect(page.locator("tbody[data-rows] tr")).to_have_count(4)
            ledger.finish(RUNNING.id, epoch)
        expect(page.locator(".live-head .badge")).to_have_text("finished")
        assert complaints == []


@needs("chromium")
@pytest.mark.slow
def test_what_has_the_focus_keeps_it_while_the_page_moves(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    store_tournament(path, RUNNING, blocks=5)
    with (
        served(path) as address,
        looking(browser, address, LOOKS[0]) as (page, _),
        open_store(f"sqlite:///{path}", write=True) as store,
    ):
        page.goto(f"/tournaments/{RUNNING.id}")
        link = page.locator("tbody[data-rows] a").first
        link.focus()
        digest = link.get_attribute("href")
        ledger = SqlLedger(store)
        with ledger.lead(RUNNING.id) as epoch:
            for claim in ledger.claim(RUNNING.id, epoch, 9):
                ledger.complete(RUNNING.id, epoch, block_result(RUNNING, claim))
        expect(page.locator(".progress")).to_contain_text("6 / 6")
        assert page.evaluate("document.activeElement.getAttribute('href')") == digest
