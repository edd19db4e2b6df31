"""Finished matches: as a listing has them, and as the export has them, turn by turn."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from arena.game.events import Ending
from arena.match.faults import FaultKind
from arena.web.api.models.common import BotName, Count, Digest, Document, Listing, MatchId, TournamentId, Version
from arena.web.api.models.tournaments import Limits, Variant

Card = Annotated[str, Field(pattern="^[A23456789TJQK][cdhs]$", examples=["7h"])]

BySeat = Annotated[dict[str, int], Field(description="By the number of the seat.", examples=[{"0": 10, "1": 16}])]

Place = Annotated[int, Field(ge=1)]


class SeatResult(Document):
    """What a match brought to a seat."""

    bot: BotName
    version: Version
    digest: Digest
    place: Place
    points: int
    faults: Count
    forfeited: bool


class Match(Document):
    """A finished match."""

    id: MatchId
    key: int = Field(description="Grows with time.")
    tournament: TournamentId
    block_id: Digest
    rotation: Count
    digest: Digest = Field(description="Of its play: equal matches have equal ones.")
    deals: Count = Field(description="Deals that scored.")
    turns: Count
    ending: Ending | None = Field(description="Null where the record is damaged.")
    seats: list[SeatResult]


class Matches(Listing[Match]):
    """Finished matches, the latest first."""


class Fault(Document):
    """What a bot did wrong."""

    kind: FaultKind
    reason: str
    strike: Count = Field(description="The count of its strikes in this match, with this one.")


class Turn(Document):
    """A turn; one with a `fault` was played by the arena."""

    seat: Count
    micros: Count = Field(description="Microseconds that were charged.")
    fault: Fault | None


class PlayedTurn(Turn):
    """A play: the cards that were discarded, what was taken, and the card that the seat got."""

    action: Literal["play"]
    discard: list[Card]
    take: Card | Literal["closed"]
    card: Card


class DeclaredTurn(Turn):
    """A declaration."""

    action: Literal["declare"]


class ForfeitedTurn(Turn):
    """The last allowed strike."""

    action: Literal["forfeit"]


AnyTurn = Annotated[PlayedTurn | DeclaredTurn | ForfeitedTurn, Field(discriminator="action")]


class Deal(Document):
    """A deal."""

    starter: Count
    hands: dict[str, list[Card]] = Field(description="What was dealt, by the number of the seat.")
    upcard: Card | None
    turns: list[AnyTurn]
    end: Literal["declared", "showdown", "forfeit"]
    totals: BySeat
    points: BySeat


class SeatedBot(Document):
    """The bot in a seat."""

    bot: BotName
    version: Version
    digest: Digest
    remote: bool


class MatchExport(Document):
    """A match as a line of an export has it; `arena verify` checks files of such lines."""

    format: Literal["least-score/match/1"]
    tournament: TournamentId
    match_id: str = Field(description="`BLOCK/ROTATION`.")
    block_id: Digest
    block: Count = Field(description="Which block of its lineup.")
    rotation: Count
    attempt: int = Field(ge=1)
    commitment: Digest
    secret: Digest | None = Field(description="Null until the tournament is finished.")
    beacon: str
    entries: list[tuple[BotName, Version, Digest]]
    lineup: list[Digest]
    seed: Digest
    sandbox: str
    limits: Limits
    variant: Variant
    seats: list[SeatedBot]
    deals: list[Deal]
    places: list[Place]
    points: list[int]
    ending: Ending


class Records(Listing[MatchExport]):
    """The matches of whole blocks, in the order of the plan."""
