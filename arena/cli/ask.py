"""`arena bots ask`: puts one turn to a bot, from a file or out of a stored match, and judges what it answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.check import WHICH_BOT
from arena.cli.errors import FAILED, Misuse
from arena.cli.options import Remotes
from arena.cli.output import console, error_console, plain, print_json


def ask(
    bot: Annotated[str, typer.Argument(metavar="PATH|ARCHIVE|ADDRESS|NAME", help=WHICH_BOT, show_default=False)],
    turn_file: Annotated[
        Path | None, typer.Argument(metavar="[TURN.JSON]", help="The turn, a TakeTurnRequest.", show_default=False)
    ] = None,
    match: Annotated[
        str | None, typer.Option(metavar="ID", help="Ask a turn of this stored match.", show_default=False)
    ] = None,
    turn: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Which one, as `arena replay` counts.", show_default=False)
    ] = None,
    remotes: Remotes = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document, with the answer.")] = False,
) -> None:
    """Ask a bot one turn, and show what it sees, what it answers, and whether that is legal.

    The turn lies in a file (`arena bots check` writes some, proto/README.md has their form), or is one of a finished
    match, whoever played it. The bot has the time that the question gives it. Exit code 1 tells of a fault.
    """
    from arena.cli.ask_report import document, show
    from arena.cli.asking import from_file, from_match, put
    from arena.cli.given import kept
    from arena.cli.stopping import stopping_cleanly

    if (turn_file is None) == (match is None) or (match is None) != (turn is None):
        raise Misuse("name a file with a turn, or a turn of a match with --match ID --turn N")
    asked = from_file(turn_file) if turn_file is not None else from_match(match or "", turn or 0)
    with stopping_cleanly(), kept() as keeping:
        if keeping.note:
            error_console().print(plain(keeping.note), soft_wrap=True)
        answered = put(asked, bot, remotes, keeping.launcher)
    if json:
        print_json(document(asked, answered))
    else:
        for line in show(asked, answered):
            console().print(line, soft_wrap=True)
    if any(judgement.fault for judgement in answered.judgements):
        raise typer.Exit(FAILED)
