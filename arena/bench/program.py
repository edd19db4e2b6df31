"""A program that measures: `python -m arena.bench.program KIND …` answers each line with figures, a JSON object.

Between two lines it does nothing, so that many of them can take turns.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import closing, suppress

from arena.bench import in_process, memory, pings, rules, tournaments, turns
from arena.bench.other_games import answer


def measuring(kind: str, *numbers: str) -> Generator[dict[str, float]]:
    """The figures of a kind; the last number is the seconds that one of them may take, those before it its sizes."""
    *sizes, seconds = numbers
    if kind == "ping":
        return pings.measure(int(sizes[0]), float(seconds))
    if kind == "turn":
        return turns.measure(int(sizes[0]), float(seconds))
    if kind == "tournament":
        return tournaments.measure(int(sizes[0]), int(sizes[1]), float(seconds))
    if kind == "in process":
        return in_process.measure(int(sizes[0]), float(seconds))
    return rules.measure(float(seconds)) if kind == "rules" else memory.measure()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt), closing(measuring(*sys.argv[1:])) as figures:
        answer(figures, sys.stdin, sys.stdout)
