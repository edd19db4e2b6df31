"""Whether the lines of an export belong together: one tournament, every block complete, no block left out."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator

from arena.tournament.checks.report import Report, show
from arena.tournament.checks.shape import Match

FILE = "the file"
"""Where a problem is that no single line has."""

Values = dict[str, object]


class Agreement:
    """Fields that must have the same values on all of some lines; the most frequent values are held to be right."""

    def __init__(self) -> None:
        self._lines: dict[str, list[int]] = defaultdict(list)

    def add(self, line: int, values: Values) -> None:
        """Note the values of a line; they are as JSON has them."""
        self._lines[json.dumps(values)].append(line)

    def report(self, report: Report) -> None:
        """Name every field of every line that differs."""
        if len(self._lines) < 2:
            return
        most = max(self._lines, key=lambda values: len(self._lines[values]))
        usual, example = json.loads(most), self._lines[most][0]
        for values, lines in self._lines.items():
            for field, found, expected in _differences(json.loads(values), usual):
                for line in lines:
                    report.problem(f"line {line}", field, f"is {found}, but {expected} on line {example}")


def _differences(found: Values, usual: Values) -> Iterator[tuple[str, str, str]]:
    """Each field with different values, and both of them to be shown; lists and objects are compared part by part."""
    for field in dict.fromkeys([*found, *usual]):
        one, other = found.get(field), usual.get(field)
        if one == other and type(one) is type(other):
            continue
        if isinstance(one, list) and isinstance(other, list):
            one, other = ({str(place): part for place, part in enumerate(parts)} for parts in (one, other))
        if isinstance(one, dict) and isinstance(other, dict):
            for part, its_value, usual_value in _differences(one, other):
                yield f"{field}.{part}", its_value, usual_value
        else:
            yield field, show(one), show(other)


class Whole:
    """All lines of an export, as far as they concern each other."""

    def __init__(self) -> None:
        self._tournament = Agreement()
        self._blocks: dict[str, Agreement] = defaultdict(Agreement)
        self._rotations: dict[str, dict[int, int]] = defaultdict(dict)
        self._sizes: dict[str, int] = {}
        self._numbers: dict[tuple[str, ...], set[int]] = defaultdict(set)
        self._running = False

    def add(self, line: int, match: Match, rotations: int | None, report: Report) -> None:
        """Take in a match; `rotations` is how many its block has, None when that cannot be known."""
        self._running = self._running or match.secret is None
        shared = match.model_dump(
            include={"tournament", "commitment", "secret", "beacon", "entries", "sandbox", "limits", "variant"}
        )
        self._tournament.add(line, shared)
        remote = sorted({bot.digest for bot in match.seats if bot.remote})
        own: Values = {"attempt": match.attempt, "seats.remote": remote}
        if not remote:
            own["seed"] = match.seed
        self._blocks[match.block_id].add(line, own)
        if rotations is not None:
            self._sizes[match.block_id] = rotations
        first = self._rotations[match.block_id].setdefault(match.rotation, line)
        if first != line:
            report.problem(f"line {line}", "rotation", f"is {match.rotation} of its block, as on line {first} already")
        self._numbers[tuple(match.lineup)].add(match.block)

    def finish(self, planned: Iterable[bytes], report: Report) -> None:
        """Say what does not fit together once all lines are in; `planned` are the block ids that ought to be there."""
        report.blocks = len(self._rotations)
        self._tournament.report(report)
        for block, agreement in self._blocks.items():
            agreement.report(report)
            self._complete(block, report)
        for lineup, numbers in self._numbers.items():
            self._gaps(lineup, sorted(numbers), report)
        for planned_block in planned:
            if planned_block.hex() not in self._rotations:
                self._absent(f"{planned_block.hex()} is planned, but missing", "block_id", report)

    def _complete(self, block: str, report: Report) -> None:
        for rotation in range(self._sizes.get(block, 0)):
            if rotation not in self._rotations[block]:
                report.problem(f"block {block}", "rotation", f"{rotation} is missing: only whole blocks are fair")

    def _gaps(self, lineup: tuple[str, ...], numbers: list[int], report: Report) -> None:
        expected = 0
        for number in numbers:
            if number > expected:
                gap = f"{expected}" if number == expected + 1 else f"{expected} to {number - 1}"
                bots = " ".join(digest[:8] for digest in lineup)
                self._absent(f"{gap} of lineup {bots} is missing, though block {number} is there", "block", report)
            expected = number + 1

    def _absent(self, what: str, field: str, report: Report) -> None:
        """A block is not there: to be expected while the tournament runs, a problem once it is over."""
        if self._running:
            report.note("blocks are missing, as is to be expected while the tournament runs")
        else:
            report.problem(FILE, field, what)
