from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from arena.settings import sample_bots
from arena.store.audit import Audited, AuditLog
from arena.store.opening import open_store
from arena.store.roles import Deed, Role
from arena.web.app import create_app
from arena.web.conducting import Conductor
from arena.web.ordering import Order, field_in
from arena.web.site import Site
from arena.web.verifying import Verifier
from tests.web.conftest import CUP, RUNNING
from tests.web.serving import settings
from tests.web.signing import form_token, signed_in

GREEDY, RANDOM = (str((sample_bots() / name).resolve()) for name in ("greedy", "random"))

COMMAND = f"""
import sys
words = sys.argv[1:]
if "--seats=8" in words:
    print("arena: seats 8: <b>8</b> bots are needed", file=sys.stderr)
    sys.exit(2)
if words[1] == "finish":
    sys.exit()
print(" ".join(words))
print("Playing tournament {RUNNING.id}.", flush=True)
sys.stdin.read()
"""
"""Stands for the arena: it refuses tables of 8, and else plays until it is stopped."""


@pytest.fixture
def path(made_up: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made_up, tmp_path / "arena.db"))


@pytest.fixture
def organiser(path: Path) -> Iterator[TestClient]:
    """An organiser, whose tournaments are played by `COMMAND`."""
    app = create_app(settings(path))
    site: Site = app.state.site
    with TestClient(app, base_url="http://localhost") as client:
        vars(site)["conductor"] = Conductor(site.database, (sys.executable, "-c", COMMAND))
        yield signed_in(client, path, "grace", Role.ORGANISER)


def send(client: TestClient, address: str = "/organise", **fields: str | list[str]) -> Response:
    token = form_token(client.get("/organise").text)
    return client.post(address, data={"form_token": token, **fields}, follow_redirects=False)


def deeds(path: Path) -> list[Audited]:
    with open_store(f"sqlite:///{path}", write=False) as store:
        return [one for one in AuditLog(store).page(limit=100) if one.deed.name.startswith("TOURNAMENT")]


ADDRESSES = ("/organise", "/organise/stop", "/organise/resume", "/organise/finish", "/organise/verify")


@pytest.mark.parametrize("address", ADDRESSES)
def test_strangers_are_asked_who_they_are_and_authors_are_refused(path: Path, address: str) -> None:
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        assert client.get("/organise", follow_redirects=False).headers["location"].startswith("/sign-in")
        signed_in(client, path, "ada", Role.AUTHOR)
        token = form_token(client.get("/account").text)
        answer = client.post(address, data={"form_token": token, "tournament": RUNNING.id})
        assert answer.status_code == 403
        assert "for organisers" in answer.text
    assert deeds(path) == []


@pytest.mark.parametrize("address", ADDRESSES)
def test_what_does_not_come_from_a_form_of_ours_is_refused(organiser: TestClient, path: Path, address: str) -> None:
    assert organiser.post(address, data={"tournament": RUNNING.id}).status_code == 403
    assert deeds(path) == []


def test_a_tournament_that_starts_leads_to_its_page_and_is_written_down(organiser: TestClient, path: Path) -> None:
    answer = send(organiser, name="Evening", seats="2", bots=[GREEDY, RANDOM])
    assert (answer.status_code, answer.headers["location"]) == (303, f"/tournaments/{RUNNING.id}")
    (deed,) = deeds(path)
    assert (deed.owner, deed.deed, deed.subject) == ("grace", Deed.TOURNAMENT_STARTED, f"{RUNNING.id} Evening")
    said = organiser.get("/organise/runs/1").text
    assert "tournament run --stop-at-eof --format=round-robin --name=Evening --seats=2" in said


def test_a_form_that_is_sent_twice_starts_one_tournament(organiser: TestClient, path: Path) -> None:
    answers = [send(organiser, seats="2", wish="0123456789abcdef") for _ in range(2)]
    assert [answer.headers["location"] for answer in answers] == [f"/tournaments/{RUNNING.id}"] * 2
    assert len(deeds(path)) == 1
    assert organiser.get("/organise/runs/2").status_code == 404
    wishes = [re.findall(r'name="wish" value="(\w+)"', organiser.get("/organise").text) for _ in range(2)]
    assert wishes[0] != wishes[1]


def test_wrong_input_is_told_in_one_line_and_the_form_stays(organiser: TestClient, path: Path) -> None:
    answer = send(organiser, name='"Evening" & <i>', seats="8", bots=[GREEDY], rules="long", no_upcard="true")
    assert answer.status_code == 422
    page = answer.text
    assert "&lt;b&gt;8&lt;/b&gt; bots are needed" in page
    assert 'value="&#34;Evening&#34; &amp; &lt;i&gt;"' in page
    assert f'value="{GREEDY}" checked' in page
    assert f'value="{RANDOM}" checked' not in page
    assert '<option value="long" selected>' in page
    assert 'name="no_upcard" value="true" checked' in page
    assert page.count('aria-invalid="true"') == 1
    assert 'id="seats" name="seats" value="8"' in page
    assert deeds(path) == []
    assert "Started here" not in page


def test_what_the_form_sees_itself_is_told_at_the_field_and_nothing_is_started(
    organiser: TestClient, path: Path
) -> None:
    organiser.headers["accept-language"] = "id"
    page = send(organiser, seats="nine", strikes="0", rules="long", bots=[GREEDY]).text
    for field in ("seats", "strikes"):
        assert f'aria-invalid="true" aria-describedby="{field}-problem"' in page
    assert page.count('aria-invalid="true"') == 2
    assert "dari 1 sampai 1000" in page.split('id="strikes-problem">')[1].split("<")[0]
    assert page.count("<details open>") == 1
    assert 'id="seats" name="seats" value="nine"' in page
    assert '<option value="long" selected>' in page
    assert f'value="{GREEDY}" checked' in page
    assert organiser.get("/organise/runs/1").status_code == 404
    assert deeds(path) == []


@pytest.mark.parametrize("word", ["/etc", "--workers=100", "grpc://127.0.0.1:1", "all", "../greedy"])
def test_only_bots_that_are_offered_can_be_chosen(organiser: TestClient, path: Path, word: str) -> None:
    answer = send(organiser, seats="2", bots=[GREEDY, word])
    assert answer.status_code == 422
    assert "cannot be chosen here" in answer.text
    assert deeds(path) == []
    assert organiser.get("/organise/runs/1").status_code == 404


def test_a_sign_that_no_command_line_can_hold_is_told(organiser: TestClient) -> None:
    assert "cannot be passed on" in send(organiser, format="informed", until="a\0b").text


def test_our_own_words_are_in_the_readers_language_and_those_of_a_command_marked_as_english(
    organiser: TestClient,
) -> None:
    organiser.headers["accept-language"] = "id"
    assert "<bdi>/etc tidak dapat dipilih di sini" in send(organiser, bots=["/etc"]).text
    assert '<bdi lang="en">' in send(organiser, seats="8", bots=[GREEDY]).text


def test_a_tournament_that_is_played_here_can_be_stopped_and_resumed(organiser: TestClient, path: Path) -> None:
    send(organiser, seats="2")
    assert "being played" in organiser.get("/organise").text
    again = send(organiser, "/organise/resume", tournament=RUNNING.id)
    assert again.status_code == 422
    assert "at work here already" in again.text
    assert send(organiser, "/organise/stop", tournament=RUNNING.id).status_code == 303
    assert "Resume" in organiser.get("/organise").text
    resumed = send(organiser, "/organise/resume", tournament=RUNNING.id)
    assert resumed.headers["location"] == f"/tournaments/{RUNNING.id}"
    assert f"tournament resume --stop-at-eof -- {RUNNING.id}" in organiser.get("/organise/runs/2").text
    done = [one.deed for one in reversed(deeds(path))]
    assert done == [Deed.TOURNAMENT_STARTED, Deed.TOURNAMENT_STOPPED, Deed.TOURNAMENT_RESUMED]


def test_what_is_not_played_from_here_cannot_be_stopped_from_here(organiser: TestClient, path: Path) -> None:
    answer = send(organiser, "/organise/stop", tournament=CUP.id)
    assert answer.status_code == 409
    assert "Ctrl-C" in answer.text
    assert deeds(path) == []


def test_a_tournament_is_finished_on_request(organiser: TestClient, path: Path) -> None:
    assert send(organiser, "/organise/finish", tournament=RUNNING.id).status_code == 303
    assert [one.deed for one in deeds(path)] == [Deed.TOURNAMENT_FINISHED]


def test_a_tournament_is_verified_on_request_however_large(
    organiser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.web.moments.MOST_VERIFIED", 0)
    site: Site = organiser.app.state.site  # type: ignore[attr-defined]
    vars(site)["verifier"] = Verifier(site.database, (sys.executable, "-c", "import time; time.sleep(1000)"))
    assert "too large" in organiser.get(f"/tournaments/{CUP.id}").text
    answer = send(organiser, "/organise/verify", tournament=CUP.name)
    assert answer.headers["location"] == f"/tournaments/{CUP.id}"
    assert "being checked" in organiser.get(f"/tournaments/{CUP.id}").text


@pytest.mark.parametrize("address", ["/organise/resume", "/organise/finish", "/organise/verify"])
def test_nothing_is_done_to_what_is_not_there(organiser: TestClient, path: Path, address: str) -> None:
    assert send(organiser, address, tournament="--help").status_code == 404
    assert deeds(path) == []


def test_the_words_of_a_preset_come_before_those_of_fields_so_that_these_count() -> None:
    words = Order(rules="ten-deals", deal_cap="5", seats="4", mixed_pairs=True, sandbox=True, bots=["a"]).words()
    assert words.index("--deal-cap=10") < words.index("--deal-cap=5")
    assert words[-4:] == ["--mixed-pairs", "--sandbox=require", "--", "a"]


def test_fields_of_another_format_are_left_out() -> None:
    order = Order(format="swiss", rounds="3", challenger="greedy", lineups="5", until="leader", deals="2")
    assert [word for word in order.words() if word.startswith(("--challenger", "--lineups", "--until"))] == []
    assert "--rounds=3" in order.words()
    asked = Order(format="informed", until="leader at 95 %", most_blocks="50", deals="2").words()
    assert "--until=leader at 95 %" in asked
    assert not any(word.startswith(("--format", "--deals")) for word in asked)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ("Invalid value for '--turn-limit-ms': 'x' is not a valid integer", "turn_limit_ms"),
        ("seats must be 2 to 8 with decks 1, not 9", "seats"),
        ("hand_size must be at least 1, it is 0", "hand_size"),
        ("--format gauntlet needs --challenger BOT, the bot that all others meet", "format"),
        ("the database is damaged", ""),
        ("--workers is none of the form", ""),
    ],
)
def test_the_field_that_a_message_is_about_is_known(message: str, field: str) -> None:
    assert field_in(message) == field


@pytest.mark.slow
def test_a_real_tournament_is_started_stopped_and_resumed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.pages.organise.PATIENCE_S", 100.0)  # on a busy machine bots start slowly
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        signed_in(client, path, "grace", Role.ORGANISER)
        wrong = send(client, seats="2", deals="2000000", bots=[GREEDY, RANDOM])
        assert wrong.status_code == 422
        assert "2000000 blocks" in wrong.text
        assert "Started here" not in wrong.text
        started = send(client, name="Long", seats="2", deals="5000", bots=[GREEDY, RANDOM])
        assert started.status_code == 303, started.text
        tournament = started.headers["location"].removeprefix("/tournaments/")
        assert "being played" in client.get(f"/tournaments/{tournament}").text
        for _ in range(2):
            assert send(client, "/organise/stop", tournament=tournament).status_code == 303
            assert ">stopped<" in client.get(f"/tournaments/{tournament}").text
            assert send(client, "/organise/resume", tournament=tournament).status_code == 303
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    assert all(run.has_ended for run in site.conductor.runs())
