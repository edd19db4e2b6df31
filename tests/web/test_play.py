"""A person plays by forms: judged as a bot is, seen by nobody else, and nothing runs on when it has gone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from arena.analysis.explain import judge
from arena.bots.errors import StartError
from arena.bots.probe import Offer
from arena.game.cards import RANK, total
from arena.game.variant import check_variant
from arena.store.opening import open_store
from arena.store.submissions import Submission, Submissions
from arena.web.pages import play, play_table
from arena.web.play import opponents as opponents_module
from arena.web.play.game import Phase
from arena.web.play.opponents import Opponent, opponents
from arena.web.site import SITTINGS
from tests.fleet.seated import Room
from tests.web.seated import Reader, hand_of, problem_of, reader, turn_of

CLOSED = {"take": "closed"}


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(monkeypatch)


@pytest.fixture
def ann(room: Room, tmp_path: Path) -> Iterator[Reader]:
    with reader(tmp_path / "arena.db") as ann:
        yield ann


@pytest.fixture
def table(ann: Reader) -> str:
    """The address of a table at which it is the person's first turn."""
    address = ann.sit_down("greedy", "planner").headers["location"]
    ann.settle(address)
    return address


@contextmanager
def other(ann: Reader) -> Iterator[Reader]:
    """Another browser at the same server."""
    app = ann.client.app
    assert isinstance(app, FastAPI)
    client = TestClient(app, base_url="http://localhost")
    yield Reader(client, app)
    client.close()


def heaviest(page: str) -> int:
    return max(hand_of(page), key=lambda card: total(bytes([card])))


def test_a_game_goes_from_the_choice_of_opponents_to_its_replay(ann: Reader) -> None:
    address = ann.sit_down("greedy", "planner").headers["location"]
    page = ann.settle(address)
    while "data-over" not in page:
        hand = hand_of(page)
        declares = "You start" not in page and total(bytes(hand)) <= 9
        answer = ann.act(address, "declare") if declares else ann.act(address, throw=heaviest(page), **CLOSED)
        if answer.status_code == 422:  # on the first turn of a deal
            ann.act(address, throw=heaviest(page), **CLOSED)
        page = ann.settle(address)
    game = ann.game(address)
    (played,) = ann.site.database.results().games.of(game.player)
    assert (played.names[0], played.place, played.record.seed) == ("", played.record.places[0], game.setup.seed)
    assert f"/games/{played.id}" in page
    assert ann.client.get(f"/games/{played.id}").status_code == 200
    assert f"/games/{played.id}" in ann.client.get("/play").text


def test_what_a_person_does_is_judged_as_what_a_bot_does(ann: Reader, table: str) -> None:
    page = ann.client.get(table).text
    hand = hand_of(page)
    by_rank = {RANK[card]: card for card in hand}
    ranks = sorted(by_rank)
    apart = [by_rank[ranks[0]], by_rank[ranks[-1]]]
    away = next(card for card in range(52) if card not in hand and f'name="take" value="{card}"' not in page)
    refusals: dict[str, dict[str, Any]] = {
        "at least one card": {"throw": [], **CLOSED},
        "cannot be thrown together": {"throw": apart, **CLOSED},
        "do not hold": {"throw": [away], **CLOSED},
        "is not open": {"throw": hand[:1], "take": str(away)},
        "Choose what you take": {"throw": hand[:1]},
    }
    for words, fields in refusals.items():
        answer = ann.act(table, **fields)
        assert answer.status_code == 422
        assert words in problem_of(answer.text)
        assert "/rules#rule-" in problem_of(answer.text)
        assert turn_of(answer.text) == turn_of(page)
    assert "first turn" in problem_of(ann.act(table, "declare").text)


def test_declaring_is_shown_as_impossible_with_the_reason_until_it_is_allowed(ann: Reader, table: str) -> None:
    page = ann.client.get(table).text
    assert 'value="declare" aria-disabled="true" aria-describedby="not-yet"' in page
    assert 'id="not-yet">Nobody may declare on the first turn of a deal' in page
    ann.act(table, throw=heaviest(page), **CLOSED)
    page = ann.settle(table)
    assert 'value="declare">' in page
    assert "not-yet" not in page


def test_a_choice_that_is_refused_stays(ann: Reader, table: str) -> None:
    hand = hand_of(ann.client.get(table).text)
    page = ann.act(table, throw=hand[1:2]).text
    assert re.findall(r'name="throw" value="(\d+)" checked', page) == [str(hand[1])]


def test_a_script_is_told_the_same_without_a_page(ann: Reader, table: str) -> None:
    token = ann.client.cookies["form_token"]
    headers = {"accept": "application/json", "x-form-token": token}
    turn = turn_of(ann.client.get(table).text)
    refused = ann.client.post(table, data={"turn": turn, "act": "declare"}, headers=headers)
    assert (refused.status_code, list(refused.json())) == (200, ["problem"])
    assert "first turn" in refused.json()["problem"]
    hand = hand_of(ann.client.get(table).text)
    done = {"turn": turn, "act": "play", "throw": hand[0], **CLOSED}
    assert ann.client.post(table, data=done, headers=headers).json() == {"problem": ""}


def test_what_is_sent_twice_is_done_once(ann: Reader, table: str) -> None:
    page = ann.client.get(table).text
    once: dict[str, Any] = {"turn": turn_of(page), "throw": hand_of(page)[0], **CLOSED}
    ann.act(table, **once)
    after = ann.settle(table)
    assert turn_of(after) != turn_of(page)
    again = ann.act(table, **once)
    assert again.status_code == 200
    assert (turn_of(again.text), hand_of(again.text)) == (turn_of(after), hand_of(after))


def test_nobody_else_finds_the_table(ann: Reader, table: str) -> None:
    with other(ann) as bob:
        bob.client.get("/play")
        headers = {"x-form-token": bob.client.cookies["form_token"]}
        assert bob.client.get(table).status_code == 404
        assert bob.client.get(f"{table}/hint").status_code == 404
        assert bob.client.get(f"{table}/news").status_code == 204
        act = {"turn": "0", "act": "declare"}
        assert bob.client.post(table, data=act, headers=headers).status_code == 404
        bob.client.post(f"{table}/leave", headers=headers)
    assert ann.game(table).now.phase is Phase.YOURS


def test_the_page_shows_no_card_that_the_person_cannot_know(ann: Reader, table: str) -> None:
    page = ann.client.get(table).text
    seen = ann.game(table).now.seen
    assert seen is not None
    known = len(seen.hand) + len(seen.public.open)
    assert len(re.findall(r'class="card (?:clubs|diamonds|hearts|spades)', page)) == known
    assert page.count('class="card back"') == 2 * 5 + 1
    assert ann.game(table).setup.seed.hex() not in page


def test_whoever_sits_at_a_table_gets_no_other(ann: Reader, table: str) -> None:
    assert ann.sit_down("greedy").headers["location"] == table
    assert table in ann.client.get("/play").text


def test_leaving_ends_the_game_and_all_its_bots(ann: Reader, room: Room, table: str) -> None:
    headers = {"x-form-token": ann.client.cookies["form_token"]}
    answer = ann.client.post(f"{table}/leave", headers=headers, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/play")
    assert len(room.players) == 2
    assert all(player.closed for player in room.players)
    page = ann.client.get(table).text
    assert "ended before it was over" in page
    assert "Leave the table" not in page
    assert ann.sit_down("greedy").headers["location"] != table


def test_the_end_of_the_server_ends_the_games(room: Room, tmp_path: Path) -> None:
    with reader(tmp_path / "arena.db") as ann:
        ann.settle(ann.sit_down("greedy").headers["location"])
        assert not room.players[0].closed
    assert room.players[0].closed


def test_a_table_that_is_gone_leads_to_its_replay(ann: Reader) -> None:
    answer = ann.client.get("/play/another", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/games/another")
    gone = ann.client.get("/play/another")
    assert gone.status_code == 404
    assert "was not finished is not kept" in gone.text


def test_a_hint_is_given_from_what_the_person_can_know(
    ann: Reader, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def hint(seen: Any, seed: bytes) -> Any:
        asked.append((seen, seed))
        return judge(seen, None, bytes(8), 20)

    monkeypatch.setattr(play_table, "hint", hint)
    page = ann.client.get(f"{table}?hint=true").text
    assert page.count("points of this deal") == 3
    assert ann.client.get(f"{table}/hint").text.count("±") >= 3
    assert asked == [(ann.game(table).now.seen, ann.game(table).setup.seed)], "it is worked out once a turn"


def test_the_script_is_told_step_by_step_what_happened(ann: Reader, table: str) -> None:
    ann.act(table, throw=heaviest(ann.client.get(table).text), **CLOSED)
    ann.settle(table)
    ann.game(table).leave()
    (document,) = documents(ann.client.get(f"{table}/news?after=1").text)
    assert document["over"]
    own, *others = document["steps"]
    assert (own["own"], [step["own"] for step in others]) == (True, [False, False])
    assert "You throw" in own["slots"]["said"]
    assert {"where", "said", "middle", "seat-0", "seat-1", "seat-2", "after"} == own["slots"].keys()
    again = ann.client.get(f"{table}/news?after=1", headers={"last-event-id": "3.0"}).text
    assert [len(one["steps"]) for one in documents(again)] == [1], "a browser that comes again misses nothing"


def test_a_game_is_followed_in_so_many_windows_and_no_more(ann: Reader, table: str) -> None:
    game = ann.game(table)
    with ExitStack() as windows:
        for _ in range(play_table.MOST_WATCHERS):
            windows.enter_context(game.watched())
        full = ann.client.get(f"{table}/news")
        assert (full.status_code, full.headers["retry-after"]) == (503, "30")
        assert "too many windows" in full.text
    game.leave()
    assert len(documents(ann.client.get(f"{table}/news").text)) == 1
    assert game.watchers == 0


def documents(stream: str) -> list[Any]:
    return [json.loads(line[len("data: ") :]) for line in stream.splitlines() if line.startswith("data: ")]


def test_a_bot_that_cannot_be_started_is_named_without_what_it_said(
    ann: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(_: object) -> Any:
        raise StartError("fox: exited with status 3 <b>", ": secret words", "more secret words")

    fox = Opponent(bytes(32), "fox", "1.0", "", prepare)
    monkeypatch.setattr(play, "opponents", lambda _: {fox.digest: fox})
    page = ann.settle(ann.start({"bot": fox.digest.hex()}).headers["location"])
    assert "fox: exited with status 3 &lt;b&gt;" in page
    assert "secret" not in page


def test_whom_one_cannot_choose_is_said(ann: Reader) -> None:
    for bots, words in (([], "at least one opponent"), (["f" * 64], "not here any more")):
        answer = ann.start({"bot": bots})
        assert answer.status_code == 422
        assert words in answer.text
    assert ann.start({"bot": [], "rules": "none"}).status_code == 422


@pytest.mark.parametrize("rules", play.PRESETS)
def test_any_length_can_be_played_at_any_table(ann: Reader, rules: str) -> None:
    check_variant(play.PRESETS[rules], play.MOST_OPPONENTS + 1)
    address = ann.sit_down("greedy", rules=rules).headers["location"]
    assert 'id="move"' in ann.settle(address)
    assert ann.game(address).setup.variant == play.PRESETS[rules]


def test_full_tables_are_said(ann: Reader, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ann.site.games, "_most", 1)
    with other(ann) as bob:
        answer = bob.sit_down("greedy")
    assert answer.status_code == 503
    assert "All tables are taken" in answer.text
    assert ann.game(table).now.phase is Phase.YOURS


def test_who_sits_down_again_and_again_has_to_wait(ann: Reader) -> None:
    answers = [ann.sit_down("greedy") for _ in range(SITTINGS + 1)]
    assert [answer.status_code for answer in answers] == [303] * SITTINGS + [429]
    assert int(answers[-1].headers["retry-after"]) > 0


def test_nothing_is_done_without_the_token_of_a_form(ann: Reader, table: str) -> None:
    for address in ("/play", table, f"{table}/leave"):
        assert ann.client.post(address, data={"turn": "0", "act": "declare"}).status_code == 403
    assert ann.game(table).now.phase is Phase.YOURS


def test_what_no_form_of_ours_sends_is_refused(ann: Reader, table: str) -> None:
    wrong: list[dict[str, Any]] = [{"turn": "x"}, {"turn": "-1"}, {"throw": "52"}, {"throw": ["0"] * 53}]
    wrong += [{"take": take} for take in ("-1", "\u0663", "closed ", "000")]
    for fields in wrong:
        answer = ann.act(table, **{"throw": "0", **fields})
        assert answer.status_code == 422
        assert "data-problem" not in answer.text
    assert "Choose what you take" in problem_of(ann.act(table, throw="0", take="52").text)


@pytest.mark.parametrize("level", ["none", "full"])
def test_what_was_submitted_plays_in_a_sandbox_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: Literal["none", "full"]
) -> None:
    monkeypatch.setattr(opponents_module, "offered", lambda: Offer(level, ""))
    fox = Submission("fox", "1.0", b"f" * 32, "Ann <b>", "", datetime.now(UTC))
    away = fox._replace(name="away", digest=b"a" * 32, address="grpc://127.0.0.1:1")
    retired = fox._replace(name="old", digest=b"o" * 32, retired=datetime.now(UTC))
    with open_store(f"sqlite:///{tmp_path / 'arena.db'}", write=True) as store:
        for one in (fox, away, retired):
            Submissions(store).add(one, {}, b"")
    with reader(tmp_path / "arena.db") as ann:
        page = ann.client.get("/play").text
        names = {one.name for one in opponents(ann.site.database).values()}
    assert names & {"fox", "away", "old"} == ({"fox"} if level == "full" else set())
    assert ("fox 1.0 (Ann &lt;b&gt;)" in page) == (level == "full")
