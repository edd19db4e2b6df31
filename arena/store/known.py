"""The bots that are known in any way: those that were submitted, and those that ever entered a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from arena.store.bots import Participation
from arena.store.submissions import Submission
from arena.tournament.entries import Entry


class KnownBot(NamedTuple):
    """A version of a bot: where it took part, the latest first, and how it was submitted, if it was."""

    bot: Entry
    entered: Sequence[Participation]
    submission: Submission | None


def known_bots(entered: Iterable[Participation], submitted: Iterable[Submission]) -> list[KnownBot]:
    """Each version of a bot once, by name, version and digest; `entered` come in that order."""
    entries = {one: Entry(one.name, one.version, one.digest, one.address != "") for one in submitted}
    by_entry = {entry: one for one, entry in entries.items()}
    by_bot = {bot: list(group) for bot, group in groupby(entered, key=lambda one: one.bot)}
    return [KnownBot(bot, by_bot.get(bot, ()), by_entry.get(bot)) for bot in sorted({*by_bot, *by_entry})]
