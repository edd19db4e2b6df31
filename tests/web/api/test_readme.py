"""The README of the API is true: its commands work, and its table has every operation."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from argparse import ArgumentParser
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from arena.bots import probe
from arena.bots.archive import MAX_PACKED
from arena.bots.members import MIB
from arena.bots.probe import Offer
from arena.store.opening import open_store
from arena.store.submissions import Submission, Submissions
from arena.web.app import create_app
from arena.web.intake import MOST_OF_OWNER, Intake
from arena.web.site import API_REQUEST_EVERY_S, API_REQUESTS, Site
from tests.web.api.reading import PATH, read
from tests.web.conftest import CUP
from tests.web.examining import Examiners
from tests.web.serving import settings
from tests.web.signing import token_in

README = (resources.files("arena.web.api") / "README.md").read_text(encoding="utf-8")

COMMANDS = re.findall(r"^curl (?:.*\\\n)*.*", README, re.MULTILINE)

OWN = CUP.entries[0]


def test_its_table_has_every_operation(client: TestClient) -> None:
    listed = set(re.findall(r"^\| `([A-Z]+ [^`]+)` \|", README, re.MULTILINE))
    paths = read(client, "/openapi.json")["paths"]
    assert listed == {f"{method.upper()} {path}" for path, operations in paths.items() for method in operations}


def test_it_tells_the_rates_as_they_are() -> None:
    assert f"{API_REQUESTS} times at once and then {1 / API_REQUEST_EVERY_S:.0f} times a second" in README.replace(
        "\n", " "
    )


def test_it_tells_why_a_bot_is_not_taken_in_as_the_description_does(client: TestClient) -> None:
    told = dict(re.findall(r"^\| (\d{3}) \| ([^|]+) \|", README, re.MULTILINE))
    described = read(client, "/openapi.json")["paths"]["/submissions"]["post"]["responses"]
    own = {
        status: answer["description"] for status, answer in described.items() if {"$ref", "description"} <= set(answer)
    }
    assert set(told) == set(own) == {"401", "413", "429", "503"}
    for status, limit in (("413", f"larger than {MAX_PACKED // MIB} MiB"), ("429", f"last {MOST_OF_OWNER} bots")):
        assert limit in told[status]
        assert limit in own[status]


@pytest.mark.parametrize("command", COMMANDS, ids=range(len(COMMANDS)))
def test_its_commands_work(made_up: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    path = tmp_path / "arena.db"
    shutil.copy(made_up, path)
    with open_store(f"sqlite:///{path}", write=True) as store:
        Submissions(store).add(Submission(OWN.name, OWN.version, OWN.digest, "ada", "", datetime.now(UTC)), {}, b"")
    monkeypatch.setattr(probe, "offered", lambda: Offer("watchdog", ""))
    app = create_app(settings(path))
    site: Site = app.state.site
    site.__dict__["intake"] = Intake(site.database, Examiners())
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        progress = client.get(f"{PATH}/tournaments/{CUP.id}/progress")
        names = {
            "NEXT": read(client, "/matches?limit=2")["next"],
            "ETAG": progress.headers["etag"],
            "TOURNAMENT": CUP.id,
            "TOKEN": token_in(path, "ada"),
            "MINE": OWN.name,
            "greedy": OWN.name,
            "random": CUP.entries[1].name,
        }
        answer = curl(client, re.sub("|".join(names), lambda name: names[name[0]], command))
    assert answer.status_code == (304 if "ETAG" in command else 202 if "--data-binary" in command else 200), answer.text
    if answer.status_code == 200:
        assert "items" in json.loads(answer.text)


def curl(client: TestClient, command: str) -> Response:
    """What curl would send."""
    parser = ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("-H", action="append", default=[])
    parser.add_argument("--data-binary")
    line, _, _ = command.replace("\\\n", " ").partition(" | ")
    given = parser.parse_args(shlex.split(line)[1:])
    headers = dict(header.split(": ", 1) for header in given.H)
    method, body = ("POST", b"archive") if given.data_binary else ("GET", None)
    return client.request(method, given.url, headers=headers, content=body)
