"""`arena verify`: check the cards and the judging of an export, or of a tournament in the database."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from arena.cli.errors import FAILED, Misuse
from arena.cli.options import StopAtEof
from arena.cli.output import console, count, print_json
from arena.cli.places import results
from arena.cli.stopping import stop_at_eof
from arena.tournament.labels import harmless
from arena.tournament.ports import BlockState

if TYPE_CHECKING:
    from arena.store.repository import MissingBlock, StoredTournament
    from arena.tournament.checks.report import Report
    from arena.tournament.rounds import Round

STANDARD_INPUT = "-"

MOST_SHOWN = 20
"""So many problems are told on the screen; JSON has them all."""


def verify(
    name: Annotated[
        str,
        typer.Argument(
            metavar="ID|FILE", help="A file (- is standard input), or a tournament's id or name.", show_default=False
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="The report as JSON.")] = False,
    stops: StopAtEof = False,
) -> None:
    """Check that the cards and the judging were right; exit code 1 when something does not hold.

    A file needs neither database nor bots. Of a tournament in the database also its planned blocks must be there.
    """
    if stops:
        if name == STANDARD_INPUT:
            raise Misuse("the export on the standard input ends with it: leave out --stop-at-eof")
        stop_at_eof()
    report = _of_file(name) if _is_file(name) else _of_tournament(name)
    if json:
        problems = [problem._asdict() for problem in report.problems]
        counts = {key: getattr(report, key) for key in ("matches", "blocks", "deals", "turns")}
        print_json({"ok": report.ok, **counts, "problems": problems, "notes": report.notes})
    else:
        _tell(report)
    if not report.ok:
        raise typer.Exit(FAILED)


def _is_file(name: str) -> bool:
    try:
        return name == STANDARD_INPUT or (name != "" and Path(name).exists())
    except OSError:  # a name that no file can have
        return False


def _of_file(name: str) -> Report:
    from arena.tournament.verify import verify as verify_lines

    if name == STANDARD_INPUT:
        return _of_export(verify_lines(sys.stdin.buffer), "the standard input")
    path = Path(name)
    if path.is_dir():
        raise Misuse(f"{path} is a folder: name an export, or a tournament")
    try:
        with path.open("rb") as lines:
            return _of_export(verify_lines(lines), str(path))
    except OSError as error:
        raise Misuse(f"{path} cannot be read ({error.strerror}): name an export that can") from error


def _of_export(report: Report, name: str) -> Report:
    """The report of a file that has at least one match; Misuse when it was never meant to have any."""
    if not report.matches:
        raise Misuse(
            f"{name} is no export, since no line of it is a match ({report.problems[0]}): "
            "name a file that `arena export` wrote"
        )
    return report


def _of_tournament(name: str) -> Report:
    from arena.cli.records import tournament_lines
    from arena.store.errors import StoreError
    from arena.tournament.planning import grows
    from arena.tournament.verify import verify as verify_lines

    with ExitStack() as opened:
        try:
            store = opened.enter_context(results())
            stored = store.tournaments.tournament(name)
        except StoreError as error:
            raise Misuse(f"there is no file {name!r}, and {error}") from error
        unplayed = store.tournaments.missing(stored.tournament.id)
        withdrawn = [state for state in store.tournaments.entries(stored.tournament.id) if state.withdrawn is not None]
        gone = {state.entry.digest for state in withdrawn}
        rounds = store.tournaments.rounds(stored.tournament.id) if grows(stored.tournament) else ()
        report = verify_lines(tournament_lines(store, stored), _planned(stored, rounds, unplayed, gone))
    if gone and len(rounds) > 1:
        report.note("bots were withdrawn, so only the first round was planned again and compared")
    for state in withdrawn:
        report.note(
            f"{state.entry.name} {state.entry.version} was withdrawn, so blocks with it are missing: {state.withdrawn}"
        )
    for block in unplayed:
        if block.state is BlockState.QUARANTINED:
            report.note(f"block {block.block.block_id.hex()} failed too often and was given up: {block.reason}")
    return report


def _planned(
    stored: StoredTournament, rounds: Sequence[Round], unplayed: Iterable[MissingBlock], gone: Collection[bytes]
) -> Iterator[bytes]:
    """The ids of the blocks that ought to be there: the plan made again, without the blocks of withdrawn bots.

    Of a plan that grew each round is made again from those before it, but only where all bots stayed: a round depends
    on who was withdrawn before it, which nobody knows afterwards.
    """
    from arena.tournament.planning import next_round

    withdrawn = {block.block.block_id for block in unplayed if block.state is BlockState.WITHDRAWN}
    again = 1 if gone else len(rounds) + (stored.finished is not None)
    for number in range(max(1, again)):
        for block in next_round(stored.tournament, rounds[:number]):
            if block.block_id not in withdrawn:
                yield block.block_id


def _tell(report: Report) -> None:
    out = console()
    for problem in report.problems[:MOST_SHOWN]:
        out.print(Text(harmless(str(problem))), soft_wrap=True)
    if (more := len(report.problems) - MOST_SHOWN) > 0:
        out.print(f"and {count(more, 'problem')} more: see --json")
    for note in report.notes:
        out.print(Text(f"note: {harmless(note)}", "dim"), soft_wrap=True)
    out.print(
        f"Checked {count(report.matches, 'match', 'matches')} in {count(report.blocks, 'block')}, "
        f"{count(report.deals, 'deal')}, {count(report.turns, 'turn')}: "
        "seeds and seats, every card, legality, faults and substituted plays, points and places, complete blocks."
    )
    if report.ok:
        out.print("Everything holds.", style="bold green")
    else:
        out.print(f"{count(len(report.problems), 'problem')} found.", style="bold red")
