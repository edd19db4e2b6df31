"""Options that several commands have: each group is defined once, as the parameters of a function that makes a value of
them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.game.variant import Crossing, Finish, Variant
from arena.match.limits import Limits
from arena.settings import REMOTES_VARIABLE
from arena.tournament.bounds import BOUNDS

RULES = "The rules of the game"
CLOCK = "The clock"
CARDS = "The cards, and how they can be trusted"
MACHINE = "This machine"

Command = Callable[..., None]


def option(panel: str, text: str, *names: str, metavar: str | None = "N", **bounds: Any) -> Any:
    """An option of the command line that takes a value, a number unless `metavar` names something else."""
    return typer.Option(*names, rich_help_panel=panel, help=text, metavar=metavar, **bounds)


def switch(panel: str, text: str, *names: str) -> Any:
    """An option of the command line that is there or not."""
    return typer.Option(*names, rich_help_panel=panel, help=text)


Workers = Annotated[int | None, option(MACHINE, "Worker processes; default: one a core or fewer.", min=1, max=256)]
Tables = Annotated[int | None, option(MACHINE, "Matches at once in a worker.", min=1, max=65_536)]
Quiet = Annotated[bool, switch(MACHINE, "Only the result, no progress.", "--quiet")]
StopAtEof = Annotated[
    bool,
    switch(MACHINE, "Stop as by Ctrl-C when the standard input ends, for a program that starts this.", "--stop-at-eof"),
]
Remotes = Annotated[
    Path | None,
    option(
        MACHINE,
        "TOML file that names, for each address of a remote bot, the files of ca, cert, key and token.",
        metavar="FILE",
        envvar=REMOTES_VARIABLE,
    ),
]


@dataclass(frozen=True, slots=True)
class Pace:
    """How a tournament is played; nothing of this changes a result. None stands for what suits this machine."""

    workers: int | None
    tables: int | None
    quiet: bool
    stop_at_eof: bool


def pace(workers: Workers = None, tables: Tables = None, quiet: Quiet = False, stop_at_eof: StopAtEof = False) -> Pace:
    """The pace that the options ask for."""
    return Pace(workers, tables, quiet, stop_at_eof)


def variant(
    threshold: Annotated[
        int, option(RULES, "Points that knock out; 0 for never.", **BOUNDS["threshold"]._asdict())
    ] = 50,
    crossing: Annotated[
        Crossing, option(RULES, "What crossing it means: beyond or reach.", metavar="WORD", case_sensitive=False)
    ] = Crossing.BEYOND,
    finish: Annotated[
        Finish,
        option(RULES, "When a match ends: last_standing or first_out.", metavar="WORD", case_sensitive=False),
    ] = Finish.LAST_STANDING,
    decks: Annotated[int, option(RULES, "Decks of cards, 1 or 2.")] = 1,
    lap_cap: Annotated[int, option(RULES, "Laps until a showdown.", **BOUNDS["lap_cap"]._asdict())] = 60,
    deal_cap: Annotated[int, option(RULES, "Deals of a match; 0 for no limit.", **BOUNDS["deal_cap"]._asdict())] = 0,
    hand_size: Annotated[int, option(RULES, "Cards dealt to a seat.")] = 5,
    penalty: Annotated[int, option(RULES, "Points for a false declaration.", **BOUNDS["penalty"]._asdict())] = 20,
    upcard: Annotated[bool, switch(RULES, "Turn up one card at the start of a deal.")] = True,
    mixed_pairs: Annotated[bool, switch(RULES, "Allow two pairs of different ranks.", "--mixed-pairs")] = False,
    tie_holds: Annotated[bool, switch(RULES, "A declaration that ties for the lowest holds.")] = True,
) -> Variant:
    """The rules that the options ask for; nobody has looked yet whether they can be played by."""
    return Variant(
        hand_size, decks, upcard, mixed_pairs, tie_holds, penalty, threshold, crossing, finish, lap_cap, deal_cap
    )


def limits(
    turn_limit_ms: Annotated[
        int, option(CLOCK, "Time of a turn.", metavar="MS", **BOUNDS["turn_limit_ms"]._asdict())
    ] = 500,
    bank_ms: Annotated[
        int, option(CLOCK, "Time a match beyond the turns.", metavar="MS", **BOUNDS["bank_ms"]._asdict())
    ] = 10_000,
    strikes: Annotated[int, option(CLOCK, "The fault of a match that forfeits.", **BOUNDS["strikes"]._asdict())] = 3,
    show_names: Annotated[bool, switch(CLOCK, "Tell the bots whom they play.", "--show-names")] = False,
) -> Limits:
    """The limits that the options ask for."""
    return Limits(turn_limit_ms, bank_ms, strikes, show_names)


@dataclass(frozen=True, slots=True)
class Keeping:
    """How the cards are committed to and the bots are kept.

    `seed` None is a secret drawn now, `beacon_text` None is asked for. `remotes` is the file that says where the
    credentials for remote bots lie, if there is one.
    """

    seed: str | None
    beacon: str
    beacon_text: str | None
    sandbox: str
    name: str
    remotes: Path | None


def keeping(
    name: Annotated[str, option(CARDS, "A name to find the tournament by.", metavar="TEXT")] = "",
    seed: Annotated[str | None, option(CARDS, "The secret, to reproduce a tournament.", metavar="HEX64")] = None,
    beacon: Annotated[str, option(CARDS, "Name of a public value that does not exist yet.", metavar="TEXT")] = "",
    beacon_text: Annotated[
        str | None, option(CARDS, "Its text; asked for when it is not given.", metavar="TEXT", show_default=False)
    ] = None,
    sandbox: Annotated[str, option(MACHINE, "auto, require or off.", metavar="WORD")] = "auto",
    remotes: Remotes = None,
) -> Keeping:
    """What the options ask for."""
    return Keeping(seed, beacon, beacon_text, sandbox, name, remotes)


def with_options(**groups: Callable[..., Any]) -> Callable[[Command], Command]:
    """Give a command the options of these groups behind its own; it gets what each makes of them under its name."""

    def decorate(command: Command) -> Command:
        taken = {name: tuple(_parameters(group)) for name, group in groups.items()}

        @wraps(command)
        def run(**values: Any) -> None:
            made = {
                name: groups[name](**{one.name: values.pop(one.name) for one in own}) for name, own in taken.items()
            }
            command(**values, **made)

        shown = [one for one in _parameters(command) if one.name not in groups]
        shown += [one for own in taken.values() for one in own]
        shown = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in shown]
        del run.__wrapped__  # Typer is to see what is shown, not the command's own
        run.__signature__ = Signature(shown)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in shown}
        return run

    return decorate


def _parameters(function: Callable[..., Any]) -> list[Parameter]:
    return list(signature(function, eval_str=True).parameters.values())
