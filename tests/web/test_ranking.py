"""The ranking: what stands in it, how it is sorted and filtered, and what a running tournament costs its readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from fastapi.testclient import TestClient

from arena.game.variant import Variant
from arena.store.opening import open_store
from arena.store.ranking import read_ranking
from arena.store.results import Results
from arena.tournament.entries import Entry
from arena.web import rankings as rankings_module
from arena.web.app import create_app
from arena.web.database import Database
from arena.web.rankings import Rankings
from tests.cli.stored import store_tournament
from tests.tournament.playing import Manners, bots, tournament
from tests.web.conftest import CUP, RUNNING
from tests.web.serving import settings


def names(page: str) -> list[str]:
    """The bots of a page, from the top."""
    return re.findall(r'<a class="bot"[^>]*><bdi>([^<]*)</bdi>', page)


def cells(page: str, label: str) -> list[str]:
    """What stands in the cells of one column, without markup."""
    found = re.findall(rf'<td[^>]*data-label="{label}"[^>]*>(.*?)</td>', page, re.DOTALL)
    return [re.sub(r"<[^>]*>", "", cell).strip() for cell in found]


def test_the_latest_tournament_is_shown_with_how_far_it_is(client: TestClient) -> None:
    page = client.get("/").text
    assert "Running" in page and "3 of 6 blocks played" in page and "not finished" in page
    assert sorted(names(page)) == [f"bot{number} 1.0" for number in range(4)]


def test_numbers_are_those_of_the_ranking_in_the_database(client: TestClient, made_up: Path) -> None:
    with open_store(f"sqlite:///{made_up}", write=False) as store:
        rated = {bot.bot: bot for bot in Results.of(store).tournaments.ratings.current(CUP.id, None).bots}
    labels = {f"{entry.name} {entry.version}": rated[entry.digest] for entry in CUP.entries}
    page = client.get("/", params={"tournament": CUP.id}).text
    for name, rating, matches in zip(names(page), cells(page, "Rating"), cells(page, "Matches"), strict=True):
        bot = labels[name]
        assert bot.rating is not None and bot.half_width is not None
        assert rating == f"{bot.rating:.0f} ± {bot.half_width:.0f}"
        assert matches == str(bot.matches)


@pytest.mark.parametrize("column", ["place", "bot", "rating", "rank", "matches", "points", "faults"])
def test_every_column_sorts_both_ways(client: TestClient, column: str) -> None:
    up, down = (
        names(client.get("/", params={"tournament": CUP.id, "sort": f"{way}{column}"}).text) for way in ("", "-")
    )
    assert sorted(up) == sorted(down)
    assert up == down[::-1] or column in ("rank", "matches", "faults"), "equals keep their order"


def test_a_head_that_is_clicked_again_turns_round(client: TestClient) -> None:
    page = client.get("/", params={"tournament": CUP.id, "sort": "-rating"}).text
    assert f'aria-sort="descending"><a href="/?tournament={CUP.id}&amp;sort=rating"' in page
    assert f'href="/?tournament={CUP.id}&amp;sort=-points"' in page, "more is better, so it comes first"


def test_a_table_size_leads_to_the_latest_tournament_of_that_size(client: TestClient) -> None:
    assert "Cup" in client.get("/?seats=3").text and "8 of 8 blocks" in client.get("/?seats=3").text
    assert "8 of 8 blocks" in client.get(f"/?seats=3&tournament={RUNNING.id}").text, "which has tables of 2"
    missing = client.get("/?seats=9")
    assert missing.status_code == 200 and "arena tournament run --seats 9" in missing.text


def test_the_bar_at_the_top_tells_where_one_is(client: TestClient) -> None:
    assert '<a href="/" aria-current="page">Ranking</a>' in client.get("/?seats=3").text
    assert '<a href="/">Ranking</a>' in client.get("/nowhere").text


def test_the_list_without_faults_says_what_it_leaves_out(client: TestClient) -> None:
    page = client.get("/", params={"tournament": CUP.id, "clean": "true"}).text
    assert "in which a bot had a fault." in page
    assert set(cells(page, "Faults")) == {"0"}
    assert any(cell != "0" for cell in cells(client.get("/", params={"tournament": CUP.id}).text, "Faults"))


@pytest.mark.parametrize("query", ["seats=1", "seats=x", "sort=x", "page=0", "clean=perhaps", "page=1e9"])
def test_nonsense_in_the_address_is_told(client: TestClient, query: str) -> None:
    answer = client.get(f"/?{query}")
    assert answer.status_code == 422
    assert query.partition("=")[0] in answer.text


def test_an_unknown_tournament_is_told_with_the_name_that_was_asked_for(client: TestClient) -> None:
    answer = client.get("/", params={"tournament": "<b>nope</b>"})
    assert answer.status_code == 404
    assert "&lt;b&gt;nope&lt;/b&gt;" in answer.text and "<b>nope" not in answer.text


def test_before_anything_was_played_the_page_says_what_to_do(empty_client: TestClient) -> None:
    answer = empty_client.get("/")
    assert answer.status_code == 200
    assert "make tournament" in answer.text


def test_the_first_tournament_is_seen_without_starting_the_pages_anew(empty_client: TestClient, tmp_path: Path) -> None:
    empty_client.get("/")
    store_tournament(tmp_path / "arena.db", CUP)
    assert len(names(empty_client.get("/").text)) == 4
    for file in tmp_path.glob("arena.db*"):
        file.unlink()
    assert "make tournament" in empty_client.get("/").text
    store_tournament(tmp_path / "arena.db", RUNNING, blocks=1)
    assert "1 of 6 blocks" in empty_client.get("/").text


def test_provisional_and_perfect_records_and_bots_without_a_match_are_marked(tmp_path: Path) -> None:
    three = tournament(bots(3), 2, Variant(threshold=25))
    store_tournament(tmp_path / "arena.db", three, Manners(declare_at=30), blocks=1)
    page = TestClient(create_app(settings(tmp_path / "arena.db")), base_url="http://localhost").get("/").text
    ratings = cells(page, "Rating")
    assert ratings.count("–") == 1 and cells(page, "Matches").count("–") == 1
    assert "±\N{NO-BREAK SPACE}0" not in page and "± 0" not in page
    assert any(cell.startswith((">", "<")) or cell.endswith("*") for cell in ratings)


HOSTILE = ("<script>alert(1)</script>", "a vs b", "\u202egnp.exe", "🂡 emoji", '"><img src=x>', "x\ny")


def test_names_of_strangers_steer_nothing(tmp_path: Path) -> None:
    entries = tuple(Entry(name.replace("\n", ""), "1.0", bytes([7 + at]) * 32) for at, name in enumerate(HOSTILE))
    store_tournament(tmp_path / "arena.db", tournament(entries, 2, Variant(threshold=25), name="<i>cup</i>"), blocks=2)
    page = TestClient(create_app(settings(tmp_path / "arena.db")), base_url="http://localhost").get("/").text
    assert "<script>" not in page and "<img src=x" not in page and "<i>cup" not in page
    assert "\u202e" not in page
    assert len(names(page)) == len(HOSTILE)


def test_a_page_that_has_not_changed_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/")
    again = client.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/", headers={"if-none-match": first.headers["etag"], "accept-language": "el"})
    assert other.status_code == 200, "in another language it is another page"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    monkeypatch.setattr(rankings_module, "perf_counter", clock)
    monkeypatch.setattr("arena.web.database.LOOKED_AT_MOST_EVERY_S", 0.0)
    yield clock


def test_while_a_tournament_runs_its_ranking_is_computed_only_so_often(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = replace(RUNNING, id="slow")
    store_tournament(tmp_path / "arena.db", running, blocks=3)

    def costly(*args: object, **options: object) -> object:
        clock.now += 1.0
        return read_ranking(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(rankings_module, "read_ranking", costly)
    database = Database(f"sqlite:///{tmp_path / 'arena.db'}")
    rankings = Rankings(database, None)
    first = rankings.current("slow", clean=False)
    store_tournament(tmp_path / "arena.db", replace(RUNNING, id="other"), blocks=1)
    clock.now += 19.0
    assert rankings.current("slow", clean=False) is first, "a second of work is good for twenty"
    clock.now += 1.5
    assert rankings.current("slow", clean=False).serial == first.serial + 1
    database.close()


def test_while_one_reader_has_a_ranking_computed_the_others_get_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.web.database.LOOKED_AT_MOST_EVERY_S", 0.0)
    monkeypatch.setattr(rankings_module, "MOST_SHARE", 1e9)
    store_tournament(tmp_path / "arena.db", replace(RUNNING, id="slow"), blocks=3)
    database = Database(f"sqlite:///{tmp_path / 'arena.db'}")
    rankings = Rankings(database, None)
    first = rankings.current("slow", clean=False)
    store_tournament(tmp_path / "arena.db", replace(RUNNING, id="other"), blocks=1)
    at_work, go_on = Event(), Event()

    def slow(*args: object, **options: object) -> object:
        at_work.set()
        assert go_on.wait(60)
        return read_ranking(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(rankings_module, "read_ranking", slow)
    with ThreadPoolExecutor(1) as readers:
        patient = readers.submit(rankings.current, "slow", clean=False)
        assert at_work.wait(60)
        assert rankings.current("slow", clean=False) is first
        go_on.set()
        assert patient.result().serial == first.serial + 1
    database.close()
