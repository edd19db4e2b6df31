"""A bot that somebody brings, examined before it is kept: packed as it would be stored, asked, and seen to play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from shlex import join
from typing import NamedTuple

from arena.bots.archive import pack, unpack
from arena.bots.conformance import Check, Step, StepReport, measures
from arena.bots.conformance.interview import MakePlayer, Tally
from arena.bots.folders import BotFolder, open_folder
from arena.bots.launcher import Launcher, PreparedBot
from arena.bots.manifest import Manifest
from arena.bots.remote import Access
from arena.fleet.lobby import new_player
from arena.fleet.setups import usable_cores
from arena.fleet.trial import Contestant, play_trial

MATCHES_S = 15.0
"""The time of the quick matches."""


class Given(NamedTuple):
    """A bot ready to be asked. `name` and `version` are "" for an address, whose bot says them itself."""

    label: str
    name: str
    version: str
    digest: bytes
    playable: PreparedBot | Access


class Packed(NamedTuple):
    """A bot as it would be stored: opened from its own `package`, which holds nothing but what its digest covers."""

    bot: BotFolder
    package: bytes


def packed(found: BotFolder, owner: str, launcher: Launcher) -> Packed:
    """Pack a bot for its owner. Raises `PackageError`, and `ArchiveError` for one that could not be unpacked."""
    package = pack(found.path, found.manifest)
    stored = open_folder(unpack(package, launcher.scratch()))
    return Packed(BotFolder(stored.path, stored.manifest, stored.digest, owner), package)


def ready(bot: BotFolder, launcher: Launcher) -> Given:
    """Have a folder ready, built where it needs that; raises what `Launcher.prepare` raises."""
    return Given(bot.label, bot.name, bot.version, bot.digest, launcher.prepare(bot))


def players(given: Given, launcher: Launcher) -> MakePlayer:
    """What makes players of a bot."""
    return partial(new_player, given.playable, launcher)


def examine(given: Given, launcher: Launcher, opponents: Iterable[BotFolder], built_s: float) -> Iterator[StepReport]:
    """The whole check of a bot that was got ready in `built_s`, step after step, with matches against the opponents."""
    here = given.playable if isinstance(given.playable, PreparedBot) else None
    if here is not None:
        yield _files(here.manifest, built_s)
    check = Check(players(given, launcher), given.name, given.version)
    yield from check.whole()
    if not check.answers:
        return
    yield _matches(given, check.tally, launcher, opponents)
    if here is not None:
        yield measures.memory(check.tally, here.manifest.limits.memory_mb)
        yield measures.output(check.tally)


def _files(manifest: Manifest, built_s: float) -> StepReport:
    """What is run, and how long a build took."""
    command, built = join(manifest.command), f", built in {built_s:.1f} s" if manifest.build else ""
    return StepReport(Step.FILES, f"run as: {command}{built}", {"command": command})


def _matches(given: Given, tally: Tally, launcher: Launcher, opponents: Iterable[BotFolder]) -> StepReport:
    def contestant(one: Given) -> Contestant:
        fresh = isinstance(one.playable, PreparedBot) and one.playable.manifest.fresh
        return Contestant(one.label, players(one, launcher), fresh)

    others = [contestant(ready(bot, launcher)) for bot in opponents]
    return play_trial(contestant(given), others, tally, MATCHES_S, calls=len(usable_cores()))
