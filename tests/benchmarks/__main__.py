"""Runs the measurements and keeps their results: `python -m tests.benchmarks [NAME …]`."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.benchmarks import (
    clock,
    informed,
    large_plan,
    pings,
    planner_vs_greedy,
    rating_scale,
    rules,
    store_scale,
    tournaments,
    turn,
    wire_costs,
)

RESULTS = Path(__file__).parent / "results"
LIBRARIES = ("grpcio", "numpy", "protobuf", "scipy")
BENCHMARKS: dict[str, Callable[[], dict[str, Any]]] = {
    "clock": clock.run,
    "informed": informed.run,
    "large_plan": large_plan.run,
    "pings": pings.run,
    "planner_vs_greedy": planner_vs_greedy.run,
    "rating_scale": rating_scale.run,
    "rules": rules.run,
    "store_scale": store_scale.run,
    "tournaments": tournaments.run,
    "turn": turn.run,
    "wire_costs": wire_costs.run,
}


def main(names: list[str]) -> None:
    unknown = sorted(set(names) - set(BENCHMARKS))
    if unknown:
        sys.exit(f"no benchmark {unknown[0]!r}: there are {', '.join(BENCHMARKS)}")
    console = Console()
    for name in names or BENCHMARKS:
        found = BENCHMARKS[name]()
        table = Table("measure", "found", title=name)
        for measure, value in found.items():
            table.add_row(measure, str(value))
        console.print(table)
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}.json").write_text(json.dumps({"found": found} | circumstances(), indent=2) + "\n")


def circumstances() -> dict[str, Any]:
    """Where and with what it was measured."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    return {
        "machine": {"system": platform.platform(), "processor": processor(), "cores": os.cpu_count()},
        "versions": {"python": platform.python_version()} | {library: version(library) for library in LIBRARIES},
        "commit": commit,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def processor() -> str:
    """The model's name where the system tells it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor())


main(sys.argv[1:])
