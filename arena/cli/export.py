"""`arena export`: finished matches as text that anybody can check without this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import CommandFailed, Misuse
from arena.cli.output import count, error_console
from arena.cli.places import results

if TYPE_CHECKING:
    from arena.store.results import Results

STANDARD_OUTPUT = "-"


def export(
    name: Annotated[
        str,
        typer.Argument(metavar="ID", help="A tournament's id or name, or a match as listed.", show_default=False),
    ],
    out: Annotated[str, typer.Option(metavar="FILE", help="Where to write; - is standard output.", show_default=False)],
) -> None:
    """Export a tournament or a match: one JSON object a match and line, of finished blocks only.

    The secret behind the cards is in it as soon as the tournament is finished.
    """
    with results() as store:
        if out != STANDARD_OUTPUT:
            _check(Path(out), store.path)
        lines = _lines(store, name)
        written = _copy(lines, sys.stdout) if out == STANDARD_OUTPUT else _write(lines, Path(out))
    error_console().print(f"exported {count(written, 'match', 'matches')}", markup=False)


def _lines(store: Results, name: str) -> Iterator[str]:
    """The lines to write; CommandFailed when there is none yet."""
    from arena.cli.records import tournament_lines
    from arena.store.exporting import match_line

    if "/" in name:
        match = store.matches.find(name)
        return iter([match_line(match, store.tournaments.tournament(match.tournament))])
    return tournament_lines(store, store.tournaments.tournament(name))


def _check(path: Path, database: Path) -> None:
    """Misuse when an export cannot go to `path`, or would destroy what it comes from."""
    try:
        if path.is_dir():
            raise Misuse(f"{path} is a folder: name a file")
        if not path.parent.is_dir():
            raise Misuse(f"the folder {path.parent} does not exist: make it, or name another file")
        if path.exists() and path.samefile(database):
            raise Misuse(f"{path} is the database itself: name another file")
    except OSError as error:
        raise Misuse(f"{path} cannot be written ({error.strerror}): name another file") from error


def _write(lines: Iterable[str], path: Path) -> int:
    """Write to a file as a whole or not at all: beside it first, then in its place. Devices are written to directly."""
    if path.exists() and not path.is_file():
        with path.open("w", encoding="ascii") as stream:
            return _copy(lines, stream)
    target = path.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with beside.open("x", encoding="ascii") as stream:
            count = _copy(lines, stream)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(target)
    except OSError as error:
        raise CommandFailed(f"{path} cannot be written ({error.strerror}): nothing was left there") from error
    finally:
        beside.unlink(missing_ok=True)
    return count


def _copy(lines: Iterable[str], stream: IO[str]) -> int:
    count = 0
    for line in lines:
        stream.write(f"{line}\n")
        count += 1
    return count
