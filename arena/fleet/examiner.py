"""`python -m arena.fleet.examiner`: one bot of a stranger, examined in a process of its own that tells each step.

It reads a frame with what to examine and writes frames with what it finds: see `arena.fleet.examination`, which is the
other end. Bots run in its sandbox only. It ends at once when its input ends, and its bots with it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from arena.bots.conformance import document
from arena.bots.errors import BotError
from arena.bots.folders import discover
from arena.bots.launcher import Launcher
from arena.bots.probe import offered
from arena.bots.stored import open_archive
from arena.fleet.examination import CALLED, Said
from arena.fleet.examining import examine, packed, ready
from arena.fleet.frames import Frame, read_frame, write_frame
from arena.match.limits import ProcessLimits
from arena.settings import sample_bots


def examined(archive: Path, owner: str) -> Iterator[Frame]:
    """What is found out about the bot in an archive, as it is found out."""
    level = offered().level
    if level == "none":
        yield _frame(Said.REFUSED, reason=f"there is no sandbox here: {offered().reason}")
        return
    with Launcher(ProcessLimits(), level) as launcher:
        try:
            bot, package = packed(open_archive(archive, CALLED, launcher.scratch()), owner, launcher)
            yield _frame(Said.BOT, package, name=bot.name, version=bot.version, id=bot.digest.hex())
            began = monotonic()
            given = ready(bot, launcher)
        except BotError as error:
            yield _frame(Said.REFUSED, reason=str(error))
            return
        quick = [one for one in discover([sample_bots()]) if one.manifest.quick]
        for report in examine(given, launcher, quick, monotonic() - began):
            yield _frame(Said.STEP, **document(report))
    yield _frame(Said.DONE)


def _frame(said: Said, blob: bytes = b"", **head: Any) -> Frame:
    return Frame({"said": said, **head}, blob)


def main() -> None:
    """Examine what the first frame names."""
    commands = os.fdopen(os.dup(0), "rb")
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # whatever a library prints must not get between the frames
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the server decides when to stop
    first = read_frame(commands)
    if first is None:
        return
    threading.Thread(target=_end_with, args=(commands,), daemon=True).start()
    for frame in examined(Path(first.head["archive"]), first.head["owner"]):
        write_frame(reports, frame.head, frame.blob)


def _end_with(commands: BinaryIO) -> None:
    """End the process when nobody listens any more; the bots' guard ends them."""
    commands.read()
    sys.stderr.flush()
    os._exit(1)


if __name__ == "__main__":
    main()
