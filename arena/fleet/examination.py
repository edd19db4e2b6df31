"""An examination as its caller sees it: a process of its own, which a strange bot cannot hold up for ever."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from threading import Timer
from typing import Self

from arena.fleet.child import FrameChild
from arena.fleet.frames import Frame

CALLED = "the archive"
"""What messages call what was sent, whose name nobody trusts."""

MOST_S = 600.0
"""A build, a check and matches are over long before."""


class Said(StrEnum):
    """What a frame tells: `bot` (its name, version and id, and as blob the package to store), a `step` of the check
    (see `arena.bots.conformance.document`), that it is `refused` with the reason, or that all is `done`."""

    BOT = "bot"
    STEP = "step"
    REFUSED = "refused"
    DONE = "done"


class ExaminationError(Exception):
    """The examination ended before it was done, through no fault of the bot; the message says how."""


class Examination:
    """One archive of `owner` being examined; end it, or use it in a `with`."""

    def __init__(self, archive: Path, owner: str, most_s: float = MOST_S) -> None:
        wanted = {"archive": str(archive), "owner": owner}
        self._child = FrameChild("the examination", "arena.fleet.examiner", wanted)
        self._too_late = Timer(most_s, self._child.kill)
        self._too_late.daemon = True
        self._too_late.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def frames(self) -> Iterator[Frame]:
        """What is found out, until it is `refused` or `done`; raises ExaminationError when it ends before."""
        while (frame := self._child.read()) is not None:
            yield frame
            if frame.head["said"] in (Said.REFUSED, Said.DONE):
                return
        raise ExaminationError(self._child.last_words())

    def kill(self) -> None:
        """End it at once, from any thread; `end` is still needed. Its bots are ended by their guard."""
        self._child.kill()

    def end(self) -> None:
        """End it in whatever it is doing, and wait for that."""
        self._too_late.cancel()
        self._child.end()
