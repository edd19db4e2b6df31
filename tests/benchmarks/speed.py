"""`arena bench speed`, whole: every figure of speed beside yardsticks of the same run."""

from __future__ import annotations

import sys
from typing import Any

from arena.bench.measures import parts
from arena.bench.speed import other_games
from arena.bench.speed import run as measure
from arena.cli.speed import ROUNDS, SECONDS


def run() -> dict[str, Any]:
    """Its report."""
    return measure(list(parts(1)), ROUNDS, SECONDS, other_games(), tell)


def tell(this: int, what: str) -> None:
    """Say how far it is."""
    sys.stderr.write(f"round {this} of {ROUNDS}: {what}\n")
