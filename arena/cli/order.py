"""What a tournament was asked for, and whether that can be: looked at before anything is said, asked or written."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.bots.probe import Offer, offered
from arena.bots.sandbox import LEVELS, Level, level_named
from arena.cli.choosing import Bot
from arena.cli.errors import CommandFailed, Misuse
from arena.cli.options import Keeping
from arena.cli.output import count
from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.tournament.blocks import SEED_BYTES
from arena.tournament.bounds import MOST_SIGNS, is_mistakable, is_plain
from arena.tournament.entries import BOTS_PER_OWNER
from arena.tournament.labels import harmless

NO_SANDBOX = "No sandbox: the bots run as ordinary programs of your account, so play only bots that you trust."

MOST_BLOCKS = 1_000_000
"""A plan is made as a whole before the first card, so it has an end."""


@dataclass(frozen=True, slots=True)
class Order:
    """A tournament as it was asked for.

    `deals` None is a sensible number. `options` gives those of the format once the bots are known, which they may name;
    it raises Misuse. When fewer than `least` bots are named, quick ones fill up. At most `per_owner` bots of an owner
    play.
    """

    bots: tuple[str, ...]
    format: str
    seats: int
    deals: int | None
    variant: Variant
    limits: Limits
    keeping: Keeping
    options: Callable[[Sequence[Bot]], Mapping[str, Any]]
    least: int
    per_owner: int = BOTS_PER_OWNER


class Sandboxing(NamedTuple):
    """The level at which bots are kept, and what there is to say about it once ("" for nothing)."""

    level: Level
    note: str


def sandboxing(wanted: str) -> Sandboxing:
    """How bots are kept here as `--sandbox` wants it; Misuse when that cannot be."""
    if wanted not in ("auto", "require", "off"):
        raise Misuse(f"--sandbox {wanted}: choose auto, require or off")
    if wanted == "off":
        return Sandboxing("none", NO_SANDBOX)
    offer = offered()
    if offer.level == "none" and wanted == "require":
        raise CommandFailed(f"--sandbox require: {offer.reason}")
    if offer.level == "none":
        return Sandboxing("none", f"{NO_SANDBOX} ({offer.reason})")
    return Sandboxing(offer.level, "")


def check_sandbox(level: str) -> None:
    """CommandFailed when a tournament that was opened at this level cannot go on here."""
    offer = offered() if level != "none" else Offer("none", "")
    if LEVELS.index(offer.level) < LEVELS.index(level_named(level)):
        raise CommandFailed(
            f"this tournament keeps its bots at the sandbox level '{level}', but this machine offers "
            f"'{offer.level}': {offer.reason}"
        )


def secret_of(seed: str | None) -> bytes:
    """The 32 bytes that `--seed` writes, or fresh ones; Misuse when it is no seed."""
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    try:
        secret = bytes.fromhex(seed)
    except ValueError:
        secret = b""
    if len(secret) != SEED_BYTES or len(seed) != 2 * SEED_BYTES:
        what = f"has {count(len(seed), 'character')}" if len(seed) != 2 * SEED_BYTES else "has other characters too"
        raise Misuse(
            f"--seed is {2 * SEED_BYTES} hexadecimal digits, and this one {what}: copy it whole, or leave it out"
        )
    return secret


def check_words(keeping: Keeping) -> None:
    """Misuse when the texts of an order cannot be taken, before anything is said or asked."""
    _check_line("--name", keeping.name)
    _check_line("--beacon", keeping.beacon)
    if is_mistakable(keeping.name):
        raise Misuse(
            f"--name {keeping.name}: a name has no slash and does not begin with '-', or it could not be told "
            "from a match or an option: choose another"
        )
    text = keeping.beacon_text
    if not keeping.beacon:
        if text is not None:
            raise Misuse("--beacon-text needs --beacon NAME, the name of the value that it is the text of")
    elif text is not None:
        stripped(keeping.beacon, text)
    elif sys.stdin is None or not sys.stdin.isatty():
        raise Misuse(f"--beacon {keeping.beacon}: nobody can be asked for its text here, give it with --beacon-text")


def _check_line(option: str, text: str) -> None:
    """Misuse unless the text is empty or can stand in a line of a table."""
    shown = harmless(text[:MOST_SIGNS])
    if len(text) > MOST_SIGNS:
        raise Misuse(f"{option} {shown}… has {len(text)} characters: choose one of at most {MOST_SIGNS}")
    if not is_plain(text):
        raise Misuse(f"{option} '{shown}' holds a control or invisible character, or a space at an end: leave that out")


def stripped(beacon: str, text: str) -> str:
    """The text of a beacon as the seeds are derived from it; Misuse when there is none, or it is not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Misuse(f"--beacon {beacon}: its text is not UTF-8: give it as UTF-8") from None
    if not text.strip():
        raise Misuse(f"--beacon {beacon}: its text is empty; wait until the value exists")
    return text.strip()
