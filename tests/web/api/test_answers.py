"""How the API answers, whatever it is asked: what is unchanged is not sent, and failures are problem details."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest
from fastapi.testclient import TestClient

from arena.web.api.limiting import client_of
from arena.web.api.models.common import Problem
from arena.web.app import MOST_BYTES, create_app
from arena.wire.codec import decode_record
from tests.web.api.reading import PATH, read, whole
from tests.web.conftest import CUP
from tests.web.serving import settings

READS = (
    "/openapi.json",
    "/rankings",
    "/rankings/pairs",
    "/rankings/luck",
    "/bots",
    f"/bots/{CUP.entries[0].name}",
    f"/bots/{CUP.entries[0].name}/history",
    "/tournaments",
    f"/tournaments/{CUP.id}",
    f"/tournaments/{CUP.id}/entries",
    f"/tournaments/{CUP.id}/progress",
    f"/tournaments/{CUP.id}/records",
    "/matches",
)


@pytest.mark.parametrize("address", READS)
def test_what_has_not_changed_is_not_sent_again(client: TestClient, address: str) -> None:
    first = client.get(PATH + address)
    again = client.get(PATH + address, headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert first.headers["cache-control"] == again.headers["cache-control"] == "no-cache"
    other = client.get(PATH + address, headers={"if-none-match": 'W/"something else"'})
    assert other.content == first.content


@pytest.mark.parametrize("address", ["/rankings", "/tournaments/none", "/rankings?limit=0"])
def test_a_head_is_that_of_the_whole_answer(client: TestClient, address: str) -> None:
    whole_answer, head = client.get(PATH + address), client.head(PATH + address)
    assert (head.status_code, head.content) == (whole_answer.status_code, b"")
    for name in ("etag", "content-type", "content-length", "cache-control"):
        assert head.headers.get(name) == whole_answer.headers.get(name)


def test_every_read_is_among_those_that_are_tested(client: TestClient) -> None:
    described = read(client, "/openapi.json")["paths"]
    public = {path for path, operations in described.items() if "304" in operations.get("get", {}).get("responses", {})}
    match = {path for path in public if path.startswith("/matches/")}
    assert len(public - match) == len(READS) - 1
    assert len(match) == 2


def test_a_record_comes_as_json_and_in_bytes(client: TestClient) -> None:
    listed = whole(client, f"/matches?tournament={CUP.id}", 200)[0]
    exported = read(client, f"/matches/{listed['id']}")
    packed = client.get(f"{PATH}/matches/{listed['id']}/record")
    assert packed.headers["content-type"] == "application/protobuf"
    record = decode_record(packed.content)
    assert exported["seed"] == record.seed.hex()
    assert exported["points"] == list(record.points) == [seat["points"] for seat in listed["seats"]]


@pytest.mark.parametrize(
    ("method", "address", "status", "told"),
    [
        ("GET", "/nowhere", 404, ""),
        ("GET", "", 404, ""),
        ("GET", "/bots/nobody", 404, "nobody"),
        ("GET", "/bots/nobody/history", 404, "nobody"),
        ("GET", f"/bots/{CUP.entries[0].name}/history?tournament=none", 404, "none"),
        ("GET", "/tournaments/none", 404, "there is no tournament 'none'"),
        ("GET", "/rankings?tournament=none", 404, "none"),
        ("GET", "/matches/none/00/0", 404, "none"),
        ("GET", f"/matches/{CUP.id}/zz/0", 422, "block: it does not have the form ^[0-9a-f]"),
        ("GET", f"/matches/{CUP.id}/{'0' * 64}/0", 404, "there is no match"),
        ("GET", "/matches?bot=a&bot=b&bot=c", 422, "bot: at most 2 may be given, not 3"),
        ("GET", "/matches?limit=0", 422, "limit: it must be at least 1"),
        ("GET", "/matches?limit=many", 422, "limit: it must be a whole number"),
        ("GET", "/rankings?clean=perhaps", 422, "clean: it must be true or false"),
        ("GET", f"/rankings?tournament={'x' * 201}", 422, "tournament: it may have at most 200 characters"),
        ("GET", "/rankings?tournement=none", 422, "tournement"),
        ("POST", "/rankings", 405, ""),
        ("DELETE", f"/bots/{CUP.entries[0].name}", 405, ""),
        ("GET", "/submissions", 401, "token"),
        ("GET", f"/bots/{CUP.entries[0].name}/events", 401, "token"),
    ],
)
def test_a_failure_is_told_as_a_problem(client: TestClient, method: str, address: str, status: int, told: str) -> None:
    answer = client.request(method, PATH + address)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = Problem.model_validate_json(answer.text)
    assert problem.status == status
    assert told in problem.detail
    assert (problem.errors is not None) == (status == 422)
    assert problem.instance == f"urn:uuid:{UUID(answer.headers['x-request-id'])}"


def test_no_two_requests_have_one_name(client: TestClient) -> None:
    assert len({client.get(f"{PATH}/matches").headers["x-request-id"] for _ in range(3)}) == 3


def test_a_failure_of_ours_is_a_problem_too_and_stands_in_the_log_by_the_same_name(
    made_up: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("arena.web.api.matches.match_document", lambda _: {"what": object()})
    app = create_app(settings(made_up))
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        answer = client.get(f"{PATH}/matches")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    problem = Problem.model_validate_json(answer.text)
    assert "what" not in problem.detail
    assert problem.instance.removeprefix("urn:uuid:") in caplog.text


def test_no_more_is_read_than_a_request_may_have(client: TestClient) -> None:
    answer = client.request("GET", f"{PATH}/matches", content=bytes(MOST_BYTES + 1))
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"


CURSORS = ["", "x", "AAAA", "====", "😀", "A" * 999, "null", "%00"]


@pytest.mark.parametrize("cursor", CURSORS)
@pytest.mark.parametrize("address", ["/matches", "/rankings", "/rankings/pairs", "/bots", "/tournaments"])
def test_a_cursor_of_one_s_own_making_is_refused(client: TestClient, address: str, cursor: str) -> None:
    answer = client.get(PATH + address, params={"cursor": cursor})
    assert answer.status_code == 422
    assert "cursor" in Problem.model_validate_json(answer.text).detail


def test_a_cursor_fits_its_own_listing_only(client: TestClient) -> None:
    cursor = read(client, "/matches?limit=2")["next"]
    assert client.get(f"{PATH}/matches?limit=5&cursor={cursor}").status_code == 200
    for other in (f"/matches?tournament={CUP.id}", "/tournaments?", "/rankings?"):
        assert client.get(f"{PATH}{other}&limit=2&cursor={cursor}").status_code == 422


def test_where_nothing_was_played_there_is_nothing_yet(empty_client: TestClient) -> None:
    for address in ("/rankings", "/matches", "/bots", "/tournaments"):
        answer = empty_client.get(PATH + address)
        assert answer.status_code == 404
        assert "arena tournament run" in Problem.model_validate_json(answer.text).detail


def test_who_asks_too_often_is_told_when_to_come_back(made_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.site.API_REQUESTS", 5)
    monkeypatch.setattr("arena.web.site.API_REQUEST_EVERY_S", 3600.0)
    with TestClient(create_app(settings(made_up)), base_url="http://localhost") as client:
        statuses = [client.get(f"{PATH}/tournaments").status_code for _ in range(5)]
        assert set(statuses) == {200}
        answer = client.get(f"{PATH}/tournaments")
        assert answer.status_code == 429
        assert 3000 < int(answer.headers["retry-after"]) <= 3600
        assert Problem.model_validate_json(answer.text).status == 429
        assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("testclient", "", False),
    ],
)
def test_an_address_of_a_household_is_one_client(one: str, other: str, same: bool) -> None:
    assert (client_of({"client": (one, 1)}) == client_of({"client": (other, 2)})) == same
