"""How lineups are to be chosen, as `arena tournament run` was asked: the format, and its options as it knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli.errors import Misuse
from arena.tournament.labels import harmless

if TYPE_CHECKING:
    from arena.cli.choosing import Bot

DEFAULT = "round-robin"

NAMED = ("round-robin", "gauntlet", "swiss", "knockout")
"""The formats that are named with `--format`."""

BELONGS = {
    "lineups": ("round-robin", "gauntlet"),
    "rounds": ("swiss",),
    "challenger": ("gauntlet",),
    "most-blocks": ("informed",),
}
"""The formats that an option is for."""

ELSEWHERE = {
    "ab": "an A/B test has two bots and a command of its own: `arena ab A B`",
    "informed": "ask its question: --until 'top-3 separated at 95 %'",
}
"""The formats that are not named with `--format`, and how one comes to them."""

MATCHES = 201
"""Without `--deals` a tournament has at least so many matches, unless its format says itself how many there are."""

SELF_SIZED = ("knockout", "informed", "ab")


@dataclass(frozen=True, slots=True)
class Lineups:
    """What was asked for; None stands for what was not."""

    format: str | None
    lineups: int | None
    rounds: int | None
    challengers: tuple[str, ...]
    until: str | None
    most_blocks: int | None

    def format_name(self) -> str:
        """The format, once it is sure that what was asked for goes together; Misuse when it does not."""
        if self.format in ELSEWHERE:
            raise Misuse(f"--format {self.format}: {ELSEWHERE[self.format]}")
        if self.format is not None and self.format not in NAMED:
            raise Misuse(f"there is no format '{harmless(self.format)}': choose {_choice(NAMED)}")
        if self.until is not None and self.format is not None:
            raise Misuse(
                f"--until chooses the lineups that tell most about its question, so --format {harmless(self.format)} "
                "does not go with it: leave one of them out"
            )
        name = "informed" if self.until is not None else self.format or DEFAULT
        given = {
            "lineups": self.lineups,
            "rounds": self.rounds,
            "challenger": self.challengers or None,
            "most-blocks": self.most_blocks,
        }
        for option, value in given.items():
            if value is not None and name not in BELONGS[option]:
                raise Misuse(f"--{option} {_belongs(option)}: leave it out, or choose that")
        if name == "gauntlet" and not self.challengers:
            raise Misuse("--format gauntlet needs --challenger BOT, the bot that all others meet")
        return name

    def options(self, bots: Sequence[Bot]) -> Mapping[str, Any]:
        """The options of the format; Misuse when a challenger is none of the `bots`."""
        given = {
            "lineups": self.lineups,
            "rounds": self.rounds,
            "challenger": [_digest(name, bots) for name in self.challengers] or None,
            "question": self.until,
            "blocks": self.most_blocks,
        }
        return {name: value for name, value in given.items() if value is not None}


def _choice(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _belongs(option: str) -> str:
    formats = BELONGS[option]
    if formats == ("informed",):
        return "is the budget of --until, which was not given"
    return f"is for {' and '.join(f'--format {name}' for name in formats)} only"


def _digest(wanted: str, bots: Sequence[Bot]) -> str:
    """The digest of the bot that `wanted` means: a name, a name@version, or the place where it was found."""
    found = [bot for bot in bots if wanted in (bot.name, f"{bot.name}@{bot.version}", bot.label, bot.place)]
    found = found or [bot for bot in bots if "/" in wanted and Path(wanted).resolve() == Path(bot.place).resolve()]
    names = ", ".join(f"{bot.name}@{bot.version}" for bot in bots)
    if not found:
        raise Misuse(f"--challenger {harmless(wanted)} is none of the bots that play ({names}): name it among them")
    if len(found) > 1:
        raise Misuse(f"--challenger {harmless(wanted)} could be several of the bots that play ({names}): add @VERSION")
    return found[0].digest.hex()
