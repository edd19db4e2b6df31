"""The heat map of who finished ahead of whom."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.results import Results
from arena.tournament.ports import BlockResult, ClaimedBlock, MatchResult, SeatResult
from arena.web.app import create_app
from tests.store.made import opened, play, tournament
from tests.web.conftest import CUP
from tests.web.serving import settings

CELL = re.compile(r'<td class="num step-(\d+)"><a href="([^"]+)"[^>]*title="([^"]+)">(\d+)')


def cells(client: TestClient, query: str = "") -> list[tuple[str, str, str, str]]:
    answer = client.get(f"/head-to-head?tournament={CUP.id}{query}")
    assert answer.status_code == 200
    return CELL.findall(answer.text)


def test_every_two_bots_that_met_have_a_cell_from_both_sides(client: TestClient) -> None:
    found = cells(client)
    assert len(found) == 4 * 3
    for step, _, title, percent in found:
        assert abs(int(percent) - 10 * int(step)) <= 5
        assert "meetings" in title and "the better:" in title


def test_shares_are_those_of_the_stored_results_with_interval_and_count(client: TestClient, made_up: Path) -> None:
    with open_store(f"sqlite:///{made_up}", write=False) as store:
        digests = [entry.digest for entry in CUP.entries]
        met = Results.of(store).meetings.between(CUP.id, digests, digests)
    for _, address, title, percent in cells(client):
        a, b = re.findall(r"[0-9a-f]{16}", address)
        (meeting,) = [one for (x, y), one in met.items() if (x.hex()[:16], y.hex()[:16]) == (a, b)]
        assert int(percent) == round(100 * (meeting.wins + meeting.draws / 2) / meeting.games)
        assert f"{meeting.games} meetings" in title
        assert re.search(r"\(\d+–\d+\s%\)|[<>] ?\d+", title.replace("&lt;", "<").replace("&gt;", ">"))


def test_a_cell_leads_to_the_matches_of_the_two(client: TestClient) -> None:
    _, address, _, _ = cells(client)[0]
    assert address.startswith(f"/matches?tournament={CUP.id}&amp;bots=")


def test_a_page_of_the_ranking_is_set_against_another(tmp_path: Path) -> None:
    crowd, path = tournament(bots=13, seats=2), tmp_path / "arena.db"
    with opened(path, crowd) as store:
        play(store, crowd)
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        first = CELL.findall(client.get("/head-to-head?size=10").text)
        other = CELL.findall(client.get("/head-to-head?size=10&columns=2").text)
        corner = CELL.findall(client.get("/head-to-head?size=10&rows=99&columns=99").text)
        assert [len(found) for found in (first, other, corner)] == [10 * 9, 10 * 3, 3 * 2]
        assert len(CELL.findall(client.get("/head-to-head").text)) == 13 * 12


@pytest.mark.parametrize("query", ["size=7", "size=60", "rows=0", "columns=x"])
def test_a_size_or_page_that_makes_no_sense_is_refused(client: TestClient, query: str) -> None:
    assert client.get(f"/head-to-head?{query}").status_code == 422


def test_a_circle_is_told_and_its_cells_are_marked(tmp_path: Path) -> None:
    cup, path = replace(tournament(bots=3, seats=2), deals=8), tmp_path / "arena.db"
    order = [entry.digest for entry in cup.entries]
    with opened(path, cup) as store:
        ledger = SqlLedger(store)
        with ledger.lead(cup.id) as epoch:
            for claim in ledger.claim(cup.id, epoch, 1000):
                a, b = (order.index(bot) for bot in claim.block.lineup)
                ahead = order[a] if (b - a) % 3 == 1 else order[b]  # each beats the next
                ledger.complete(cup.id, epoch, won_by(claim, ahead))
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        text = client.get("/head-to-head").text
        found = CELL.findall(text)
        assert sorted(percent for *_, percent in found) == ["0", "0", "0", "100", "100", "100"]
        assert all("part of a circle" in title for _, _, title, _ in found)
        assert text.count("→") == 3
        assert "No three bots" not in text


def won_by(claim: ClaimedBlock, ahead: bytes) -> BlockResult:
    """The block, of which one bot won every match."""
    matches = []
    for rotation in range(2):
        seated = claim.block.lineup[rotation:] + claim.block.lineup[:rotation]
        seats = tuple(SeatResult(bot, 1 + (bot != ahead), 5, 0, False) for bot in seated)
        matches.append(MatchResult(rotation, bytes(32), b"record", 1, 10, seats))
    return BlockResult(claim.block.block_id, claim.attempt, tuple(matches))


def test_blocks_with_a_fault_can_be_left_out(client: TestClient) -> None:
    everything, clean = (
        sum(int(count) for _, _, title, _ in found for count in re.findall(r"(\d+) meeting", title))
        for found in (cells(client), cells(client, "&clean=true"))
    )
    assert 0 < clean < everything


def test_where_nothing_was_played_it_says_what_to_do(empty_client: TestClient) -> None:
    assert "make tournament" in empty_client.get("/head-to-head").text


def test_an_unknown_tournament_is_not_there(client: TestClient) -> None:
    assert client.get("/head-to-head?tournament=nothing").status_code == 404
