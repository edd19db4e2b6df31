"""Which of the bots that nobody named can be built and started here: the others are left out, with the reason."""

from __future__ import annotations

import threading
from pathlib import Path

from arena.bots.errors import BuildError, StartError
from arena.bots.launcher import Launcher, PreparedBot
from arena.bots.manifest import load_manifest
from arena.bots.ring import OutputRing
from arena.cli.choosing import Bot, Choice, check_enough
from arena.cli.submitted import source


def those_able(choice: Choice, launcher: Launcher, seats: int, *, started: bool) -> Choice:
    """The bots of a choice that can be built and, with `started`, started; of the others `left_out` tells.

    Without it, one that does not start is withdrawn from the tournament, where its author finds out why. Raises Misuse
    when fewer than `seats` are left, and what `source` raises but for a build that fails.
    """
    able: list[Bot] = []
    unable: list[str] = []
    for bot in choice.bots:
        try:
            _try(bot, launcher, started=started)
            able.append(bot)
        except (StartError, BuildError) as error:
            unable.append(f"{bot.label} ({error.reason.removeprefix(f'{bot.name}: ')})")
    if not unable:
        return choice
    told = f"Left out, since they cannot {'start' if started else 'be built'} here: {', '.join(unable)}."
    return check_enough(Choice(tuple(able), choice.notes, f"{choice.left_out} {told}".lstrip()), seats)


def _try(bot: Bot, launcher: Launcher, *, started: bool) -> None:
    """Build a bot, and start it once if it is to be `started`; one at an address has answered already."""
    folder = source(bot, launcher)
    if started and isinstance(folder, Path):
        prepared = PreparedBot(load_manifest(folder), bot.digest, folder)
        launcher.start(prepared, OutputRing(), threading.Event()).end()
