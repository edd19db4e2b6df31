"""Examinations that find what a test says, in place of those that start bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any, Self

from arena.fleet.examination import Examination, ExaminationError, Said
from arena.fleet.frames import Frame

NASTY = '<script>alert(1)</script> & "fox" &quot;\u202egnp.exe\N{FOX FACE}'
GOOD = {"step": "start", "summary": "it starts", "figures": {}, "findings": []}
WRONG = {
    "step": "turns",
    "summary": NASTY,
    "figures": {},
    "findings": [{"error": True, "what": f"it cheats {NASTY}", "expected": NASTY, "said": [NASTY, "\x1b[31mred"]}],
}
LATE = {**WRONG, "step": "matches"}


class Scripted(Examination):
    """An examination that finds what a test says, as soon as it may."""

    def __init__(self, frames: Sequence[Frame], go: Event) -> None:
        self._frames = frames
        self._go = go
        self._killed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def kill(self) -> None:
        self._killed = True
        self._go.set()

    def frames(self) -> Iterator[Frame]:
        assert self._go.wait(30)
        if self._killed:
            raise ExaminationError("killed")
        yield from (Frame(dict(frame.head), frame.blob) for frame in self._frames)
        if not self._frames or self._frames[-1].head["said"] not in (Said.DONE, Said.REFUSED):
            raise ExaminationError("it ended with status 1")


class Examiners:
    """Makes such examinations; what they find may be changed between two of them."""

    def __init__(self) -> None:
        self.go = Event()
        self.go.set()
        self.found: Sequence[Frame] = found()
        self.archives: list[bytes] = []

    def __call__(self, archive: Path, owner: str) -> Examination:
        self.archives.append(archive.read_bytes())
        return Scripted(self.found, self.go)


def found(*steps: dict[str, Any], name: str = "fox", files: int = 1) -> list[Frame]:
    """What an examination tells of a bot that shows these steps."""
    bot = Frame({"said": Said.BOT, "name": name, "version": "1.0", "id": bytes([files] * 32).hex()}, b"package")
    return [
        bot,
        *(Frame({"said": Said.STEP, **step}, b"") for step in steps or (GOOD,)),
        Frame({"said": Said.DONE}, b""),
    ]


def refused(reason: str) -> list[Frame]:
    return [Frame({"said": Said.REFUSED, "reason": reason}, b"")]
