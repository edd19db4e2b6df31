"""The list of matches: what stands in it, its pages, and what it is narrowed to."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from arena.web.pages import matches as page_module
from tests.web.conftest import CUP, RUNNING

LINK = re.compile(r'<a href="/matches/([^/"]+)/([0-9a-f]{64})/(\d+)">')


def listed(page: str) -> list[tuple[str, ...]]:
    """The matches of a page, from the top."""
    return LINK.findall(page)


def digest(number: int) -> str:
    return CUP.entries[number].digest.hex()


def test_the_latest_match_stands_first(client: TestClient) -> None:
    found = listed(client.get("/matches").text)
    assert [cup for cup, _, _ in found] == [RUNNING.id] * 6 + [CUP.id] * 24
    assert len(set(found)) == len(found)


def test_a_page_leads_to_the_earlier_ones_and_back_to_the_latest(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = listed(client.get("/matches").text)
    monkeypatch.setattr(page_module, "ROWS", 7)
    address, found, pages = "/matches?tournament=", [], 0
    while address:
        page = client.get(address).text
        found += listed(page)
        assert ("Latest" in page) == (pages > 0)
        following = re.search(r'rel="next" href="([^"]+)"', page)
        address = following[1].replace("&amp;", "&") if following else ""
        pages += 1
    assert found == everything
    assert pages == 5


def test_places_points_and_faults_stand_beside_each_bot(client: TestClient) -> None:
    page = client.get(f"/matches?tournament={CUP.id}").text
    first = page.split("<tbody")[1].split("</tr>")[0]
    assert re.findall(r'class="fared-place">(\d)<', first) == ["1", "2", "3"]
    assert len(re.findall(r'<a class="bot" href="/bots/[0-9a-f]{64}">', first)) == 3


def test_matches_of_a_tournament_a_bot_or_two_bots_can_be_asked_for(client: TestClient) -> None:
    assert {cup for cup, _, _ in listed(client.get("/matches?tournament=Running").text)} == {RUNNING.id}
    one, other = digest(0), digest(1)
    own = listed(client.get(f"/matches?bots={one}").text)
    theirs = listed(client.get(f"/matches?bots={other}").text)
    both = listed(client.get(f"/matches?bots={one},%20{other}").text)
    assert both == [match for match in own if match in theirs] != []
    assert len(listed(client.get(f"/matches?bots=bot0&tournament={CUP.id}").text)) < 24


def test_whose_matches_they_are_is_told_by_name(client: TestClient) -> None:
    one, other = CUP.entries[0], CUP.entries[1]
    page = client.get(f"/matches?bots={digest(0)},{other.name}").text
    told = re.sub(r"<[^>]*>", "", page.split('<div class="heading">')[1].split("</p>")[0])
    assert f"between {one.name} 1.0 and {other.name}," in " ".join(told.split())


@pytest.mark.parametrize(
    ("query", "status"),
    [("bots=nobody", 404), ("tournament=nothing", 404), ("bots=a,b,c", 422), ("before=0", 422), ("before=x", 422)],
)
def test_nonsense_is_told(client: TestClient, query: str, status: int) -> None:
    assert client.get(f"/matches?{query}").status_code == status


def test_what_was_asked_for_stays_in_the_form(client: TestClient) -> None:
    page = client.get(f"/matches?tournament={RUNNING.id}&bots=bot0").text
    assert f'<option value="{RUNNING.id}" selected>' in page
    assert 'name="bots" value="bot0"' in page


def test_where_nothing_is_left_it_says_what_to_do(client: TestClient, empty_client: TestClient) -> None:
    assert "To the latest matches" in client.get("/matches?before=1").text
    assert "make tournament" in empty_client.get("/matches").text
