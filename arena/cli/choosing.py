"""Which bots take part: those that were named, or those that were submitted or lie here; and finding them again to
resume."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from arena.bots.errors import BotError
from arena.bots.folders import BotFolder, called, check_distinct, discover, is_place, open_folder, resolve
from arena.bots.names import EVERY
from arena.bots.remote import Access, Keyring, RemoteBot, by_address, is_address, meet, parse_address
from arena.cli.errors import Misuse
from arena.cli.output import count
from arena.cli.submitted import StoredBot, all_submitted, as_bot, check_share, find_submitted, shared_out
from arena.settings import MY_BOTS, sample_bots
from arena.store.bots import LAST_MATCHES
from arena.store.repository import EntryState
from arena.store.submissions import Submission, free_version, newest
from arena.tournament.entries import BOTS_PER_OWNER

Bot: TypeAlias = BotFolder | RemoteBot | StoredBot

Forfeits: TypeAlias = Callable[[Iterable[bytes]], Mapping[bytes, int]]
"""Tells which of some bots forfeited most of their last matches, and how many."""


class Choice(NamedTuple):
    """The chosen bots, what to tell about the choice, a line each, and which bots were left out and why ("": none)."""

    bots: tuple[Bot, ...]
    notes: tuple[str, ...] = ()
    left_out: str = ""


def choose(
    named: Sequence[str],
    seats: int,
    keyring: Keyring,
    forfeits: Forfeits,
    per_owner: int = BOTS_PER_OWNER,
    *,
    beside: int = 0,
) -> Choice:
    """The bots that `named` (paths, names or addresses) means, filled up with quick ones when they are fewer than the
    seats. Those at an address are asked who they are. `beside` is how many people sit at the table too.

    Without any name: the newest of what was submitted, at most `per_owner` for an owner, all in `my_bots/`, and the
    quick sample bots. A bot that was not named and that forfeited most of its last matches is left out. Raises what
    `arena.bots` raises, and Misuse when there are too few bots for a table, or too many of an owner.
    """
    submissions = all_submitted()
    if not named or list(named) == [EVERY]:
        samples = [bot for bot in discover([sample_bots()]) if named or bot.manifest.quick]
        stored, others = shared_out(newest(submissions), per_owner)
        lying, retired = _lying_here(submissions)
        bots = [*lying, *(as_bot(one, keyring) for one in stored), *samples]
        left_out = _too_many(others, per_owner) + retired
        return check_enough(_able(*_apart(bots, submissions), forfeits, left_out), seats, beside)
    if EVERY in named:
        raise Misuse(f"'{EVERY}' means all bots that lie here: name it alone, or name bots without it")
    chosen, notes = _apart(_unmistakable(_named(named, keyring, submissions)), submissions)
    check_distinct(chosen)
    check_share(chosen, per_owner)
    digests = {bot.digest for bot in chosen}
    quick = [bot for bot in discover([sample_bots()]) if bot.manifest.quick]
    fitting = [bot for bot in quick if bot.digest not in digests] if len(chosen) < seats else []
    often = forfeits([bot.digest for bot in fitting])
    fillers = [bot for bot in fitting if bot.digest not in often][: max(0, seats - len(chosen))]
    bots = _unmistakable([*chosen, *fillers])
    notes += [bot.note for bot in bots if isinstance(bot, RemoteBot) and bot.note]
    if fillers:
        names = ", ".join(bot.label for bot in fillers)
        few = (
            f"{count(len(chosen), 'bot')} {'was' if len(chosen) == 1 else 'were'} named for tables of {seats + beside}"
        )
        notes.append(f"{few}, so these sample bots fill up: {names}.")
    return check_enough(Choice(tuple(_distinct(bots)), tuple(notes)), seats, beside)


def _lying_here(submissions: Sequence[Submission]) -> tuple[list[BotFolder], str]:
    """The bots in `my_bots/` whose files nobody submitted, and what to say of those that are retired.

    Whoever submitted a bot has one bot more by it and not two, so its folder neither plays beside it nor in its place.
    """
    submitted = {one.digest: one for one in submissions}
    here = discover([MY_BOTS])
    labels = ", ".join(bot.label for bot in here if bot.digest in submitted and submitted[bot.digest].retired)
    retired = f"Left out, since retired: {labels}; `arena bots restore NAME` lets a bot play again. " if labels else ""
    return [bot for bot in here if bot.digest not in submitted], retired


def _able(bots: Iterable[Bot], notes: Sequence[str], forfeits: Forfeits, left_out: str) -> Choice:
    """All of these bots, but for those that forfeited most of their last matches; `left_out` tells of others."""
    once = _distinct(bots)
    often = forfeits([bot.digest for bot in once])
    forfeiting = ", ".join(
        f"{bot.label} (forfeited {often[bot.digest]} of its last {LAST_MATCHES} matches)"
        for bot in once
        if bot.digest in often
    )
    if forfeiting:
        left_out += f"Left out: {forfeiting}. To play with them again: `arena bots restore NAME`, or name them."
    able = tuple(bot for bot in once if bot.digest not in often)
    return Choice(able, tuple(notes), left_out.rstrip())


def _too_many(left: Sequence[Submission], per_owner: int) -> str:
    """What to say of bots that are left out, since their owners have more than may play; "" when there are none."""
    if not left:
        return ""
    labels = ", ".join(f"{one.label} of {one.owner}" for one in left)
    return f"Left out: {labels}, since {per_owner} bots of an owner play; --bots-per-owner says how many. "


def _apart(bots: Iterable[Bot], submissions: Sequence[Submission]) -> tuple[list[Bot], list[str]]:
    """The bots, a folder under a version of its own where other files were submitted as what it says; and notes."""
    found = list(bots)
    notes: list[str] = []
    for place, bot in enumerate(found):
        there = [one for one in submissions if one.name == bot.name]
        if isinstance(bot, BotFolder) and any(one.version == bot.version and one.digest != bot.digest for one in there):
            own = next((one.version for one in there if one.digest == bot.digest), "")
            version = own or free_version(bot.version, [one.version for one in there])
            found[place] = replace(bot, manifest=replace(bot.manifest, version=version))
            notes.append(f"{bot.place} plays as {found[place].label}: other files were submitted as {bot.label}.")
    return found, notes


def find_again(entries: Iterable[EntryState], named: Sequence[str], keyring: Keyring) -> tuple[Bot, ...]:
    """A tournament's bots: among those `named`, where they came from, or among the bots that lie here.

    What ran is what is ranked, so only files with the same digest will do, and of a remote bot only its address. Raises
    Misuse for a bot that is not found.
    """
    known: dict[bytes, Bot] = {bot.digest: bot for bot in (resolve(name, _roots()) for name in named)}
    stored = {one.digest: StoredBot(one) for one in all_submitted() if not one.address}
    found: list[Bot] = []
    for state in entries:
        name, version, digest, remote = state.entry
        if remote:
            found.append(RemoteBot(keyring.access(parse_address(state.origin)), name, version))
            continue
        bot = known.get(digest) or _unchanged(state.origin, digest) or stored.get(digest)
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


def _named(named: Sequence[str], keyring: Keyring, submissions: Sequence[Submission]) -> list[Bot]:
    """The bots of these names; everything is looked at before the first is connected to."""
    found = [_found(word, keyring, submissions) for word in named]
    met = iter(meet([bot for bot in found if isinstance(bot, Access)]))
    return [next(met) if isinstance(bot, Access) else bot for bot in found]


def find_bot(word: str, keyring: Keyring) -> Bot | Access:
    """The one bot that a word means: an address, a folder, or a name, here or among what was submitted.

    Raises what `arena.bots` raises, and Misuse when that cannot be told.
    """
    return _found(word, keyring, all_submitted())


def _found(word: str, keyring: Keyring, submissions: Sequence[Submission]) -> Bot | Access:
    """What a word means: an address, a folder, or what is called so, here or among what was submitted."""
    if is_address(word):
        return keyring.access(parse_address(word))
    if is_place(word):
        return resolve(word, _roots())
    folders = called(word, _roots())
    stored = find_submitted(word, [one for one in submissions if not (folders and one.retired)])
    if stored is None:
        return resolve(word, _roots(), {one.name for one in submissions})
    folder = resolve(word, _roots()) if folders else None
    if folder is None or (folder.digest == stored.digest and folder.path.parent != sample_bots()):
        return as_bot(stored, keyring)
    if folder.digest != stored.digest:
        raise Misuse(
            f"'{word}' could be {folder.place} or {stored.label}, which was submitted: name the folder by its path, "
            f"or {stored.name}@{stored.version}"
        )
    return folder


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


def check_enough(choice: Choice, seats: int, beside: int = 0) -> Choice:
    """The same choice; Misuse when it has too few bots for a table, at which so many people sit `beside` them."""
    if len(choice.bots) < seats:
        names = ", ".join(bot.label for bot in choice.bots) or "none"
        there = f"there {'is' if len(choice.bots) == 1 else 'are'} {len(choice.bots)} ({names})"
        raise Misuse(
            f"tables of {seats + beside} need {seats} different bots, but {there}: "
            f"name more bots, or choose smaller tables with --seats{'. ' * bool(choice.left_out)}{choice.left_out}"
        )
    return choice
