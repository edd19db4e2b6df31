"""A bot whose files are kept as an archive, got ready to be started."""

from __future__ import annotations

from arena.bots.archive import unpack
from arena.bots.folders import BotFolder, open_folder
from arena.bots.launcher import Launcher, PreparedBot


def prepare_stored(package: bytes, digest: bytes, owner: str, launcher: Launcher) -> PreparedBot:
    """Unpack and build the bot that `owner` submitted as this archive.

    Raises what `Launcher.prepare` raises, `ArchiveError`, and OSError when the system has no room.
    """
    folder = open_folder(unpack(package, launcher.scratch()))
    return launcher.prepare(BotFolder(folder.path, folder.manifest, digest, owner))
