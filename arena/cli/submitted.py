"""Bots that were submitted, as commands choose them and find them again: their files lie in the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from shlex import quote

from arena.bots.folders import BotFolder, Contender
from arena.bots.launcher import Launcher
from arena.bots.probe import offered
from arena.bots.remote import Keyring, RemoteBot, parse_address
from arena.bots.stored import prepare_stored
from arena.cli.errors import CommandFailed, Misuse
from arena.cli.output import count
from arena.fleet.engine import Source
from arena.settings import database_url
from arena.store.errors import StoreEmptyError
from arena.store.opening import open_store
from arena.store.submissions import Submission, Submissions, meant_by

PLACE = "submitted"
"""Where a bot from the database is said to come from."""


@dataclass(frozen=True, slots=True)
class StoredBot:
    """A submitted bot whose files lie in the database."""

    submission: Submission

    @property
    def name(self) -> str:
        """As it was submitted."""
        return self.submission.name

    @property
    def version(self) -> str:
        """The one under which it plays."""
        return self.submission.version

    @property
    def digest(self) -> bytes:
        """That of its files."""
        return self.submission.digest

    @property
    def label(self) -> str:
        """Name and version, as people call the bot."""
        return self.submission.label

    @property
    def place(self) -> str:
        """The same for all of them."""
        return PLACE

    @property
    def owner(self) -> str:
        """Who submitted it."""
        return self.submission.owner


def all_submitted() -> tuple[Submission, ...]:
    """Every submission, the oldest first; none before there is a database."""
    try:
        with open_store(database_url(), write=True, create=False) as store:
            return Submissions(store).all()
    except StoreEmptyError:
        return ()


def as_bot(submission: Submission, keyring: Keyring) -> StoredBot | RemoteBot:
    """The bot that was submitted."""
    if not submission.address:
        return StoredBot(submission)
    access = keyring.access(parse_address(submission.address))
    return RemoteBot(access, submission.name, submission.version, owner=submission.owner)


def find_submitted(word: str, submissions: Sequence[Submission]) -> Submission | None:
    """The newest submission that `word` means (a name, NAME@VERSION, or the beginning of a digest), None for none.

    Raises Misuse when all that it means are retired.
    """
    meant = meant_by(word, submissions)
    able = [one for one in meant if one.retired is None]
    if meant and not able:
        raise Misuse(f"{meant[-1].label} is retired: `arena bots restore {quote(word)}` lets it play again")
    return able[-1] if able else None


def source(bot: BotFolder | RemoteBot | StoredBot, launcher: Launcher) -> Source:
    """Where workers find a bot.

    Raises what `Launcher.prepare` raises, `ArchiveError`, and OSError when the system has no room.
    """
    if isinstance(bot, RemoteBot):
        return bot.access
    if isinstance(bot, StoredBot):
        with open_store(database_url(), write=False) as store:
            package = Submissions(store).package(bot.digest)
        return prepare_stored(package, bot.digest, bot.owner, launcher).folder
    return launcher.prepare(bot).folder


def check_kept(bots: Iterable[Contender], level: str) -> None:
    """CommandFailed when bots that somebody submitted would run here without the sandbox."""
    unkept = [bot.label for bot in bots if isinstance(bot, StoredBot)] if level == "none" else []
    if unkept:
        reason = offered().reason if offered().level == "none" else "it was switched off"
        raise CommandFailed(
            f"{', '.join(unkept)} {'was' if len(unkept) == 1 else 'were'} submitted, and what was submitted runs in "
            f"the sandbox only ({reason}): mend that, or name folders of your own"
        )


def shared_out(submissions: Sequence[Submission], per_owner: int) -> tuple[list[Submission], list[Submission]]:
    """The latest `per_owner` of each owner, and the others."""
    had: Counter[str] = Counter()
    taken: list[Submission] = []
    left: list[Submission] = []
    for one in reversed(submissions):
        had[one.owner] += 1
        (taken if had[one.owner] <= per_owner else left).append(one)
    return taken, left


def check_share(bots: Iterable[Contender], per_owner: int) -> None:
    """Misuse when an owner has more than `per_owner` of these bots."""
    shares: dict[str, list[str]] = {}
    for bot in bots:
        if bot.owner:
            shares.setdefault(bot.owner, []).append(bot.label)
    for owner, labels in shares.items():
        if len(labels) > per_owner:
            raise Misuse(
                f"{owner} has {count(len(labels), 'bot')} here ({', '.join(labels)}), and {per_owner} may play for one "
                "owner: name fewer of them, or raise --bots-per-owner"
            )
