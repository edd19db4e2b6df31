"""A tournament's ranking with all that a page of it shows, and the notes that one must know to read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from arena.rating.bot_rows import BotReport
from arena.rating.notes import Note
from arena.rating.wording import circle_notes, deals_notes, group_notes, reading_notes, seat_notes
from arena.store.aggregates import BotSums
from arena.store.ratings_lists import RatingList
from arena.store.repository import EntryState, Repository, StoredTournament
from arena.tournament.labels import harmless, labels
from arena.tournament.ports import BlockState

MOST_NOTES = 3
"""So many contradictions of one kind are told."""


@dataclass(frozen=True)
class Ranking:
    """The ranking of a tournament; `fared` are its entries by digest, `labels` their names.

    `clean`: without the blocks in which a bot had a fault.
    """

    stored: StoredTournament
    clean: bool
    rated: RatingList
    fared: Mapping[bytes, EntryState]
    sums: Mapping[bytes, BotSums]
    labels: Mapping[bytes, str]

    def faults(self, bot: bytes) -> tuple[int, int]:
        """A bot's faults, and the matches in which it had one."""
        if self.clean or bot not in self.sums:
            return 0, 0
        return self.sums[bot].faults, self.sums[bot].fault_matches

    @cached_property
    def in_order(self) -> tuple[BotReport[bytes], ...]:
        """The bots as the list has them, but equals by name: their digests mean nothing to a reader."""

        def place(bot: BotReport[bytes]) -> tuple[float, float, str, bytes]:
            group, own = (float("inf") if value is None else value for value in (bot.component, bot.place))
            return group, own, self.labels[bot.bot], bot.bot

        return tuple(sorted(self.rated.bots, key=place))


def read_ranking(repository: Repository, stored: StoredTournament, anchor: bytes | None, *, clean: bool) -> Ranking:
    """The ranking of all blocks of a tournament that are finished now."""
    name = stored.tournament.id
    return Ranking(
        stored,
        clean,
        repository.ratings.current(name, anchor, clean=clean, quick=True),
        {state.entry.digest: state for state in reversed(repository.entries(name))},
        {sums.bot: sums for sums in repository.sums(name)},
        labels(stored.tournament.entries),
    )


def ranking_notes(ranking: Ranking) -> Iterator[Note]:
    """What one must know to read the ranking."""
    bots, summary, names = ranking.in_order, ranking.rated.summary, ranking.labels
    yield _scale(ranking)
    yield from group_notes(bots)
    yield from reading_notes(bots, names.__getitem__)
    if ranking.rated.measured < ranking.rated.blocks:
        yield _measured_at(ranking)
    yield Note("points", "a deal: how much less than the others at the table; above 0 is better than they")
    yield from deals_notes(summary.design_effect)
    circles = [[names[bot] for bot in circle.bots] for circle in summary.circles]
    yield from circle_notes(circles, summary.circle_count, most=MOST_NOTES)
    yield from seat_notes(summary.seats)
    yield from _circumstances(ranking)


def _scale(ranking: Ranking) -> Note:
    anchor = ranking.rated.anchor
    if anchor is not None and any(bot.bot == anchor and bot.rating is not None for bot in ranking.rated.bots):
        return Note(
            "rating",
            "Elo scale: %(anchor)s is 1500, 400 points are odds of ten to one",
            {"anchor": ranking.labels[anchor]},
        )
    return Note("rating", "Elo scale: the mean is 1500, 400 points are odds of ten to one")


def _measured_at(ranking: Ranking) -> Note:
    """Of how many blocks the intervals are, when they are not of all."""
    anew = f"`arena rate {ranking.stored.tournament.id}`"
    if not ranking.rated.measured:
        return Note(
            "block",
            "intervals and ranks were not computed yet, since they take a while: %(command)s computes them anew",
            {"command": anew},
        )
    return Note(
        "block",
        "intervals, ranks and luck are those after %(blocks)s blocks: %(command)s computes them anew",
        {"blocks": ranking.rated.measured, "command": anew},
    )


def _circumstances(ranking: Ranking) -> Iterator[Note]:
    """How it was played, and what went wrong."""
    entries, names = tuple(ranking.fared.values()), ranking.labels
    yield _sandbox(ranking.stored.tournament.sandbox)
    if remote := tuple(names[state.entry.digest] for state in entries if state.entry.remote):
        yield Note(
            "remote",
            "no duplicate deals where one of these sat: %(bots)s; each match against a remote bot has its own cards",
            {"bots": remote},
        )
    for state in entries:
        if state.withdrawn is not None:
            values = {"bot": names[state.entry.digest], "reason": harmless(state.withdrawn)}
            yield Note("gone", "%(bot)s was withdrawn: %(reason)s", values)
    if voided := tuple(f"{names[state.entry.digest]} {state.voids}" for state in entries if state.voids):
        yield Note(
            "void",
            "blocks that failed through the arena's own fault, charged to nobody: %(bots)s",
            {"bots": voided},
        )
    if quarantined := ranking.stored.blocks[BlockState.QUARANTINED]:
        yield Note(
            "given up",
            "blocks that failed too often: %(blocks)s; `arena tournament show` says why",
            {"blocks": quarantined},
        )


def _sandbox(level: str) -> Note:
    """What the level of a tournament means for its results."""
    if level == "full":
        return Note("sandbox", "played in a full sandbox")
    if level == "watchdog":
        return Note(
            "sandbox", "played in a sandbox whose memory limit was watched from outside, so that it could be overshot"
        )
    return Note(
        "sandbox", "played without a sandbox: nothing but trust kept a bot from the machine and from the other bots"
    )
