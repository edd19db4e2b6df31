"""The languages in which a bot can be begun: what it is made of, and what it needs of the machine."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from enum import Enum

PATIENCE_S = 10
"""Seconds in which a program tells its version, or is taken for broken."""


class Languages(Enum):
    """Each value is the language's name on the command line."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    GO = "go"


@dataclass(frozen=True, slots=True)
class Needed:
    """What the machine must have: what is called `title`, in version `least` at least. With the words `ask` its program
    tells its version."""

    title: str
    least: tuple[int, ...]
    ask: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.title} {'.'.join(map(str, self.least))} or later"


@dataclass(frozen=True, slots=True)
class Language:
    """What a bot in a language is made of.

    `main` is the file in which to begin. `program` runs the bot, and with the words `test` the bot's own test; the
    arena brings it along unless it is `needed`. `parts` are files and folders of the sample bot `sample` that it plays
    with.
    """

    title: str
    main: str
    program: str
    test: str
    needed: Needed | None = None
    sample: str = ""
    parts: tuple[str, ...] = ()

    def lacks(self, path: str | None = None) -> str:
        """Why the program that is found along a path (default: the environment's) cannot be used; "" if it can."""
        if self.needed is None:
            return ""
        found = shutil.which(self.program, path=path)
        if found is None:
            return f"there is no program '{self.program}' here"
        version = _version((found, *self.needed.ask))
        numbers = tuple(map(int, re.findall(r"\d+", version)))
        return "" if numbers >= self.needed.least else f"'{self.program}' here is {version or 'broken'}"


def _version(command: tuple[str, ...]) -> str:
    """What a program says of its version in one word; "" when it says nothing."""
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S).stdout
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    return next(iter(said.split()), "")


LANGUAGES = {
    Languages.PYTHON: Language("Python", "main.py", "python", "-m unittest"),
    Languages.JAVASCRIPT: Language(
        "JavaScript", "choose.js", "node", "--test", Needed("Node.js", (18,), ("--version",)), "tally",
        ("arena.js", "main.js", "package.json"),
    ),
    Languages.GO: Language(
        "Go", "main.go", "go", "test ./...", Needed("Go", (1, 24), ("env", "GOVERSION")), "gopher", ("arena", "go.mod")
    ),
}  # fmt: skip
