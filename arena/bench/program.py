"""A program that measures: `python -m arena.bench.program KIND …` answers each line with figures, a JSON object.

Between two lines it does nothing, so that many of them can take turns.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import closing, suppress
from importlib import import_module
from typing import cast

from arena.bench.other_games import answer

KINDS = {
    "rules": "rules",
    "in process": "in_process",
    "cores": "cores",
    "ping": "pings",
    "turn": "turns",
    "tournament": "tournaments",
    "memory": "memory",
}
"""The module that measures each kind; only that one is loaded, since the others would take memory and time."""


def measuring(kind: str, *numbers: str) -> Generator[dict[str, float]]:
    """The figures of a kind; the last number is the seconds that one of them may take, those before it its sizes."""
    *sizes, seconds = numbers
    figures = import_module(f"arena.bench.{KINDS[kind]}").measure(*map(int, sizes), float(seconds))
    return cast(Generator[dict[str, float]], figures)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt), closing(measuring(*sys.argv[1:])) as figures:
        answer(figures, sys.stdin, sys.stdout)
