"""The verifier: from the text of an export alone it tells whether the cards and the judging were right.

It needs neither a database nor the bots. It proves the cards and the judging, not that a bot really sent what is
recorded.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.tournament.checks.derivation import check_derivation, check_rules
from arena.tournament.checks.play import check_play
from arena.tournament.checks.report import TEXT, Report
from arena.tournament.checks.shape import Match, read
from arena.tournament.checks.whole import FILE, Whole


def verify(lines: Iterable[str | bytes], planned: Iterable[bytes] = ()) -> Report:
    """Check an export, one JSON object a line (blank lines are skipped; lines may come in any order).

    Checked are the derivation of seeds and seats, every card, the legality of every action, faults and what was played
    for a bot, totals, points and places, complete rotations, and gaps in a lineup's blocks; `planned` are the ids of
    blocks that must be there too. Whatever the text, problems are reported and nothing is raised.
    """
    report = Report()
    whole = Whole()
    for number, line in enumerate(lines, start=1):
        if line.strip():
            _line(number, line, whole, report)
    if not report.matches:
        report.problem(FILE, TEXT, "holds no match that can be read")
    whole.finish(planned, report)
    return report


def verify_match(line: str | bytes) -> Report:
    """Check one match of an export by itself: all that `verify` does but for the rest of its block and lineup."""
    report = Report()
    _match(line, "match", report)
    return report


def _line(number: int, line: str | bytes, whole: Whole, report: Report) -> None:
    checked = _match(line, f"line {number}", report)
    if checked is not None:
        whole.add(number, *checked, report)


def _match(line: str | bytes, where: str, report: Report) -> tuple[Match, int | None] | None:
    """Check a match alone; returns it with how many rotations its block has, None when it cannot be read."""
    match = read(line, where, report)
    if match is None:
        return None
    report.matches += 1
    report.deals += len(match.deals)
    report.turns += sum(len(deal.turns) for deal in match.deals)
    rules = check_rules(match, where, report)
    rotations = None
    if rules is not None:
        rotations = check_derivation(match, rules, where, report)
        check_play(match, rules, where, report)
    return match, rotations
