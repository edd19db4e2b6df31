"""The list of bots, and the page of one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from arena.game.variant import Variant
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.store.submissions import Submission, Submissions
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.planning import next_round
from arena.tournament.ports import BotEvent, BotEventKind
from arena.web.app import create_app
from arena.wire.codec import decode_record, unpack_record
from tests.cli.stored import block_result, store_tournament
from tests.store.made import opened
from tests.store.made import tournament as made_tournament
from tests.tournament.playing import Manners, bots, tournament
from tests.web.conftest import CUP, RUNNING
from tests.web.serving import settings

BOT = CUP.entries[0]
DIGEST = BOT.digest.hex()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def reader(path: Path) -> Iterator[TestClient]:
    """A reader of the database that a test makes."""
    with TestClient(create_app(settings(path)), base_url="http://localhost") as client:
        yield client


def page(client: TestClient, address: str = f"/bots/{DIGEST}?tournament={CUP.id}") -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return answer.text


def words(html: str) -> str:
    """What a reader reads of it."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_the_list_holds_every_bot_once_with_its_tournaments(client: TestClient) -> None:
    text = page(client, "/bots")
    for entry in CUP.entries:
        assert text.count(f'href="/bots/{entry.digest.hex()}"') == 1
    assert re.search(r"bot0 1\.0 .*? 2 ", words(text))


def test_a_long_list_goes_on_behind_the_last_bot_of_a_page(path: Path, reader: TestClient) -> None:
    with opened(path, made_tournament(bots=53, seats=2)):
        pass
    first = page(reader, "/bots")
    found = re.search(r'rel="next" href="([^"]+)"', first)
    assert found is not None
    second = page(reader, found[1])
    digests = [set(re.findall(r'class="bot" href="/bots/([0-9a-f]{64})"', text)) for text in (first, second)]
    assert [len(one) for one in digests] == [50, 3]
    assert not digests[0] & digests[1]
    assert 'rel="next"' not in second


def test_names_are_searched_in_any_case_and_a_search_without_a_find_leads_back(client: TestClient) -> None:
    assert "bot1 1.0" in page(client, "/bots?name=BOT1")
    assert "bot2 1.0" not in page(client, "/bots?name=BOT1")
    assert 'href="/bots"' in page(client, "/bots?name=%25")


@pytest.mark.parametrize("query", ["cursor=xy", f"cursor={'A' * 64}", "cursor=" + "x" * 1001, "name=" + "x" * 101])
def test_an_address_of_the_list_that_makes_no_sense_is_refused(client: TestClient, query: str) -> None:
    assert client.get(f"/bots?{query}").status_code == 422


def test_a_name_or_the_beginning_of_a_digest_leads_to_the_bot(client: TestClient) -> None:
    for word in (BOT.name, DIGEST[:9]):
        answer = client.get(f"/bots/{word}?tournament={CUP.id}", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (307, f"/bots/{DIGEST}?tournament={CUP.id}")


@pytest.mark.parametrize("address", ["/bots/nobody", "/bots/nobody/times.svg", f"/bots/{DIGEST}?tournament=nothing"])
def test_what_is_not_there_is_not_found(client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_results_are_told_by_opponent_and_by_seat_with_counts_and_intervals(client: TestClient) -> None:
    text = words(page(client))
    for other in CUP.entries[1:]:
        assert re.search(rf"{other.name} 1\.0 \d+ % \(\d+–\d+\s%\) \d+(\.\d)? % 12 \(\d+–\d+–\d+\) Matches", text)
    assert len(re.findall(r" [012] \d+ % (?:\([^)]+\) )?\d\.\d\d 6(?= )", text)) == 3


def test_the_matches_of_a_pair_are_led_to(client: TestClient) -> None:
    other = CUP.entries[1].digest.hex()
    assert f"/matches?tournament={CUP.id}&amp;bots={DIGEST}%2C{other}" in page(client)


def test_a_running_tournament_is_told_of_what_is_finished(client: TestClient) -> None:
    played = [entry for entry in RUNNING.entries if "Habits" in page(client, f"/bots/{entry.digest.hex()}")]
    assert played
    assert "no-store" not in client.get(f"/bots/{DIGEST}").headers["cache-control"]


@pytest.mark.parametrize("chart", ["rating", "declarations", "times"])
def test_a_chart_is_drawn_for_light_and_dark_and_narrow_pages_in_the_readers_language(
    client: TestClient, chart: str
) -> None:
    address = f"/bots/{DIGEST}/{chart}.svg?tournament={CUP.id}"
    drawn = {
        client.get(f"{address}&{query}").content
        for query in ("theme=light", "theme=dark", "theme=light&narrow=true", "theme=dark&narrow=true")
    }
    assert len(drawn) == 4
    assert all(one.startswith(b"<?xml") for one in drawn)
    answer = client.get(address)
    assert answer.headers["content-type"] == "image/svg+xml"
    again = client.get(address, headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    assert client.get(f"{address}&theme=pink").status_code == 422


def test_the_running_elo_is_another_course_that_can_be_chosen(client: TestClient) -> None:
    fitted = page(client)
    found = re.search(r'href="([^"]*running=true)"', fitted)
    assert found is not None
    running = page(client, found[1].replace("&amp;", "&"))
    assert "running=true" in running[running.index("<picture>") : running.index("</picture>")]
    address = f"/bots/{DIGEST}/rating.svg?tournament={CUP.id}"
    assert client.get(f"{address}&running=true").content != client.get(address).content


def test_habits_that_were_not_counted_say_how_to_count_them(path: Path, reader: TestClient) -> None:
    cup = replace(tournament(bots(3), 3, Variant(threshold=25)), id="cup012345678")
    store_tournament(path, cup)
    with open_store(f"sqlite:///{path}", write=True) as store, store.writing() as connection:
        connection.exec_driver_sql("DELETE FROM habit")
    bot = cup.entries[0].digest.hex()
    assert f"arena rate {cup.id}" in page(reader, f"/bots/{bot}")
    assert reader.get(f"/bots/{bot}/times.svg").status_code == 404
    assert reader.get(f"/bots/{bot}/declarations.svg").status_code == 404


def test_the_last_faults_lead_to_their_turns_and_keep_the_authors_words_back(path: Path, reader: TestClient) -> None:
    cup = replace(tournament(bots(3), 3, Variant(threshold=25)), id="cup012345678")
    bot = cup.entries[0].digest
    where = []
    with open_store(f"sqlite:///{path}", write=True) as store:
        Repository(store).create_tournament(cup, next_round(cup))
        ledger = SqlLedger(store)
        with ledger.lead(cup.id) as epoch:
            (claim,) = ledger.claim(cup.id, epoch, 1)
            result, events = block_result(cup, claim, Manners(fault_rate=0.3)), []
            for match in result.matches:
                record = decode_record(unpack_record(match.record))
                for number, turn in enumerate(record.turns()):
                    if turn.fault is not None and record.seats[turn.seat] == bot:
                        place = (claim.block.block_id, match.rotation, number)
                        where.append(f"/matches/{cup.id}/{place[0].hex()}/{place[1]}?turn={number}")
                        said = "Traceback: my secret"
                        now = datetime(2026, 1, 2, tzinfo=UTC)
                        events.append(BotEvent(bot, BotEventKind.FAULT, now, "", said, "output", *place))
            ledger.complete(cup.id, epoch, result, events)
    text = page(reader, f"/bots/{bot.hex()}")
    assert len(where) > 5
    assert re.findall(r'href="(/matches/[^"]+\?turn=\d+)"', text) == where[:-6:-1]
    assert "secret" not in text


def test_of_a_block_that_is_being_played_nothing_is_told(path: Path, reader: TestClient) -> None:
    cup = made_tournament()
    with opened(path, cup) as store:
        ledger = SqlLedger(store)
        with ledger.lead(cup.id) as epoch:
            (claim,) = ledger.claim(cup.id, epoch, 1)
            bot = claim.block.lineup[0].hex()
            text = page(reader, f"/bots/{bot}")
            assert "None of its blocks is finished yet" in text
            assert claim.block.block_id.hex() not in text
            for chart in ("rating", "declarations", "times"):
                assert reader.get(f"/bots/{bot}/{chart}.svg").status_code == 404
            assert "No two bots have met yet" in page(reader, "/head-to-head")


def test_versions_owner_and_retirement_are_told(path: Path, reader: TestClient) -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    with opened(path, made_tournament()) as store:
        for version, digest in (("1.0", b"1"), ("2.0", b"2")):
            Submissions(store).add(Submission("mine", version, digest * 32, "anna", "", now), {}, b"package")
        Submissions(store).retire([one for one in Submissions(store).all() if one.version == "1.0"], now)
    html = page(reader, f"/bots/{'31' * 32}")
    assert all(word in words(html) for word in ("mine 1.0", "anna", "retired", "It has entered no tournament yet"))
    assert f'href="/bots/{"32" * 32}"' in html


def test_names_of_strangers_are_shown_and_never_run(path: Path, reader: TestClient) -> None:
    strange = sort_entries(
        Entry(name, "1.0", bytes([number]) * 32)
        for number, name in enumerate(('<script>alert("x")</script>', "a\u202eb", "🂡", "' onclick='x"), start=1)
    )
    store_tournament(path, replace(tournament(strange, 2, Variant(threshold=25)), id="cup012345678"))
    for address in ("/bots", "/head-to-head", *(f"/bots/{entry.digest.hex()}" for entry in strange)):
        text = page(reader, address)
        assert "<script>alert" not in text
        assert "\u202e" not in text
        assert "' onclick='" not in text


def test_where_nothing_was_played_it_says_what_to_do(empty_client: TestClient) -> None:
    assert "make tournament" in empty_client.get("/bots").text
