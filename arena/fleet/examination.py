"""An examination as its caller sees it: a process of its own, which a strange bot cannot hold up for ever."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from threading import Timer
from typing import IO, BinaryIO, Self, cast

from arena.fleet.frames import Frame, read_frame, write_frame

CALLED = "the archive"
"""What messages call what was sent, whose name nobody trusts."""

MOST_S = 600.0
"""A build, a check and matches are over long before."""

END_S = 4.0
"""So long it has to end its bots by itself."""


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
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "arena.fleet.examiner"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
            env={**os.environ, "GRPC_VERBOSITY": "NONE"},
        )
        self._input = cast(BinaryIO, self._process.stdin)
        self._output = cast(BinaryIO, self._process.stdout)
        self._too_late = Timer(most_s, self._process.kill)
        self._too_late.daemon = True
        self._too_late.start()
        with suppress(OSError):  # that it is gone shows when it is read from
            write_frame(self._input, {"archive": str(archive), "owner": owner})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def frames(self) -> Iterator[Frame]:
        """What is found out, until it is `refused` or `done`; raises ExaminationError when it ends before."""
        while (frame := read_frame(self._output)) is not None:
            yield frame
            if frame.head["said"] in (Said.REFUSED, Said.DONE):
                return
        raise ExaminationError(self._last_words())

    def kill(self) -> None:
        """End it at once, from any thread; `end` is still needed. Its bots are ended by their guard."""
        self._process.kill()

    def end(self) -> None:
        """End it in whatever it is doing, and wait for that."""
        self._too_late.cancel()
        with suppress(OSError):
            self._input.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._output.close()
        self._errors.close()

    def _last_words(self) -> str:
        """The last line that it wrote to its standard error, or how it ended."""
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read()[-2000:].decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"the examination ended with status {self._process.returncode}"
