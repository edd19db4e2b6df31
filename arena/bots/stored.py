"""Bots that come as archives, from whoever sends them or from the store, as folders."""

from __future__ import annotations

from pathlib import Path

from arena.bots.archive import read_archive, unpack
from arena.bots.errors import BotError
from arena.bots.folders import BotFolder, open_folder
from arena.bots.launcher import Launcher, PreparedBot


def open_archive(path: Path, called: str, folder: Path) -> BotFolder:
    """Unpack the archive at `path` into `folder`, which is empty and nobody else's, and read the bot in it.

    Raises what `unpack` and `open_folder` raise; the message calls it as its sender does, and not by where it lies.
    """
    try:
        return open_folder(unpack(read_archive(path), folder))
    except BotError as error:
        said = str(error).removeprefix(str(folder))
        raise type(error)(f"{called}{said}" if said != str(error) else f"{called}: {said}") from None


def prepare_stored(package: bytes, digest: bytes, owner: str, launcher: Launcher) -> PreparedBot:
    """Unpack and build the bot that `owner` submitted as this archive.

    Raises what `Launcher.prepare` raises, `ArchiveError`, and OSError when the system has no room.
    """
    folder = open_folder(unpack(package, launcher.scratch()))
    return launcher.prepare(BotFolder(folder.path, folder.manifest, digest, owner))
