"""Trying a bot out before it is taken in: it must start where it is to play, and say who it is."""

from __future__ import annotations

from queue import SimpleQueue

from arena.bots.errors import StartError
from arena.bots.folders import BotFolder
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.wire.client import Description


def try_out(bot: BotFolder, launcher: Launcher) -> Description:
    """What the bot says of itself when it is started once.

    Raises what `Launcher.prepare` raises, and `StartError`, with the bot's own last words, when it does not come up.
    """
    heard: SimpleQueue[str | Exception] = SimpleQueue()
    player = ProcessPlayer(launcher.prepare(bot), launcher, heard.put, lambda _, problem, __: heard.put(problem))
    try:
        player.prepare()
        came = heard.get()
    finally:
        player.close()
    if isinstance(came, Exception):
        raise came
    if came or player.description is None:
        raise StartError(f"{bot.label} cannot be started: {came}")
    return player.description
