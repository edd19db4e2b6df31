"""What the API lists is what commands print, part by part and each thing once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from arena.tournament.verify import verify
from tests.cli.stored import Shell
from tests.web.api.reading import read, whole
from tests.web.conftest import CUP, RUNNING

BOT = CUP.entries[0]


@pytest.fixture
def shell(made_up: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """The command line over the same database."""
    return Shell(made_up, monkeypatch, capsys)


@pytest.mark.parametrize(
    ("address", "command"),
    [
        (f"/rankings?tournament={CUP.id}", f"rankings {CUP.id}"),
        (f"/rankings?tournament={CUP.name}&clean=true", f"rankings {CUP.id} --clean"),
        ("/rankings", "rankings"),
        ("/tournaments", "tournament list"),
        ("/matches", "matches --limit 1000"),
        (f"/matches?tournament={RUNNING.id}", f"matches --limit 1000 --tournament {RUNNING.id}"),
        (f"/matches?bot={BOT.digest.hex()}", f"matches --limit 1000 --bot {BOT.name}"),
    ],
)
def test_a_listing_is_what_the_command_prints(client: TestClient, shell: Shell, address: str, command: str) -> None:
    printed = shell(*command.split(), "--json").json
    assert printed == whole(client, address, 1000 if address.startswith("/rank") else 200)
    assert printed == whole(client, address, 3)


@pytest.mark.parametrize(
    ("address", "command"),
    [
        (f"/tournaments/{CUP.id}", f"tournament show {CUP.id}"),
        (f"/tournaments/{RUNNING.name}", f"tournament show {RUNNING.id}"),
        (f"/rankings/luck?tournament={CUP.id}", f"rankings {CUP.id} --luck"),
    ],
)
def test_an_object_is_what_the_command_prints(client: TestClient, shell: Shell, address: str, command: str) -> None:
    assert read(client, address) == shell(*command.split(), "--json").json


def test_bots_are_what_the_command_prints_but_for_places_on_this_machine(client: TestClient, shell: Shell) -> None:
    printed = shell("bots", "list", "--json").json
    assert [{**bot, "address": None} for bot in whole(client, "/bots", 2)] == printed
    (shown,) = read(client, f"/bots/{BOT.name}")["items"]
    (told,) = shell("bots", "show", BOT.name, "--json").json
    assert [{**one, "origin": ""} for one in shown.pop("fared")] == told.pop("fared")
    assert {**shown, "address": None} == told


def test_the_course_of_a_rating_is_what_the_command_prints(client: TestClient, shell: Shell) -> None:
    marks = shell("rankings", CUP.id, "--history", "--json").json
    (course,) = read(client, f"/bots/{BOT.digest.hex()}/history?tournament={CUP.id}")["items"]
    assert course["marks"] == [
        {"blocks": mark["blocks"], "rating": mark["ratings"][BOT.digest.hex()]}
        for mark in marks
        if BOT.digest.hex() in mark["ratings"]
    ]
    (latest,) = read(client, f"/bots/{BOT.name}/history")["items"]
    assert latest["tournament"] == RUNNING.id


@pytest.mark.parametrize(("clean", "met"), [("true", 5), ("false", 6)])
def test_every_two_bots_that_met_are_told_once_with_an_interval(client: TestClient, clean: str, met: int) -> None:
    pairs = whole(client, f"/rankings/pairs?tournament={CUP.id}&clean={clean}", 4)
    assert len({frozenset((pair["a"], pair["b"])) for pair in pairs}) == len(pairs) == met
    for pair in pairs:
        assert pair["points"] == pair["wins"] + pair["draws"] / 2 <= pair["games"]
        assert pair["blocks"] == 1 or pair["low"] <= pair["share"] <= pair["high"]


def test_matches_of_two_bots_hold_both(client: TestClient) -> None:
    one, other = (entry.digest.hex() for entry in CUP.entries[:2])
    found = whole(client, f"/matches?bot={one}&bot={other}", 5)
    every = whole(client, "/matches", 200)
    assert found == [match for match in every if {one, other} <= {seat["digest"] for seat in match["seats"]}]


def test_entries_and_progress_tell_how_a_tournament_stands(client: TestClient) -> None:
    show = read(client, f"/tournaments/{RUNNING.id}")
    assert whole(client, f"/tournaments/{RUNNING.id}/entries", 3) == show["entries"]
    progress = read(client, f"/tournaments/{RUNNING.id}/progress")
    assert progress == {"id": RUNNING.id, "blocks": show["blocks"], "finished": None, "is_played": False}


def test_records_in_parts_are_an_export_that_holds(client: TestClient, shell: Shell) -> None:
    records = whole(client, f"/tournaments/{CUP.id}/records", 3)
    exported = shell("export", CUP.id, "--out", "-").out
    assert records == [json.loads(line) for line in exported.splitlines()]
    assert verify(json.dumps(record) for record in records).ok


def test_the_secret_is_in_no_record_before_the_tournament_is_finished(client: TestClient) -> None:
    secrets: list[dict[str, Any]] = [
        *whole(client, f"/tournaments/{RUNNING.id}/records", 50),
        read(client, f"/tournaments/{RUNNING.id}"),
    ]
    assert secrets and all(one["secret"] is None for one in secrets)
