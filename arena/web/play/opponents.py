"""Whom a person may play against: the sample bots, and in the sandbox what was submitted."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from arena.bots.folders import BotFolder, discover
from arena.bots.launcher import Launcher, PreparedBot
from arena.bots.manifest import Manifest
from arena.bots.probe import offered
from arena.bots.sandbox import search_path
from arena.bots.stored import prepare_stored
from arena.settings import sample_bots
from arena.store.errors import StoreEmptyError
from arena.store.submissions import Submission, Submissions, newest
from arena.web.database import Database


class Opponent(NamedTuple):
    """A bot that can sit at the table; `owner` is "" for a sample bot, `prepare` gets it ready."""

    digest: bytes
    name: str
    version: str
    owner: str
    prepare: Callable[[Launcher], PreparedBot]

    @property
    def label(self) -> str:
        """Name and version, as people call the bot."""
        return f"{self.name} {self.version}"


def opponents(database: Database) -> dict[bytes, Opponent]:
    """All who can play here, by digest: the sample bots first."""
    found: dict[bytes, Opponent] = {}
    for one in (*_samples(), *_submitted(database)):
        found.setdefault(one.digest, one)
    return found


def _samples() -> Iterator[Opponent]:
    for bot in discover([sample_bots()], broken=True):
        if _has_program(bot.manifest):
            yield Opponent(bot.digest, bot.name, bot.version, "", partial(_prepare, bot))


def _prepare(bot: BotFolder, launcher: Launcher) -> PreparedBot:
    return launcher.prepare(bot)


def _has_program(manifest: Manifest) -> bool:
    """Whether what builds or runs a bot is on this machine."""
    program = (manifest.build or manifest.command)[0]
    return "/" in program or shutil.which(program, path=search_path()) is not None


def _submitted(database: Database) -> Iterator[Opponent]:
    """The newest version of each bot whose files are here, if they can be kept from doing harm."""
    if offered().level == "none":
        return
    with suppress(StoreEmptyError):
        for one in newest(database.results().submissions.all()):
            if not one.address:
                prepare = partial(_prepare_stored, database, one)
                yield Opponent(one.digest, one.name, one.version, one.owner, prepare)


def _prepare_stored(database: Database, one: Submission, launcher: Launcher) -> PreparedBot:
    submissions: Submissions = database.results().submissions
    return prepare_stored(submissions.package(one.digest), one.digest, one.owner, launcher)
