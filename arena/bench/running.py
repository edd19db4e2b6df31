"""Measuring programs as whoever asks them sees them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import cast

from arena.fleet.child import Child

END_S = 10.0
"""A program has this long to end what it has started."""


class MeasuringFailed(Exception):  # noqa: N818  reads as what it is
    """A measuring program failed; the message says which, and why."""


class Program:
    """A program that is running; `name` is for messages."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.name = name
        self._is_busy = False
        self._child = Child("it", command, environment)

    def figures(self) -> dict[str, float]:
        """The next figures; raises MeasuringFailed."""
        self._is_busy = True
        with suppress(OSError):
            self._child.input.write(b"\n")
            self._child.input.flush()
        line = self._child.output.readline()
        self._is_busy = False
        if not line:
            raise MeasuringFailed(f"measuring {self.name} failed: {self._child.last_words()}")
        return cast(dict[str, float], json.loads(line))

    def close(self) -> None:
        """End it, also in the middle of its work, with all that it has started."""
        self._child.begin_end()
        if self._is_busy:
            self._child.interrupt()
        self._child.end(END_S)
