"""What an organiser orders: the form of a tournament as the words of `arena tournament run`, which judges them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field

from arena.bots.folders import BotFolder, discover
from arena.settings import MY_BOTS, sample_bots
from arena.store.submissions import Submission, newest
from arena.tournament.formats import FORMATS

Text = Annotated[str, Field(max_length=300)]

OF_COMMANDS = ("ab",)
"""Formats that have a command of their own, with other questions."""

ON_REQUEST = "informed"
"""The format that is chosen by asking a question."""

ORDERED = tuple(name for name in FORMATS if name not in OF_COMMANDS)
"""The formats that can be chosen here."""

MOST_BOTS = 2000


class Order(BaseModel):
    """The fields of the form as they were filled in; "" is what the preset of the rules, or the command, says."""

    wish: Text = Field(default_factory=partial(token_hex, 16))
    """Tells this form from every other, so that none is heeded twice."""

    bots: list[Text] = Field(default=[], max_length=MOST_BOTS)
    name: Text = ""
    format: Text = "round-robin"
    seats: Text = "3"
    deals: Text = ""
    lineups: Text = ""
    rounds: Text = ""
    challenger: Text = ""
    until: Text = ""
    most_blocks: Text = ""
    rules: Text = "standard"
    threshold: Text = ""
    crossing: Text = ""
    finish: Text = ""
    decks: Text = ""
    hand_size: Text = ""
    penalty: Text = ""
    lap_cap: Text = ""
    deal_cap: Text = ""
    no_upcard: bool = False
    no_tie_holds: bool = False
    mixed_pairs: bool = False
    turn_limit_ms: Text = ""
    bank_ms: Text = ""
    strikes: Text = ""
    bots_per_owner: Text = ""
    show_names: bool = False
    sandbox: bool = False
    beacon: Text = ""
    beacon_text: Text = ""

    def words(self) -> list[str]:
        """The command line; what a preset says comes first, so that a field that is filled in counts."""
        said = ["tournament", "run", "--stop-at-eof", *PRESETS.get(self.rules, ()), *self._format_words()]
        for field in VALUES:
            if value := getattr(self, field).strip():
                said.append(f"{option_of(field)}={value}")
        said += [option_of(field) for field in SWITCHES if getattr(self, field)]
        return [*said, *["--sandbox=require"] * self.sandbox, "--", *self.bots]

    def _format_words(self) -> list[str]:
        """The format, with those of its options that belong to it: fields of others stay as they are, unheeded."""
        said = [] if self.format == ON_REQUEST else [f"--format={self.format}"]
        return said + [
            f"{option_of(field)}={value}"
            for field in OPTIONS.get(self.format, ())
            if (value := getattr(self, field).strip())
        ]


PRESETS = {
    "standard": (),
    "quick": ("--threshold=25",),
    "long": ("--threshold=100",),
    "reach": ("--crossing=reach",),
    "first-out": ("--finish=first_out",),
    "ten-deals": ("--threshold=0", "--deal-cap=10"),
    "two-decks": ("--decks=2",),
}
"""Rules that are chosen with one word."""

OPTIONS = {
    "round-robin": ("deals", "lineups"),
    "gauntlet": ("deals", "lineups", "challenger"),
    "swiss": ("deals", "rounds"),
    "knockout": ("deals",),
    ON_REQUEST: ("until", "most_blocks"),
}
"""The fields that belong to a format."""

VALUES = (
    "name", "seats", "threshold", "crossing", "finish", "decks", "hand_size", "penalty", "lap_cap", "deal_cap",
    "turn_limit_ms", "bank_ms", "strikes", "bots_per_owner", "beacon", "beacon_text",
)  # fmt: skip

SWITCHES = ("no_upcard", "no_tie_holds", "mixed_pairs", "show_names")


def option_of(field: str) -> str:
    """How the command calls a field."""
    return f"--{field.replace('_', '-')}"


def field_in(message: str) -> str:
    """The field that a message of the command is about; "" when it names none."""
    named = re.search(r"--([a-z][a-z-]*)", message) or re.match(r"([a-z]+(?:_[a-z]+)*)", message)
    field = named[1].replace("-", "_") if named else ""
    return field if field in Order.model_fields else ""


class Candidate(NamedTuple):
    """A bot that may be chosen: the word that means it, what people call it, and where it is from."""

    word: str
    label: str
    origin: str
    language: str
    owner: str = ""


def candidates(submissions: Sequence[Submission]) -> list[Candidate]:
    """The bots that lie here or were submitted, as the command finds them again by their words."""
    found = [
        Candidate(f"{one.name}@{one.version}", one.label, "submitted", "", one.owner) for one in newest(submissions)
    ]
    own = {one.digest for one in submissions}
    found += _folders((bot for bot in discover([MY_BOTS], broken=True) if bot.digest not in own), "my_bots")
    return found + _folders(discover([sample_bots()], broken=True), "sample")


def _folders(bots: Iterable[BotFolder], origin: str) -> list[Candidate]:
    return [Candidate(str(Path(bot.path).resolve()), bot.label, origin, bot.manifest.language) for bot in bots]
