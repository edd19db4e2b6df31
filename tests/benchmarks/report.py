"""What lies in `results/` as the tables of the page here, so that page and results cannot differ."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from arena.bench.table import COLUMNS, NOTE, rows
from arena.cli.output import count

HERE = Path(__file__).parent
RESULTS = HERE / "results"
PAGE = HERE / "README.md"
BEGIN, END = "<!-- written by `python -m tests.benchmarks --table` -->\n", "<!-- end -->\n"


def results() -> dict[str, dict[str, Any]]:
    """What was kept, by the benchmark's name, speed first."""
    names = sorted((path.stem for path in RESULTS.glob("*.json")), key=lambda name: (name != "speed", name))
    return {name: json.loads((RESULTS / f"{name}.json").read_text()) for name in names}


def keep(name: str, result: dict[str, Any]) -> None:
    """Put a result in the place of the one before."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(result, indent=2) + "\n")


def write_page() -> None:
    """Put the tables of all results into the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(before + BEGIN + tables() + END + rest.partition(END)[2])


def tables() -> str:
    """All results, a section each."""
    return "".join(f"\n### `{name}`\n{circumstances(one)}\n\n{table(name, one)}" for name, one in results().items())


def circumstances(result: dict[str, Any]) -> str:
    """One line on where and with what."""
    machine, versions = result["machine"], result["versions"]
    load = f", load {machine['load']}" if "load" in machine else ""
    return (
        f"{count(machine['cores'], 'core')} of {machine['processor']}{load}, Python {versions['python']}, "
        f"gRPC {versions['grpcio']}, {result['when'][:16].replace('T', ' ')} UTC, commit {result['commit'][:7]}."
    )


def table(name: str, result: dict[str, Any]) -> str:
    """One result."""
    found = result["found"]
    if name != "speed":
        return markdown(("measure", "found"), ((measure, str(value)) for measure, value in found.items()))
    note = NOTE.format(rounds=count(found["rounds"], "round"))
    missing = f"\nNot measured: {'; '.join(found['not_measured'])}.\n" if found["not_measured"] else ""
    return f"{note}\n\n{markdown(COLUMNS, speed_cells(found))}{missing}"


def speed_cells(found: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for depth, *cells in rows(found):
        first = str(cells[0])
        yield (f"**{first}**" if depth == 0 else "&emsp;" * (int(depth) - 1) + first, *map(str, cells[1:]))


def markdown(columns: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    heads = list(columns)
    head = [heads, ["---"] * len(heads)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (*head, *map(list, lines)))
