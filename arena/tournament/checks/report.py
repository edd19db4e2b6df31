"""What the checks write: problems with their place and field, and notes on what could not be checked."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_SHOWN = 90
"""Longer values are cut in messages, so that an absurd one cannot flood the report."""


TEXT = "text"
"""The field of a problem that concerns the text of a whole line or file, not one key in it."""

_UNPRINTABLE = re.compile(r"[^ -~]")


class Problem(NamedTuple):
    """One thing that does not hold: the place (`line 3, deal 2, turn 5`), the field there, and what is wrong with it.

    Lines count from 1, deals, turns and seats from 0 as in the export.
    """

    where: str
    field: str
    what: str

    def __str__(self) -> str:
        subject = "the text" if self.field == TEXT else self.field
        return f"{self.where}: {subject} {self.what}"


@dataclass(slots=True)
class Report:
    """The outcome of a verification: how much was read, what does not hold, and what could not be checked yet."""

    matches: int = 0
    blocks: int = 0
    deals: int = 0
    turns: int = 0
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether everything that was checked holds."""
        return not self.problems

    def problem(self, where: str, field: str, what: str) -> None:
        """Write down a problem, in characters that any terminal can print."""
        self.problems.append(Problem(*(_UNPRINTABLE.sub(_escaped, text) for text in (where, field, what))))

    def expect(self, where: str, field: str, found: object, expected: object, because: str = "") -> bool:
        """Compare a value with the one that the rest determines; `because` says what determines it."""
        if found == expected and type(found) is type(expected):
            return True
        self.problem(where, field, f"is {show(found)}, expected {show(expected)}{because and f' ({because})'}")
        return False

    def note(self, text: str) -> None:
        """Write down, once, what could not be checked."""
        if text not in self.notes:
            self.notes.append(text)


def show(value: object) -> str:
    """A value of the export as JSON, cut when it is long."""
    text = json.dumps(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


def _escaped(character: re.Match[str]) -> str:
    return json.dumps(character[0])[1:-1]
