"""Which bots take part: those that were named, or the quick ones that lie here; and finding them again to resume."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from arena.bots.errors import BotError
from arena.bots.folders import BotFolder, check_distinct, discover, open_folder, resolve
from arena.bots.remote import Access, Keyring, RemoteBot, by_address, is_address, meet, parse_address
from arena.cli.errors import Misuse
from arena.cli.output import count
from arena.settings import MY_BOTS, sample_bots
from arena.store.bots import LAST_MATCHES
from arena.store.repository import EntryState

EVERY = "all"
"""Stands for every bot that lies here, quick or not."""

Bot: TypeAlias = BotFolder | RemoteBot

Forfeits: TypeAlias = Callable[[Iterable[bytes]], Mapping[bytes, int]]
"""Tells which of some bots forfeited most of their last matches, and how many."""


class Choice(NamedTuple):
    """The chosen bots, what to tell about the choice, a line each, and which bots were left out and why ("": none)."""

    bots: tuple[Bot, ...]
    notes: tuple[str, ...] = ()
    left_out: str = ""


def choose(named: Sequence[str], seats: int, keyring: Keyring, forfeits: Forfeits) -> Choice:
    """The bots that `named` (paths, names or addresses) means, filled up with quick ones when they are fewer than the
    seats. Those at an address are asked who they are.

    Without any name: the quick sample bots and all in `my_bots/`. A bot that was not named and that forfeited most of
    its last matches is left out. Raises what `arena.bots` raises, and Misuse when there are too few bots for a table.
    """
    if list(named) == [EVERY]:
        return _of_here(discover(_roots()), seats, forfeits)
    if EVERY in named:
        raise Misuse(f"'{EVERY}' means all bots that lie here: name it alone, or name bots without it")
    quick = [bot for bot in discover([sample_bots()]) if bot.manifest.quick]
    if not named:
        return _of_here([*quick, *discover([MY_BOTS])], seats, forfeits)
    chosen = _unmistakable(_named(named, keyring))
    check_distinct(chosen)
    digests = {bot.digest for bot in chosen}
    fitting = [bot for bot in quick if bot.digest not in digests] if len(chosen) < seats else []
    often = forfeits([bot.digest for bot in fitting])
    fillers = [bot for bot in fitting if bot.digest not in often][: max(0, seats - len(chosen))]
    bots = _unmistakable([*chosen, *fillers])
    notes = [bot.note for bot in bots if isinstance(bot, RemoteBot) and bot.note]
    if fillers:
        names = ", ".join(bot.label for bot in fillers)
        few = f"{count(len(chosen), 'bot')} {'was' if len(chosen) == 1 else 'were'} named for tables of {seats}"
        notes.append(f"{few}, so these sample bots fill up: {names}.")
    return _enough(Choice(tuple(_distinct(bots)), tuple(notes)), seats)


def _of_here(bots: Iterable[BotFolder], seats: int, forfeits: Forfeits) -> Choice:
    """All of these bots, but for those that forfeited most of their last matches."""
    once = _distinct(bots)
    often = forfeits([bot.digest for bot in once])
    left_out = ", ".join(
        f"{bot.label} (forfeited {often[bot.digest]} of its last {LAST_MATCHES} matches)"
        for bot in once
        if bot.digest in often
    )
    if left_out:
        left_out = f"Left out: {left_out}. To play with them again: `arena bots restore NAME`, or name them."
    return _enough(Choice(tuple(bot for bot in once if bot.digest not in often), left_out=left_out), seats)


def find_again(entries: Iterable[EntryState], named: Sequence[str], keyring: Keyring) -> tuple[Bot, ...]:
    """A tournament's bots: among those `named`, where they came from, or among the bots that lie here.

    What ran is what is ranked, so only a folder with the same digest will do, and of a remote bot only its address.
    Raises Misuse for a bot that is not found.
    """
    known: dict[bytes, Bot] = {bot.digest: bot for bot in (resolve(name, _roots()) for name in named)}
    found: list[Bot] = []
    for state in entries:
        name, version, digest, remote = state.entry
        if remote:
            found.append(RemoteBot(keyring.access(parse_address(state.origin)), name, version))
            continue
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


def _named(named: Sequence[str], keyring: Keyring) -> list[Bot]:
    """The bots of these names; everything is looked at before the first is connected to."""
    found = [keyring.access(parse_address(word)) if is_address(word) else resolve(word, _roots()) for word in named]
    met = iter(meet([bot for bot in found if isinstance(bot, Access)]))
    return [next(met) if isinstance(bot, Access) else bot for bot in found]


def _unmistakable(bots: Sequence[Bot]) -> list[Bot]:
    """The bots, a remote one under its address when it gives the name of another: anybody may serve anything there."""
    claims = Counter((bot.name, bot.version) for bot in {bot.digest: bot for bot in bots}.values())
    return [
        by_address(bot.access, f"{bot.place} enters under its address: it is not the only {bot.label} here")
        if isinstance(bot, RemoteBot) and claims[bot.name, bot.version] > 1
        else bot
        for bot in bots
    ]


def _unchanged(origin: str, digest: bytes) -> BotFolder | None:
    """The bot at its origin, if it is still the same."""
    try:
        bot = open_folder(Path(origin)) if origin else None
    except BotError:
        return None
    return bot if bot is not None and bot.digest == digest else None


def _roots() -> list[Path]:
    return [MY_BOTS, sample_bots()]


def _distinct(bots: Iterable[Bot]) -> list[Bot]:
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
            f"name more bots, or choose smaller tables with --seats{'. ' * bool(choice.left_out)}{choice.left_out}"
        )
    return choice
