"""`arena rate --from FILE`: rate results that were played elsewhere, without any database."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Literal

from rich.text import Text

from arena.cli.errors import Misuse
from arena.cli.output import console, count, print_json
from arena.cli.rating_table import notes_table, ratings_table
from arena.rating.documents import LONGEST_LINE, parse_results, report_document
from arena.rating.errors import BadResultsError
from arena.rating.notes import Note
from arena.rating.report import Report, rate
from arena.rating.results import Results
from arena.rating.wording import circle_notes, deals_notes, group_notes, reading_notes
from arena.tournament.export import FORMAT
from arena.tournament.labels import harmless

STANDARD_INPUT = "-"

EXPORT_BEGINS = 100
"""Within so many bytes a line of an export names its format: it may be longer than any line that is read here."""

EXPORT_GIVEN = (
    "--from was given an export, which holds whole matches: give results alone, as "
    """`jq -c '{block: .block_id, seats: [.seats[] | .bot + "@" + .version], places}' EXPORT` makes them of it"""
)

MOST_NOTES = 10
"""So many circles of bots are told below the table, the surest: there is no other page that has them."""

LARGEST_ANCHOR = 100_000
"""Elo points, to both sides; beyond it is a slip, and far beyond it all ratings would look alike."""


def rate_file(name: str, anchor: str | None, prior: float, cluster: str, *, json: bool) -> None:
    """Rate the results in a file and print them; Misuse for whatever is wrong with it or with the options."""
    scale = None if anchor is None else _anchor(anchor)
    if not math.isfinite(prior):
        raise Misuse(f"--prior is {prior}: give a number from 0 up")
    unit = _cluster(cluster)
    results = _read(name)
    if scale is not None and results.bots and not scale.keys() <= set(results.bots):
        raise Misuse(f"--anchor names {harmless(next(iter(scale)))!r}, but no bot in these results is called so")
    try:
        report = rate(results, anchor=scale, prior=prior, cluster=unit)
    except BadResultsError as error:
        raise Misuse(str(error)) from error
    if json:
        print_json(report_document(report))
    else:
        _tell(report, scale, prior)


def _anchor(text: str) -> dict[str, float]:
    bot, equals, elo = text.rpartition("=")
    try:
        rating = float(elo)
    except ValueError:
        rating = math.nan
    if not (equals and bot and math.isfinite(rating)):
        raise Misuse(f"--anchor is {harmless(text)!r}: name a bot and its rating, such as B=1500")
    if abs(rating) > LARGEST_ANCHOR:
        limits = f"from -{LARGEST_ANCHOR:,} to {LARGEST_ANCHOR:,}"
        raise Misuse(f"--anchor is {harmless(text)!r}: give a rating {limits}, such as B=1500")
    return {bot: rating}


def _cluster(text: str) -> Literal["block", "match"]:
    if text == "block":
        return "block"
    if text == "match":
        return "match"
    raise Misuse(f"--cluster is {harmless(text)!r}: choose block (matches of a block share deals) or match")


def _read(name: str) -> Results[str]:
    if not name:
        raise Misuse("--from names no file: give a file with a match a line, or - for standard input")
    try:
        with ExitStack() as opened:
            stream = sys.stdin.buffer if name == STANDARD_INPUT else opened.enter_context(Path(name).open("rb"))
            return parse_results(_lines(stream))
    except BadResultsError as error:
        raise Misuse(f"{'standard input' if name == STANDARD_INPUT else harmless(name)}: {error}") from error
    except (OSError, ValueError) as error:  # a ValueError is a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise Misuse(f"{harmless(name)} cannot be read ({reason}): name a file with a match a line") from error


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file; one that never ends is cut where it is too long anyway. Misuse for those of an export."""
    while line := stream.readline(LONGEST_LINE + 2):
        if FORMAT.encode() in line[:EXPORT_BEGINS]:
            raise Misuse(EXPORT_GIVEN)
        yield line


def _tell(report: Report[str], scale: dict[str, float] | None, prior: float) -> None:
    out = console()
    played, blocks = report.results.matches, len(report.results.keys)
    if not played:
        out.print("There is no match in it, so there is nothing to rate.")
        return
    out.print(Text(f"{count(played, 'match', 'matches')} in {count(blocks, 'block')}", "bold"))
    out.print()
    out.print(ratings_table(report.bots, harmless))
    out.print()
    out.print(notes_table(_notes(report, scale, prior)))


def _notes(report: Report[str], scale: dict[str, float] | None, prior: float) -> Iterator[Note]:
    origin = "the mean is 1500" if scale is None else "".join(f"{harmless(b)} is {elo:g}" for b, elo in scale.items())
    weight = "without a prior" if prior == 0 else f"with a prior of {prior:g}"
    text = "Elo scale: %(origin)s, 400 points are odds of ten to one; fitted %(weight)s"
    yield Note("rating", text, {"origin": origin, "weight": weight})
    yield from group_notes(report.bots)
    yield from reading_notes(report.bots, harmless)
    if report.results.matches > len(report.results.keys):
        yield from deals_notes(report.design_effect)
    circles: Any = [[harmless(bot) for bot in circle.bots] for circle in report.intransitivity.circles]
    yield from circle_notes(circles, report.intransitivity.circle_count, most=MOST_NOTES)
