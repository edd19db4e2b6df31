"""A match and its replay as pages: what stands where, for whose eyes, and what is checked."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from fastapi import HTTPException
from fastapi.testclient import TestClient

from arena.game.actions import Play
from arena.match.explaining import ExplainedTurn, SeenTurn
from arena.match.record import MatchRecord
from arena.store.exporting import match_line, read_record
from arena.store.opening import open_store
from arena.store.results import Results
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.verify import verify_match
from arena.web.app import create_app
from arena.web.explanations import Explanations
from arena.wire.codec import encode_record, pack_record
from tests.cli.stored import store_tournament
from tests.store.planting import plant
from tests.tournament.playing import tournament
from tests.web.conftest import CUP, RUNNING
from tests.web.serving import settings


def address_in(path: Path, tournament: str = CUP.id) -> str:
    """The address of a match with more than one deal, below /matches/."""
    with open_store(f"sqlite:///{path}", write=False) as store:
        found = Results.of(store).matches.matches(tournament=tournament)
    match = next(match for match in found if match.deals > 1)
    return f"{match.tournament}/{match.block_id.hex()}/{match.rotation}"


def record_in(path: Path, address: str) -> MatchRecord:
    with open_store(f"sqlite:///{path}", write=False) as store:
        return read_record(Results.of(store).matches.find(address))


@pytest.fixture
def match(made_up: Path) -> str:
    """The address of the page of a match of the finished tournament."""
    return f"/matches/{address_in(made_up)}"


@pytest.fixture
def record(made_up: Path) -> MatchRecord:
    """The record of that match."""
    return record_in(made_up, address_in(made_up))


def text(page: str) -> str:
    """What is read on a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_a_turn_is_shown_without_a_script(client: TestClient, match: str, record: MatchRecord) -> None:
    page = client.get(f"{match}?turn=2").text
    assert "Deal 0 · turn 2, lap" in text(page)
    assert f'href="{match}?turn=1"' in page
    assert f'href="{match}?turn=3"' in page
    assert re.search(r'<tr class="is-current" data-at="3">', page)
    assert page.count('<section class="seat') == len(record.seats)
    assert "hidden card" not in page.split('class="pile')[0]


def test_the_first_step_has_none_before_and_the_last_none_after(
    client: TestClient, match: str, record: MatchRecord
) -> None:
    first, last = client.get(match).text, client.get(f"{match}?deal={len(record.deals) - 1}&end=true").text
    assert re.search(r'data-step="previous"[^>]*aria-disabled', first)
    assert not re.search(r'data-step="next"[^>]*aria-disabled', first)
    assert re.search(r'data-step="next"[^>]*aria-disabled', last)
    assert "The match is over" in text(last)


def test_steps_lead_from_deal_to_deal(client: TestClient, match: str, record: MatchRecord) -> None:
    end = client.get(f"{match}?deal=0&end=true").text
    assert re.search(rf'data-step="next"[^>]*href="{re.escape(match)}\?deal=1"', end)
    begin = client.get(f"{match}?deal=1").text
    assert re.search(rf'data-step="previous"[^>]*href="{re.escape(match)}\?deal=0&amp;end=true"', begin)


@pytest.mark.parametrize("query", ["turn=100000", "deal=100000", "seat=3", "turn=-1", "turn=x"])
def test_what_the_match_does_not_have_is_not_found(client: TestClient, match: str, query: str) -> None:
    answer = client.get(f"{match}?{query}")
    assert answer.status_code == (422 if query in ("turn=-1", "turn=x") else 404)


def test_the_other_matches_with_the_same_cards_are_a_click_away(
    client: TestClient, match: str, record: MatchRecord
) -> None:
    page = client.get(match).text
    block = match.rpartition("/")[0]
    others = [number for number in range(3) if number != record.rotation]
    assert re.findall(rf'<a href="{re.escape(block)}/(\d)">', page) == [str(number) for number in others]
    assert all(client.get(f"{block}/{number}").status_code == 200 for number in others)


def test_places_points_and_faults_stand_above_the_table(client: TestClient, match: str, record: MatchRecord) -> None:
    listed = client.get(match).text.split('<ol class="fared"')[1].split("</ol>")[0]
    assert re.findall(r'class="fared-place">(\d+)<', listed) == [str(place) for place in sorted(record.places)]
    assert re.findall(r'class="pm">(\d+)<', listed) == [
        str(points) for _, points in sorted(zip(record.places, record.points, strict=True))
    ]


def test_a_shortened_address_leads_to_the_whole_one(client: TestClient, match: str) -> None:
    _, _, cup, block, rotation = match.split("/")
    for short in (f"/matches/{cup[:6]}/{block[:12]}/{rotation}", f"/matches/Cup/{block}/{rotation}"):
        answer = client.get(f"{short}?turn=3", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (307, f"{match}?turn=3")


def test_a_match_that_is_not_there_is_told_and_so_is_one_of_a_block_that_is_not_finished(
    client: TestClient, made_up: Path
) -> None:
    assert client.get(f"/matches/{CUP.id}/{'0' * 64}/0").status_code == 404
    with open_store(f"sqlite:///{made_up}", write=False) as store:
        block = Results.of(store).tournaments.missing(RUNNING.id)[0].block.block_id.hex()
    for part in ("", "/deals/0", "/turns/0/explanation", "/export"):
        answer = client.get(f"/matches/{RUNNING.id}/{block}/0{part}")
        assert answer.status_code == 404
        assert "nothing of it is shown before that" in answer.text


def test_one_seat_sees_backs_where_all_hands_show_cards(client: TestClient, match: str) -> None:
    everybody, seat = (client.get(f"{match}?deal=1{query}").text for query in ("", "&seat=0"))
    assert everybody.count('class="card back') == 1  # the closed deck
    assert seat.count('class="card back') == 11
    assert 'name="seat" value="0"' in seat
    assert f"{match}?turn=" in seat and "&amp;seat=0" in seat


def test_of_others_turns_a_seat_is_told_nothing_that_it_did_not_know(
    client: TestClient, match: str, record: MatchRecord
) -> None:
    plays = [(number, turn.seat, turn.action) for number, turn in enumerate(record.turns())]
    other = next(number for number, seat, play in plays if seat != 0 and isinstance(play, Play) and play.take is None)
    page = client.get(f"{match}?turn={other}&seat=0&explain=true").text
    assert "takes a card from the closed deck." in text(page)
    assert "What was this turn worth?" not in page
    assert "What turn" not in page


def slots(page: str) -> dict[str, str]:
    """The parts of a table on a page, cut out by counting what is opened and closed."""
    found = {}
    for place in re.finditer(r'<(\w+)[^>]*data-slot="([a-z0-9-]+)"[^>]*>', page):
        depth = 1
        for tag in re.finditer(rf"<(/?){place[1]}\b", page[place.end() :]):
            depth += -1 if tag[1] else 1
            if depth == 0:
                found[place[2]] = page[place.end() :][: tag.start()]
                break
    return found


@pytest.mark.parametrize("seat", ["", "1"])
def test_the_steps_of_the_script_are_those_of_the_pages(client: TestClient, match: str, seat: str) -> None:
    steps = client.get(f"{match}/deals/1?seat={seat}").json()
    shown: dict[str, str] = {}
    for step in steps["frames"]:
        shown |= step["slots"]
        assert shown == slots(client.get(step["address"]).text)
    assert steps["far"]["previous"] == f"{match}?deal=0&end=true" + (f"&seat={seat}" if seat else "")
    assert steps["steps"]["previous"].split("?")[0] == f"{match}/deals/0"


def test_steps_of_a_deal_that_is_not_there_are_not_found(client: TestClient, match: str) -> None:
    assert client.get(f"{match}/deals/1000").status_code == 404


def test_the_download_is_the_line_of_the_export(client: TestClient, made_up: Path, match: str) -> None:
    answer = client.get(f"{match}/export")
    assert answer.headers["content-disposition"].startswith('attachment; filename="match-')
    with open_store(f"sqlite:///{made_up}", write=False) as store:
        results = Results.of(store)
        line = match_line(results.matches.find(address_in(made_up)), results.tournaments.tournament(CUP.id))
    assert answer.text == line + "\n"
    assert verify_match(answer.text).ok


def test_a_match_is_checked_here_and_says_how_far(client: TestClient, made_up: Path, match: str) -> None:
    finished, running = client.get(match).text, client.get(f"/matches/{address_in(made_up, RUNNING.id)}").text
    assert 'class="badge good">verified<' in finished
    assert "from the published secret" in finished
    assert 'class="badge warn">play verified<' in running
    assert RUNNING.secret.hex() not in running + client.get(f"/matches/{address_in(made_up, RUNNING.id)}/export").text


def other_points(record: MatchRecord) -> MatchRecord:
    """The record with a result that its deals do not bring."""
    return replace(record, points=tuple(points + 1 for points in record.points))


def other_card(record: MatchRecord) -> MatchRecord:
    """The record with a first turn that throws what another seat holds."""
    first = record.deals[0]
    thief, *turns = first.turns
    stolen = next(hand for seat, hand in enumerate(first.hands) if seat != thief.seat and hand is not None)
    return replace(
        record,
        deals=(replace(first, turns=(thief._replace(action=Play(stolen[:1], None)), *turns)), *record.deals[1:]),
    )


@pytest.mark.parametrize(("change", "field"), [(other_points, "points"), (other_card, "discard")])
def test_a_record_that_was_changed_does_not_hold_and_is_not_played_back(
    tmp_path: Path, change: Callable[[MatchRecord], MatchRecord], field: str
) -> None:
    path = tmp_path / "arena.db"
    store_tournament(path, CUP, blocks=1)
    address = address_in(path)
    packed = pack_record(encode_record(change(record_in(path, address))).record)
    plant(path, f"UPDATE record SET data = x'{packed.hex()}' WHERE match = {_key(path, address)}")
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        page = client.get(f"/matches/{address}?turn=1&explain=true")
        assert page.status_code == 200
        assert 'class="badge bad">does not hold<' in page.text
        assert f": {field} is " in html.unescape(page.text)
        assert 'id="replay"' not in page.text
        for part in ("/deals/0", "/turns/0/explanation"):
            assert client.get(f"/matches/{address}{part}").status_code == 404
        assert client.get(f"/matches/{address}/export").status_code == 200


def test_a_damaged_record_is_told(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    store_tournament(path, CUP, blocks=1)
    address = address_in(path)
    plant(path, f"UPDATE record SET data = x'00' WHERE match = {_key(path, address)}")
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        answer = client.get(f"/matches/{address}")
    assert answer.status_code == 503
    assert "is damaged" in answer.text


def _key(path: Path, address: str) -> int:
    with open_store(f"sqlite:///{path}", write=False) as store:
        listed = Results.of(store).matches.matches(limit=1000)
    return next(one.id for one in listed if f"{one.tournament}/{one.block_id.hex()}/{one.rotation}" == address)


def test_a_turn_is_explained_on_its_page_as_for_the_script(client: TestClient, match: str, record: MatchRecord) -> None:
    turn = next(number for number, turn in enumerate(record.turns()) if turn.fault is None)
    part = client.get(f"{match}/turns/{turn}/explanation")
    assert part.status_code == 200
    assert f"What turn {turn} was worth" in part.text
    assert "was done" in part.text
    assert part.text.strip() in client.get(f"{match}?turn={turn}&explain=true").text


def test_a_turn_that_is_not_there_is_not_explained(client: TestClient, match: str) -> None:
    assert client.get(f"{match}/turns/100000/explanation").status_code == 404


def test_whoever_asks_for_an_explanation_when_too_many_do_is_sent_away(
    monkeypatch: pytest.MonkeyPatch, record: MatchRecord
) -> None:
    begun, done = Event(), Event()

    def slow(record: MatchRecord, at: SeenTurn, worlds: int) -> ExplainedTurn:
        begun.set()
        assert done.wait(60)
        return ExplainedTurn(at, None)

    monkeypatch.setattr("arena.web.explanations.explained", slow)
    explanations = Explanations(most_waiting=1)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(explanations.of, record, b"digest", 0)
        assert begun.wait(60)
        with pytest.raises(HTTPException) as refused:
            explanations.of(record, b"digest", 1)
        done.set()
        assert first.result().at.turn == 0
    assert refused.value.status_code == 503
    assert explanations.of(record, b"digest", 1).at.turn == 1


HOSTILE = ('<script>alert("1")</script>', "a' onmouseover='x", "ab\u202ecd", "🂡 & <b>", "{{ 7*7 }}")


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[tuple[TestClient, str]]:
    """A match of bots whose names mean harm."""
    entries = sort_entries(Entry(name, "1.0", bytes([number + 1]) * 32) for number, name in enumerate(HOSTILE))
    cup = replace(tournament(entries, 5, CUP.variant), id="bad012345678", name="<b>Cup</b>")
    path = tmp_path / "arena.db"
    store_tournament(path, cup, blocks=1)
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        yield client, f"/matches/{address_in(path, cup.id)}"


def test_names_of_strangers_do_no_harm(hostile: tuple[TestClient, str]) -> None:
    client, match = hostile
    steps: dict[str, Any] = client.get(f"{match}/deals/0").json()
    parts = [part for step in steps["frames"] for part in step["slots"].values()]
    for made in (client.get("/matches").text, client.get(f"{match}?turn=1").text, steps["log"], *parts):
        assert "<script>alert" not in made
        assert "<b>C" not in made and "& <b>" not in made
        assert "' onmouseover" not in made
        assert "\u202e" not in made
    assert "{{ 7*7 }}" in html.unescape(client.get("/matches").text)


def test_an_unchanged_match_is_not_sent_again(client: TestClient, match: str) -> None:
    for part in ("?turn=1", "/deals/0", "/export", "/turns/0/explanation"):
        first = client.get(match + part)
        again = client.get(match + part, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_json_has_no_numbers_that_json_does_not_know(client: TestClient, match: str) -> None:
    for part in ("/deals/0", "/export"):
        json.loads(client.get(match + part).text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
