"""`python -m arena.fleet.examiner`: one bot of a stranger, examined in a process of its own that tells each step.

It reads a frame with what to examine and writes frames with what it finds: see `arena.fleet.examination`, which is the
other end. Bots run in its sandbox only. It ends at once when its input ends, and its bots with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from arena.bots.conformance import document
from arena.bots.errors import BotError
from arena.bots.folders import discover
from arena.bots.launcher import Launcher
from arena.bots.probe import offered
from arena.bots.stored import open_archive
from arena.fleet.child import Parent
from arena.fleet.examination import CALLED, Said
from arena.fleet.examining import examine, packed, ready
from arena.fleet.frames import Frame, write_frame
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
    parent = Parent()
    parent.follow(heard=lambda _: None, close=lambda: None)  # the bots' guard ends them
    for frame in examined(Path(parent.first["archive"]), parent.first["owner"]):
        write_frame(parent.reports, frame.head, frame.blob)


if __name__ == "__main__":
    main()
