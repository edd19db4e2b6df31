from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, sync_playwright

from arena.bots import probe
from arena.bots.probe import Offer
from arena.game.variant import Variant
from arena.store.opening import open_store
from arena.store.results import Results
from arena.web.app import create_app
from arena.web.intake import Intake
from arena.web.site import Site
from tests.cli.stored import store_tournament
from tests.end_to_end.arena import Arena
from tests.tournament.playing import Manners, bots, tournament
from tests.web.browsing import launch
from tests.web.examining import Examiners
from tests.web.gaming import with_game
from tests.web.owning import with_owner
from tests.web.pages import Stored, stored_in
from tests.web.serving import served, settings

CUP = replace(tournament(bots(4), 3, Variant(threshold=25), deals=2), id="cup012345678", name="Cup")
RUNNING = replace(tournament(bots(4), 2, Variant(threshold=25)), id="run012345678", name="Running")


@pytest.fixture(scope="session")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a finished tournament at tables of 3 in which there were faults, and a running one at tables of 2
    that opened later; quickly made. Read only."""
    path = tmp_path_factory.mktemp("made_up") / "arena.db"
    store_tournament(path, CUP, Manners(fault_rate=0.003))
    store_tournament(path, RUNNING, blocks=3)
    return path


@pytest.fixture
def client(made_up: Path) -> Iterator[TestClient]:
    """A reader of the made-up tournaments, without a browser."""
    with TestClient(create_app(settings(made_up)), base_url="http://localhost") as client:
        yield client


@pytest.fixture
def empty_client(tmp_path: Path) -> Iterator[TestClient]:
    """A reader of an arena in which nothing was played yet."""
    with TestClient(create_app(settings(tmp_path / "arena.db")), base_url="http://localhost") as client:
        yield client


@pytest.fixture
def examiners() -> Examiners:
    """What examines the bots that are sent to the `app`."""
    return Examiners()


@pytest.fixture
def app(path: Path, examiners: Examiners, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """An arena on the database of a test, which takes bots in without starting any of them."""
    monkeypatch.setattr(probe, "offered", lambda: Offer("watchdog", ""))  # nothing runs, so the promise is enough
    app = create_app(settings(path))
    site: Site = app.state.site
    site.__dict__["intake"] = Intake(site.database, examiners)
    return app


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two tournaments that real bots played through the command. Read only."""
    arena = Arena(tmp_path_factory.mktemp("real"))
    swiss = ("--format", "swiss", "--rounds", "2", "--seats", "2", "--deals", "2", "--name", "Spring swiss", "--quiet")
    arena.ok("tournament", "run", "greedy", "planner", "random", "tally", *swiss)
    bots = ("greedy", "planner", "random")
    arena.ok("tournament", "run", *bots, "--seats", "3", "--deals", "3", "--name", "Winter cup", "--quiet")
    return arena.folder / arena.database


@pytest.fixture(scope="session")
def address(real: Path) -> Iterator[str]:
    """Where a real server shows the real tournament."""
    with served(real) as address:
        yield address


@pytest.fixture(scope="session")
def stored(real: Path) -> Stored:
    """What is in the real tournament, an organiser with a bot in it, and a game of a person."""
    with open_store(f"sqlite:///{real}", write=True) as store:
        return with_game(store, with_owner(store, stored_in(Results.of(store))))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's browser, without a window."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()
