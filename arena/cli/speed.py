"""`arena bench speed`: how fast this arena is here, beside yardsticks of the same run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from arena.cli.errors import CommandFailed, Misuse
from arena.cli.output import console, count, error_console, new_table, print_json
from arena.cli.stopping import stopping_cleanly

if TYPE_CHECKING:
    from rich.status import Status
    from rich.table import Table

ROUNDS = 3
SECONDS = 2.0

NUMBERS = (9, 15, 9, 5)
"""The widths of the columns behind the first, and of the widest table."""
WIDEST = 100


@stopping_cleanly()
def speed(
    rounds: Annotated[int, typer.Option(min=1, max=1_000, metavar="N", help="Rounds through all measures.")] = ROUNDS,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=60, metavar="S", help="How long a figure takes in a round.")
    ] = SECONDS,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="rules, turn, tournament, engine, compiled or memory.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="A JSON object.")] = False,
) -> None:
    """Measure how fast this arena is on this machine, and its yardsticks in the same run.

    Rounds go through everything in turn, so that what disturbs one measure disturbs its yardstick too. `rules` is
    random play beside games of RLCard and OpenSpiel, `turn` one turn a call beside calls of gRPC that do nothing,
    `tournament` whole tournaments of greedy bots (some times as long as the other figures), `engine` the same with the
    engine that gRPC had before, `compiled` the rules and tournaments of the compiled arena, `memory` the coordinator
    with a plan of a million matches. All of it takes about ten minutes on two cores.
    """
    from arena.bench.circumstances import circumstances
    from arena.bench.measures import parts
    from arena.bench.running import MeasuringFailed
    from arena.bench.speed import other_games, run

    known = list(parts(1))
    names = only or known
    if unknown := [name for name in names if name not in known]:
        raise Misuse(f"'{unknown[0]}' is nothing that is measured: --only takes {', '.join(known)}")
    where = circumstances()  # the load is that of others
    with error_console().status("starting") as status:
        try:
            report = run(names, rounds, seconds, other_games(), _teller(status, rounds))
        except MeasuringFailed as error:
            raise CommandFailed(str(error)) from error
    found = report | where
    if json:
        print_json(found)
    else:
        show(found)


def _teller(status: Status, rounds: int) -> Callable[[int, str], None]:
    """Says what is measured now, and from the second round on how long it will still take."""
    began = time.monotonic()
    first_s = 0.0

    def tell(this: int, what: str) -> None:
        nonlocal first_s
        took = time.monotonic() - began
        if this == 1:
            first_s = took
        left_s = rounds * first_s - took
        left = f", about {count(round(left_s / 60) or 1, 'minute')} left" if this > 1 else ""
        status.update(f"round {this} of {rounds}: {what}{left}")

    return tell


def show(found: dict[str, Any]) -> None:
    """Print a report with its circumstances."""
    from arena.bench.table import COLUMNS, NOTE, rows

    machine = found["machine"]
    out = console()
    title = f"Speed on {count(machine['cores'], 'core')} of {machine['processor']}"
    out.print(Text(f"{title}, load {machine['load']}, sandbox {machine['sandbox']}", "bold"))
    table = _table(COLUMNS, out.width)
    for row in rows(found):
        if row.depth:
            table.add_row("  " * (row.depth - 1) + row.measure, *row[2:], style="dim" if row.depth > 1 else "")
            continue
        if table.row_count:
            out.print(table)
        out.print(Text(f"\n{row.measure}", "bold"))
        table = _table(("", *COLUMNS[1:]), out.width)
    out.print(table)
    out.print(Text(f"\n{NOTE.format(rounds=count(found['rounds'], 'round'))}", "dim"))
    if found["not_measured"]:
        games = "; ".join(found["not_measured"])
        out.print(
            Text(f"Not measured: {games}. In a checkout `make yardsticks` and `make compiled` bring them.", "dim")
        )


def _table(columns: Sequence[str], width: int) -> Table:
    """One of several with equal columns."""
    table = new_table(*columns, right=columns[1:-1])
    for column, characters in zip(table.columns[1:], NUMBERS, strict=True):
        column.width = characters
    table.columns[0].width = min(width, WIDEST) - sum(NUMBERS) - 2 * len(columns)
    return table
