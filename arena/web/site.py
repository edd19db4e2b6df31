"""What all pages share: the database, the languages, the templates, and what is kept of what was made already.

One site belongs to one application; it is made by `create_app` and found at `app.state.site`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from jinja2 import Environment

from arena.bots.anchor import anchor_digest
from arena.web.conditional import Kept
from arena.web.conducting import Conductor
from arena.web.database import Database
from arena.web.explanations import Explanations
from arena.web.i18n import Language, languages
from arena.web.intake import Intake
from arena.web.live import Live
from arena.web.moments import Moments
from arena.web.play.games import Games
from arena.web.rankings import Rankings
from arena.web.rates import Allowance
from arena.web.rendering import environment
from arena.web.replay.library import Library
from arena.web.security import LOOPBACK
from arena.web.verifying import Verifier

SIGN_INS = 10
SIGN_IN_EVERY_S = 6.0
"""From one address so many may try to sign in at once, and then one in so many seconds."""

SITTINGS = 10
SITTING_EVERY_S = 10.0
"""From one address so many may sit down at a table at once, and then one in so many seconds: it starts processes."""

API_REQUESTS = 300
API_REQUEST_EVERY_S = 0.02
"""From one address the API may be asked so often at once, and then once in so many seconds."""


@dataclass(frozen=True)
class Settings:
    """What is decided when the pages are started: the database, and the names under which the server is reached."""

    database_url: str
    allowed_hosts: tuple[str, ...] = LOOPBACK


class NavigationItem(NamedTuple):
    """A page that every page leads to: the name of its route, and what it is called (translated where it is shown)."""

    route: str
    label: str


@dataclass(frozen=True)
class Site:
    """The one thing that a page is given; `address` makes the path of a route by its name."""

    settings: Settings
    address: Callable[..., str]
    navigation: tuple[NavigationItem, ...]
    kept: Kept = field(default_factory=Kept)
    sign_ins: Allowance = field(default_factory=lambda: Allowance(SIGN_INS, SIGN_IN_EVERY_S))
    sittings: Allowance = field(default_factory=lambda: Allowance(SITTINGS, SITTING_EVERY_S))
    api_requests: Allowance = field(default_factory=lambda: Allowance(API_REQUESTS, API_REQUEST_EVERY_S))

    @cached_property
    def database(self) -> Database:
        """The database, which need not exist yet."""
        return Database(self.settings.database_url)

    @cached_property
    def languages(self) -> Mapping[str, Language]:
        """The languages by code."""
        return languages()

    @cached_property
    def anchor(self) -> bytes | None:
        """The digest of the bot whose rating is 1500."""
        return anchor_digest()

    @cached_property
    def rankings(self) -> Rankings:
        """The rankings that were asked for last."""
        return Rankings(self.database, self.anchor)

    @cached_property
    def library(self) -> Library:
        """The matches that were looked at last."""
        return Library()

    @cached_property
    def explanations(self) -> Explanations:
        """What is thought of their turns."""
        return Explanations()

    @cached_property
    def verifier(self) -> Verifier:
        """What checks tournaments, behind all else."""
        return Verifier(self.database)

    @cached_property
    def moments(self) -> Moments:
        """How tournaments stand."""
        return Moments(self.database, self.rankings, self.verifier, self.conductor)

    @cached_property
    def live(self) -> Live:
        """Who follows tournaments."""
        return Live(self.moments.look)

    @cached_property
    def intake(self) -> Intake:
        """Where owners send their bots."""
        return Intake(self.database)

    @cached_property
    def conductor(self) -> Conductor:
        """What plays tournaments for organisers."""
        return Conductor(self.database)

    @cached_property
    def games(self) -> Games:
        """The tables with people at them."""
        return Games(self.settings.database_url)

    @cached_property
    def templates(self) -> Mapping[str, Environment]:
        """The templates by language."""
        shared = {"url": self.address, "static": self.static, "navigation": self.navigation}
        return {code: environment(language, shared) for code, language in self.languages.items()}

    @cached_property
    def version(self) -> str:
        """A digest of the static files: it stands in their addresses, so that browsers may keep them for ever."""
        digest = sha256()
        for path in _files(static_folder()):
            digest.update(path.read_bytes())
        return digest.hexdigest()[:12]

    def close(self) -> None:
        """End what runs, and give back all files."""
        self.conductor.close()
        self.games.close()
        self.verifier.close()
        self.intake.close()
        self.database.close()

    def static(self, path: str) -> str:
        """The address of a file in `static/`."""
        return self.address("static", path=f"{self.version}/{path}")


def static_folder() -> Traversable:
    """Where the style sheet, the scripts and the pictures lie."""
    return resources.files("arena.web") / "static"


def _files(folder: Traversable) -> list[Traversable]:
    found: list[Traversable] = []
    for path in sorted(folder.iterdir(), key=lambda one: one.name):
        found += _files(path) if path.is_dir() else [path]
    return found
