"""Runs the measurements, keeps their results and writes them into the page: `python -m tests.benchmarks [NAME …]`.

With `--table` it measures nothing and only writes the page from the results that are kept.
"""

from __future__ import annotations

import sys
from typing import Any

from rich.text import Text

from arena.bench.circumstances import circumstances
from arena.cli.output import console, new_table
from arena.cli.speed import show
from tests.benchmarks.registry import BENCHMARKS
from tests.benchmarks.report import keep, write_page


def main(names: list[str]) -> None:
    if names == ["--table"]:
        write_page()
        return
    unknown = sorted(set(names) - set(BENCHMARKS))
    if unknown:
        sys.exit(f"no benchmark {unknown[0]!r}: there are {', '.join(BENCHMARKS)}")
    found = {}
    for name in names or BENCHMARKS:
        sys.stderr.write(f"measuring {name}\n")
        where = circumstances()
        found[name] = {"found": BENCHMARKS[name]()} | where
        keep(name, found[name])
        write_page()
    for name, result in found.items():
        tell(name, result)


def tell(name: str, result: dict[str, Any]) -> None:
    out = console()
    if name == "speed":
        show(result["found"] | result)
        out.print()
        return
    table = new_table("measure", "found", right=["found"])
    for measure, value in result["found"].items():
        table.add_row(measure, str(value))
    out.print(Text(name, "bold"), table, "", sep="\n")


main(sys.argv[1:])
