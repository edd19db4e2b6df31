"""The entry of the `arena` command, and the place where its groups are put together."""

from __future__ import annotations

import logging
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from arena.cli import (
    ab,
    ask,
    bench,
    bot_log,
    bots,
    check,
    explain,
    export,
    matches,
    new_bot,
    play,
    rankings,
    rate,
    replay,
    retire,
    rules,
    serve,
    speed,
    submit,
    tokens,
    tournament_run,
    tournaments,
    verify,
)
from arena.cli.errors import FAILED, exit_code, one_line
from arena.cli.output import examples
from arena.tournament.labels import harmless

PLAINER = {
    ": Value error, ": ": ",
    "Input should be greater than or equal to": "it must be at least",
    "Input should be less than or equal to": "it must be at most",
    "Input should be": "it must be",
}
"""What the library that reads the command line says of a value, and how we say it."""

INTERRUPTED = 130
"""What Typer returns after Ctrl-C."""

app = typer.Typer(
    help="The tournament arena for bots that play Least Score.",
    epilog=examples("arena tournament run", "arena rankings", "arena replay ID"),
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    add_completion=False,
    pretty_exceptions_enable=False,
)
tournaments.app.command(
    epilog=examples("arena tournament run", "arena tournament run greedy my_bots/fox --seats 2 --deals 50 --workers 2")
)(tournament_run.run)
tournaments.app.command(epilog=examples("arena tournament resume", "arena tournament resume ID moved/fox"))(
    tournament_run.resume
)
tournaments.app.command(epilog=examples("arena tournament finish", "arena tournament finish ID"))(tournament_run.finish)
app.add_typer(tournaments.app, name="tournament")
bots.app.command(epilog=examples("arena bots new fox", "arena bots new hare --language javascript"))(new_bot.new)
bots.app.command(epilog=examples("arena bots check my_bots/fox", "arena bots check fox-1.2.tar.gz --json"))(check.check)
bots.app.command(epilog=examples("arena bots ask my_bots/fox turn.json", "arena bots ask fox --match ID --turn 14"))(
    ask.ask
)
bots.app.command(epilog=examples("arena bots logs fox", "arena bots logs fox --tournament ID --json"))(bot_log.logs)
bots.app.command(epilog=examples("arena bots retire fox", "arena bots retire fox@1.0"))(retire.retire)
bots.app.command(epilog=examples("arena bots restore fox", "arena bots restore fox --tournament ID"))(bot_log.restore)
app.add_typer(bots.app, name="bots")
app.command(epilog=examples("arena submit my_bots/fox", "arena submit fox-1.2.tar.gz --owner Ada"))(submit.submit)
app.command(epilog=examples("arena ab my_bots/fox greedy", "arena ab fox-2 fox-1 --seats 4 --elo0 0 --elo1 5"))(ab.ab)
app.command(epilog=examples("arena rankings", "arena rankings ID --pairs", "arena rankings ID --json"))(
    rankings.rankings
)
app.command(epilog=examples("arena rate", "arena rate ID --check", "arena rate --from results.jsonl --anchor B=1500"))(
    rate.rate
)
app.command(epilog=examples("arena matches", "arena matches --bot greedy --limit 5 --json"))(matches.matches)
app.command(epilog=examples("arena replay ID", "arena replay ID --seat 0 --deal 2"))(replay.replay)
app.command(epilog=examples("arena explain ID", "arena explain ID --turn 7", "arena explain ID --seat 0 --json"))(
    explain.explain
)
app.command(
    epilog=examples("arena play", "arena play planner my_bots/fox --threshold 25", "arena play random --seat 1")
)(play.play)
app.command(epilog=examples("arena export ID --out FILE", "arena export ID --out - | head -1"))(export.export)
app.command(epilog=examples("arena verify FILE", "arena verify ID --json"))(verify.verify)
app.command(
    epilog=examples("arena serve", "arena serve --port 0", "arena serve --host 0.0.0.0 --allow-host arena.example")
)(serve.serve)
app.add_typer(tokens.app, name="tokens")
app.add_typer(rules.app, name="rules")
bench.app.command(
    epilog=examples("arena bench speed", "arena bench speed --only rules --rounds 1 --seconds 0.1 --json")
)(speed.speed)
app.add_typer(bench.app, name="bench")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"arena {version('least-score-arena')}")
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """What stands before a command."""


def main() -> None:
    """Run the command line and exit with 0 (done), 1 (failed) or 2 (misuse)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # where a sign cannot be shown, show a mark
    logging.getLogger("sqlalchemy").addHandler(logging.NullHandler())  # what it logs it raises too, also a Ctrl-C
    sys.exit(run(sys.argv[1:]))


def command_line() -> typer.core.TyperGroup:
    """The whole command line, with the paragraphs of its help as lines of their own, for the terminal to wrap."""
    whole = typer.main.get_command(app)
    assert isinstance(whole, typer.core.TyperGroup)
    _unwrap(whole)
    return whole


def _unwrap(command: typer.core.TyperGroup) -> None:
    for inner in command.commands.values():
        if inner.help:
            inner.help = "\n\n".join(" ".join(part.split()) for part in inner.help.split("\n\n"))
        if isinstance(inner, typer.core.TyperGroup):
            _unwrap(inner)


def run(arguments: list[str]) -> int:
    """Run one command line; what went wrong is told on standard error in one line. Returns the exit code."""
    try:
        code = command_line()(arguments, prog_name="arena", standalone_mode=False)
    except typer.TyperException as error:
        return _misused(error)
    except (typer.Abort, KeyboardInterrupt):
        return _told("stopped", FAILED)
    except Exception as error:
        known = exit_code(error)
        if known is None:
            raise
        return _told(one_line(error), known)
    if code == INTERRUPTED:
        return _told("stopped", FAILED)
    return code if isinstance(code, int) else 0


def _misused(error: typer.TyperException) -> int:
    """Tell what is wrong with the command line itself; a group that was named alone has shown its help already."""
    if message := error.format_message():
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "arena"
        for words, plainer in PLAINER.items():
            message = message.replace(words, plainer)
        _told(f"{message.rstrip('.')}; see `{command} --help`", error.exit_code)
    return error.exit_code


def _told(message: str, code: int) -> int:
    typer.echo(f"arena: {harmless(message)}", err=True)
    return code
