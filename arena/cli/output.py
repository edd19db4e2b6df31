"""How commands speak: tables and lines for people, one JSON document for programs, and the texts of strangers made
harmless before they reach a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from arena.rating.figures import DASH
from arena.tournament.labels import harmless

LEAST_WIDTH = 72
"""A table is never made narrower: a narrow terminal breaks its lines, which is better than losing columns."""


def examples(*commands: str) -> str:
    """The end of a command's help: what one might type, a line each."""
    return escape("\n".join(["Examples:", *(f"  $ {command}" for command in commands)]))


def console() -> Console:
    """Standard output; colours only on a terminal, and not when NO_COLOR is set."""
    out = Console(highlight=False, emoji=False)
    out.width = max(out.width, LEAST_WIDTH)
    return out


def error_console() -> Console:
    """Standard error: what is said beside a command's result."""
    return Console(stderr=True, highlight=False, emoji=False)


def count(number: int, thing: str, things: str = "") -> str:
    """A number of things: `1 match`, `3 matches` (with `things` where the plural is not made with an s)."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def faults_text(faults: int, fault_matches: int, matches: int) -> str:
    """Faults and the share of matches in which they were: `30 in 10 (100 %)`, `0`, and a dash without matches."""
    if not matches:
        return DASH
    return f"{faults} in {fault_matches} ({100 * fault_matches / matches:.0f} %)" if faults else "0"


def plain(text: str) -> Text:
    """A text of strangers as it is: no markup in it means anything."""
    return Text(harmless(text))


def print_json(document: Any) -> None:
    """Write one JSON document in ASCII; raises ValueError for NaN and infinity, which JSON does not know."""
    typer.echo(json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False))


def new_table(*columns: str, right: Iterable[str] = ()) -> Table:
    """An empty table with these columns; those named in `right` hold numbers."""
    numbers = set(right)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        is_number = column in numbers
        table.add_column(column, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    return table
