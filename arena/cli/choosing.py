"""Which bots take part: those that were named, or the quick ones that lie here; and finding them again to resume."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.bots.errors import BotError
from arena.bots.folders import BotFolder, check_distinct, discover, open_folder, resolve
from arena.cli.errors import Misuse
from arena.cli.output import count
from arena.settings import MY_BOTS, sample_bots
from arena.store.repository import EntryState

EVERY = "all"
"""Stands for every bot that lies here, quick or not."""


class Choice(NamedTuple):
    """The chosen bots, and what to tell about the choice ("" for nothing)."""

    bots: tuple[BotFolder, ...]
    note: str


def choose(named: Sequence[str], seats: int) -> Choice:
    """The bots that `named` (paths or names) means, filled up with quick ones when they are fewer than the seats.

    Without any name: the quick sample bots and all in `my_bots/`. Raises what `arena.bots.folders` raises, and Misuse
    when there are too few bots for a table.
    """
    if list(named) == [EVERY]:
        return _enough(Choice(tuple(_distinct(discover(_roots()))), ""), seats)
    if EVERY in named:
        raise Misuse(f"'{EVERY}' means all bots that lie here: name it alone, or name bots without it")
    quick = [bot for bot in discover([sample_bots()]) if bot.manifest.quick]
    if not named:
        return _enough(Choice(tuple(_distinct([*quick, *discover([MY_BOTS])])), ""), seats)
    chosen = [resolve(name, _roots()) for name in named]
    check_distinct(chosen)
    digests = {bot.digest for bot in chosen}
    fillers = [bot for bot in quick if bot.digest not in digests][: max(0, seats - len(chosen))]
    note = ""
    if fillers:
        names = ", ".join(bot.label for bot in fillers)
        few = f"{count(len(chosen), 'bot')} {'was' if len(chosen) == 1 else 'were'} named for tables of {seats}"
        note = f"{few}, so these sample bots fill up: {names}."
    return _enough(Choice(tuple(_distinct([*chosen, *fillers])), note), seats)


def find_again(entries: Iterable[EntryState], named: Sequence[str]) -> tuple[BotFolder, ...]:
    """The folders of a tournament's bots: among those `named`, where they came from, or among the bots that lie here.

    What ran is what is ranked, so only a folder with the same digest will do. Raises Misuse for a bot without one.
    """
    known = {bot.digest: bot for bot in (resolve(name, _roots()) for name in named)}
    found = []
    for state in entries:
        name, version, digest, _ = state.entry
        bot = known.get(digest) or _unchanged(state.origin, digest)
        if bot is None:
            known |= {other.digest: other for other in discover(_roots(), broken=True)}
            bot = known.get(digest)
        if bot is None:
            came = f" from {state.origin}" if state.origin else ""
            raise Misuse(
                f"{name} {version} is nowhere as it entered the tournament{came}: bring back its files as they were, "
                f"or name a folder that holds them behind the tournament's id"
            )
        found.append(bot)
    return tuple(found)


def _unchanged(origin: str, digest: bytes) -> BotFolder | None:
    """The bot at its origin, if it is still the same."""
    try:
        bot = open_folder(Path(origin)) if origin else None
    except BotError:
        return None
    return bot if bot is not None and bot.digest == digest else None


def _roots() -> list[Path]:
    return [MY_BOTS, sample_bots()]


def _distinct(bots: Iterable[BotFolder]) -> list[BotFolder]:
    """Each bot once; raises FolderError when two differ but bear one name and version."""
    once = list({bot.digest: bot for bot in bots}.values())
    check_distinct(once)
    return once


def _enough(choice: Choice, seats: int) -> Choice:
    if len(choice.bots) < seats:
        names = ", ".join(bot.label for bot in choice.bots) or "none"
        raise Misuse(
            f"tables of {seats} need {seats} different bots, but there {'is' if len(choice.bots) == 1 else 'are'} "
            f"{len(choice.bots)} ({names}): "
            f"name more bots, or choose smaller tables with --seats"
        )
    return choice
