"""`arena bots check`: all that is wrong with a bot, in about a minute, each thing with the command that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import FAILED
from arena.cli.options import MACHINE, Remotes, option
from arena.cli.output import console, error_console, plain, print_json

if TYPE_CHECKING:
    from arena.bots.conformance import StepReport
    from arena.bots.launcher import Launcher
    from arena.cli.check_report import Told

WHICH_BOT = "A folder, an archive, an address, or the name of a bot here or of one that was submitted."


def check(
    bot: Annotated[str, typer.Argument(metavar="PATH|ARCHIVE|ADDRESS|NAME", help=WHICH_BOT, show_default=False)],
    turns: Annotated[
        Path | None,
        option(MACHINE, "Where turns are written that show what is wrong; default: a cache.", metavar="FOLDER"),
    ] = None,
    remotes: Remotes = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Find out in about a minute what is wrong with a bot: in the sandbox, as it is played.

    It is started, asked 50 fixed turns that go through every corner of the rules, alone, in another order and many in
    a call, measured, and plays ten quick matches against sample bots. What is wrong is told with the command that asks
    that very turn again. Warnings are no failure.
    """
    from arena.cli.check_report import Told, document, verdict
    from arena.cli.given import kept
    from arena.cli.stopping import stopping_cleanly

    began = monotonic()
    with stopping_cleanly(), kept() as keeping:
        if keeping.note:
            error_console().print(plain(keeping.note), soft_wrap=True)
        told = Told(bot, turns, quiet=json)
        for report in _reports(bot, remotes, keeping.launcher, told):
            told.tell(report)
    seconds = monotonic() - began
    if json:
        print_json(document(told, seconds))
    else:
        console().print(verdict(told, seconds))
    if told.errors:
        raise typer.Exit(FAILED)


def _reports(word: str, remotes: Path | None, launcher: Launcher, told: Told) -> Iterator[StepReport]:
    """All steps, one after the other; of a bot that cannot be read or built there is one."""
    from arena.bots.conformance import Finding, Step, StepReport
    from arena.bots.errors import ArchiveError, BuildError, ManifestError, PackageError
    from arena.bots.folders import discover
    from arena.bots.remote import Access, RemoteBot
    from arena.cli.given import find, ready
    from arena.fleet.examining import examine
    from arena.settings import sample_bots

    try:
        bot = find(word, remotes, launcher)
        label = str(bot.address) if isinstance(bot, Access) else bot.label
        elsewhere = isinstance(bot, Access | RemoteBot)
        told.meet(label, bot.digest, "none, it runs elsewhere" if elsewhere else launcher.sandbox)
        began = monotonic()
        given = ready(bot, launcher)
    except (ManifestError, PackageError, ArchiveError) as error:
        yield StepReport(Step.FILES, "cannot be used", {}, (Finding(True, str(error)),))
        return
    except BuildError as error:
        what = error.reason if error.output else str(error)
        yield StepReport(Step.FILES, "cannot be built", {}, (Finding(True, what, said=error.output),))
        return
    quick = [one for one in discover([sample_bots()]) if one.manifest.quick]
    yield from examine(given, launcher, quick, monotonic() - began)
