"""Measuring programs as whoever asks them sees them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, cast

END_S = 10.0
"""A program has this long to end what it has started."""


class MeasuringFailed(Exception):  # noqa: N818  reads as what it is
    """A measuring program failed; the message says which, and why."""


class Program:
    """A program that is running; `name` is for messages."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.name = name
        self._busy = False
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed with the program
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            start_new_session=True,
            env={**os.environ, **environment},
        )

    def figures(self) -> dict[str, float]:
        """The next figures; raises MeasuringFailed."""
        asked, answers = cast(IO[str], self._process.stdin), cast(IO[str], self._process.stdout)
        self._busy = True
        with suppress(OSError):
            asked.write("\n")
            asked.flush()
        line = answers.readline()
        self._busy = False
        if not line:
            raise MeasuringFailed(f"measuring {self.name} failed: {self._last_words()}")
        return cast(dict[str, float], json.loads(line))

    def close(self) -> None:
        """End it, also in the middle of its work, with all that it has started."""
        with suppress(OSError):
            cast(IO[str], self._process.stdin).close()
        if self._busy:
            self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        cast(IO[str], self._process.stdout).close()
        self._errors.close()

    def _last_words(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read()[-2000:].decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"it ended with status {self._process.returncode}"
