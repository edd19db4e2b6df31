"""A game of a person is looked at again as any match, by whoever has its address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from arena.store.opening import open_store
from arena.store.results import Results
from arena.tournament.export import match_json
from arena.tournament.labels import SHORT
from arena.web import explanations
from arena.web.app import create_app
from tests.web.conftest import CUP
from tests.web.gaming import GAME
from tests.web.serving import settings

BOT = CUP.entries[0]
HERE = f"/games/{GAME.id}"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with open_store(f"sqlite:///{tmp_path / 'arena.db'}", write=True) as store:
        Results.of(store).games.add(GAME)
    with TestClient(create_app(settings(tmp_path / "arena.db")), base_url="http://localhost") as client:
        yield client


def test_it_shows_all_hands_the_deals_and_the_seed(client: TestClient) -> None:
    page = client.get(HERE).text
    assert "fox &amp; &lt;b&gt;Co" in page
    assert "unrated" in page
    assert page.count("card back") == 1
    assert GAME.record.seed.hex() in page
    assert f"place {GAME.place} of 2" in page
    assert len(re.findall("data-deal=", page)) == len(GAME.record.deals)


def test_a_person_has_no_clock(client: TestClient) -> None:
    assert client.get(f"{HERE}?seat=0").text.count("bank 10.0 s") == 1
    assert client.get(f"{HERE}?seat=1").text.count("bank 10.0 s") == 0


def test_through_the_eyes_of_a_seat_it_shows_what_that_seat_knew(client: TestClient) -> None:
    page = client.get(f"{HERE}?seat=1").text
    assert page.count("card back") == 1 + 5


def test_its_steps_are_those_of_the_script(client: TestClient) -> None:
    found = client.get(f"{HERE}/deals/0").json()
    assert len(found["frames"]) == len(GAME.record.deals[0].turns) + 2
    assert found["frames"][1]["address"] == f"{HERE}?turn=0"


def test_its_turns_are_explained(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanations, "WORLDS", 20)
    assert "was done" in client.get(f"{HERE}/turns/1/explanation").text
    assert "was done" in client.get(f"{HERE}?turn=1&explain=true").text


def test_its_record_is_given_as_a_file_in_the_words_of_an_export(client: TestClient) -> None:
    assert f'href="{HERE}/export"' in client.get(HERE).text
    answer = client.get(f"{HERE}/export")
    assert answer.headers["content-disposition"] == f'attachment; filename="game-{GAME.id[:SHORT]}.json"'
    found = answer.json()
    assert (found["format"], found["game"], found["rated"]) == ("least-score/game/1", GAME.id, False)
    assert found["seats"] == [{"bot": "fox & <b>Co", "digest": "01" * 32}, {"bot": None, "digest": None}]
    exported = match_json(replace(GAME.record, seats=(BOT.digest,) * 2), CUP, 0, 1, reveal_secret=False)
    same = ("seed", "limits", "variant", "deals", "places", "points", "ending")
    assert {name: found[name] for name in same} == {name: exported[name] for name in same}
    assert sha256(bytes.fromhex(found["seed"])).hexdigest() == found["commitment"]


def test_it_never_changes(client: TestClient) -> None:
    tag = client.get(HERE).headers["etag"]
    assert client.get(HERE, headers={"if-none-match": tag}).status_code == 304


@pytest.mark.parametrize(
    "address",
    [
        "/games/none",
        f"{HERE}?turn=99999",
        f"{HERE}?seat=2",
        f"{HERE}/deals/99",
        f"{HERE}/turns/99999/explanation",
        "/games/none/export",
    ],
)
def test_what_is_not_there_is_not_found(client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_where_nothing_was_played_no_game_is_found(empty_client: TestClient) -> None:
    answer = empty_client.get("/games/none")
    assert answer.status_code == 404
    assert "no such game" in answer.text
