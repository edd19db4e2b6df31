"""A single bot that a command was given: found, kept as it must be, and ready to be asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.bots import stored
from arena.bots.folders import BotFolder, is_place, resolve
from arena.bots.launcher import Launcher, PreparedBot
from arena.bots.manifest import load_manifest
from arena.bots.probe import offered
from arena.bots.remote import Access, Keyring, RemoteBot, is_address
from arena.cli.choosing import Bot, find_bot
from arena.cli.errors import CommandFailed
from arena.cli.order import sandboxing
from arena.cli.submitted import check_kept, source
from arena.fleet.examining import Given
from arena.match.limits import ProcessLimits
from arena.settings import MY_BOTS, sample_bots


class Kept(NamedTuple):
    """A launcher for the bot, and what there is to say about the sandbox once ("" for nothing)."""

    launcher: Launcher
    note: str


@contextmanager
def kept() -> Iterator[Kept]:
    """A launcher at the level that is offered here; all of it is gone afterwards."""
    level, note = sandboxing("auto")
    with Launcher(ProcessLimits(), level) as launcher:
        yield Kept(launcher, note)


def find(word: str, remotes: Path | None, launcher: Launcher) -> Bot | Access:
    """What a word means: an archive, a folder, an address, or the name of a bot. Raises what `find_bot` raises."""
    if is_address(word) or not is_archive(word):
        return find_bot(word, Keyring(remotes))
    if launcher.sandbox == "none":
        raise CommandFailed(
            f"{word}: what is in an archive runs in the sandbox only, and there is none here "
            f"({offered().reason}): unpack it and name its folder, if you trust it"
        )
    return open_archive(word, launcher)


def ready(bot: Bot | Access, launcher: Launcher) -> Given:
    """Have a bot ready, built where it needs that. Raises what `submitted.source` raises, and CommandFailed."""
    if isinstance(bot, Access):
        return Given(str(bot.address), "", "", bot.digest, bot)
    check_kept([bot], launcher.sandbox)
    place = source(bot, launcher)
    playable = place if isinstance(place, Access) else PreparedBot(load_manifest(place), bot.digest, place)
    return Given(bot.label, bot.name, "" if isinstance(bot, RemoteBot) else bot.version, bot.digest, playable)


def is_archive(word: str) -> bool:
    """Whether a word names a file, which then must be an archive."""
    return not is_place(word) and Path(word).expanduser().is_file()


def open_archive(what: str, launcher: Launcher) -> BotFolder:
    """The bot in an archive."""
    return stored.open_archive(Path(what).expanduser(), what, launcher.scratch())


def open_files(what: str, launcher: Launcher) -> BotFolder:
    """The bot in a folder, in an archive, or in a folder of this name below `my_bots/`."""
    return open_archive(what, launcher) if is_archive(what) else resolve(what, [MY_BOTS, sample_bots()])
