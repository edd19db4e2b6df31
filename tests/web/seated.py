"""A reader of the pages who plays, with bots that are functions in this process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

from arena.web.app import create_app
from arena.web.play.game import Game
from arena.web.play.opponents import opponents
from arena.web.site import Site
from tests.web.apart import apart
from tests.web.serving import settings
from tests.web.signing import form_token

PATIENCE_S = 30.0


class Reader:
    """A browser without scripts that plays at the pages of an application."""

    def __init__(self, client: TestClient, app: FastAPI) -> None:
        self.client = client
        self.site: Site = app.state.site

    def sit_down(self, *names: str, **fields: str) -> Response:
        """Choose opponents by their names, and begin."""
        known = {one.name: one.digest.hex() for one in opponents(self.site.database).values()}
        return self.start({"bot": [known[name] for name in names], **fields})

    def start(self, fields: dict[str, Any]) -> Response:
        """Send the form of the choice with these fields."""
        token = form_token(self.client.get("/play").text)
        data = {"form_token": token, "rules": "short", "first": "me", **fields}
        return self.client.post("/play", data=data, follow_redirects=False)

    def settle(self, address: str) -> str:
        """The page of the table when it is the person's turn, or all is over."""
        apart(self.game(address).settled(PATIENCE_S))
        return self.client.get(address).text

    def game(self, address: str) -> Game:
        """The game at an address."""
        return self.site.games._games[address.rpartition("/")[2]]

    def act(self, address: str, act: str = "play", **fields: Any) -> Response:
        """Do something on the turn that the page shows, unless the fields say another."""
        page = self.client.get(address).text
        data = {"form_token": form_token(page), "turn": turn_of(page), "act": act, **fields}
        return self.client.post(address, data=data)


@contextmanager
def reader(path: Path) -> Iterator[Reader]:
    """Somebody who plays at the pages over the database at `path`; at the end the server stops."""
    app = create_app(settings(path))
    with TestClient(app, base_url="http://localhost") as client:
        yield Reader(client, app)


def turn_of(page: str) -> str:
    """The number of the turn that a page asks for."""
    found = re.search(r'name="turn" value="(\d+)"', page)
    return "0" if found is None else found[1]


def hand_of(page: str) -> list[int]:
    """The cards that a page offers to throw."""
    return list(map(int, re.findall(r'name="throw" value="(\d+)"', page)))


def problem_of(page: str) -> str:
    """What a page says is wrong."""
    found = re.search(r"data-problem>(.*?)</p>", page, re.DOTALL)
    assert found is not None
    return found[1].strip()
