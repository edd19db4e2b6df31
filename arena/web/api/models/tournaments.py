"""Tournaments: what was fixed when one opened, and how far it is."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from arena.game.variant import Crossing, Finish
from arena.web.api.models.common import BotName, Count, Digest, Document, Listing, Moment, TournamentId, Version


class Blocks(Document):
    """How many blocks stand in each state."""

    todo: Count
    running: Count
    done: Count
    quarantined: Count = Field(description="Failed too often and were given up.")
    withdrawn: Count = Field(description="Not played, since a bot of theirs was withdrawn.")


class Tournament(Document):
    """A tournament as a listing has it."""

    id: TournamentId
    name: str
    format: str = Field(examples=["round-robin"])
    seats: int = Field(ge=2, le=10, description="At each table.")
    deals: Count = Field(description="Blocks a lineup, in formats that plan so.")
    bots: Count
    opened: Moment
    finished: Moment | None
    blocks: Blocks
    sandbox: str = Field(examples=["full"])


class Tournaments(Listing[Tournament]):
    """Tournaments, the latest first."""


class Variant(Document):
    """The rules."""

    hand_size: int
    decks: int
    upcard: bool
    mixed_pairs: bool
    tie_holds: bool
    penalty: int
    threshold: int
    crossing: Crossing
    finish: Finish
    lap_cap: int
    deal_cap: int


class Limits(Document):
    """What bots must keep to."""

    bank_ms: int
    show_names: bool
    strikes: int
    turn_ms: int


class EntryState(Document):
    """A bot that entered, and how it fared."""

    id: Digest
    bot: BotName
    version: Version
    remote: bool
    withdrawn: str | None = Field(description="Why it was withdrawn, null if it was not.")
    voids: Count = Field(description="Blocks with it that failed through the arena's own fault.")


class Entries(Listing[EntryState]):
    """Entries in the order of the entries digest."""


class GivenUp(Document):
    """A block that failed too often."""

    id: Digest
    reason: str


class WholeTournament(Tournament):
    """All that is told of one tournament."""

    commitment: Digest = Field(description="SHA-256 of the secret from which all cards follow.")
    secret: Digest | None = Field(description="Null until the tournament is finished.")
    beacon: str
    beacon_text: str
    entries_digest: Digest
    options: dict[str, Any] = Field(description="Of the format.")
    variant: Variant
    limits: Limits
    entries: list[EntryState]
    quarantined: list[GivenUp]
    rounds: Count | None = Field(description="Rounds that began; null for a plan that was made as a whole.")
    closing: str = Field(description="What the format has to say of how it went.")


class Progress(Document):
    """How far a tournament is."""

    id: TournamentId
    blocks: Blocks
    finished: Moment | None
    is_played: bool = Field(description="Whether somebody plays it just now.")
