"""Bots, what they played, and what happened to them."""

from __future__ import annotations

from pydantic import Field

from arena.web.api.models.common import (
    BotName,
    Count,
    Digest,
    Document,
    Fraction,
    Listing,
    MatchId,
    Moment,
    TournamentId,
    Version,
)


class Bot(Document):
    """A version of a bot that was submitted or entered a tournament, with its sums over all tournaments."""

    id: Digest
    name: BotName
    version: Version
    remote: bool = Field(description="Whether it is an address and no files.")
    owner: str | None = Field(description="Who submitted it.")
    submitted: Moment | None
    retired: Moment | None = Field(description="From then on it enters no new tournament.")
    tournaments: Count
    matches: Count
    faults: Count
    fault_matches: Count = Field(description="Matches in which it had a fault.")
    fault_share: Fraction | None
    withdrawn: list[TournamentId] = Field(description="The tournaments from which it was withdrawn.")


class Bots(Listing[Bot]):
    """Bots by name, version and digest."""


class Participation(Document):
    """How a bot fared in a tournament."""

    id: TournamentId
    name: str
    opened: Moment
    finished: Moment | None
    matches: Count
    mean_place: float | None = Field(ge=1)
    faults: Count
    fault_matches: Count
    fault_share: Fraction | None
    voids: Count
    withdrawn: str | None = Field(description="Why it was withdrawn, null if it was not.")


class WholeBot(Bot):
    """A version of a bot and how it fared in each tournament."""

    recent_forfeits: Count = Field(le=20, description="Of its last 20 matches so many were forfeited.")
    fared: list[Participation] = Field(description="The latest tournament first.")


class Versions(Document):
    """All versions of a bot that a word means."""

    items: list[WholeBot]


class Event(Document):
    """Something that happened to a bot beside its results."""

    at: Moment
    id: Digest
    bot: BotName
    version: Version
    tournament: TournamentId
    event: str = Field(examples=["fault"])
    fault: str | None = Field(examples=["TIMEOUT"])
    reason: str
    match: MatchId | None
    block_id: Digest | None
    rotation: int | None
    turn: int | None
    output: list[str] = Field(description="What its process had printed last, line by line.")


class Events(Document):
    """The latest entries of a bot's log, the oldest first."""

    items: list[Event]
    kept_back: Count = Field(
        description="Entries that are not shown before the blocks that were in play then are complete or given up."
    )
