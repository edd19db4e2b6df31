"""The measurements by name, in the order in which they run."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def _later(name: str) -> Callable[[], dict[str, Any]]:
    """`run` of a module that is loaded only then: some take long."""
    return lambda: dict(import_module(f"tests.benchmarks.{name}").run())


NAMES = (
    "speed",
    "turn",
    "crowd",
    "wire_costs",
    "clock",
    "informed",
    "luck",
    "ladder",
    "planner_vs_greedy",
    "rating_scale",
    "store_scale",
    "pages",
    "readers",
    "training",
)
BENCHMARKS = {name: _later(name) for name in NAMES}
