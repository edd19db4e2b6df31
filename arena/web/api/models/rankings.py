"""Rankings, pairs, the course of ratings, and luck."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from arena.rating.model import Record
from arena.rating.widths import Kind
from arena.web.api.models.common import (
    BotName,
    Count,
    Digest,
    Document,
    Fraction,
    Listing,
    TournamentId,
    Version,
)


class RankedBot(Document):
    """A bot in a ranking, in Elo; null where nothing can be said yet."""

    id: Digest
    tournament: TournamentId
    bot: BotName
    version: Version
    rating: float | None = Field(description="On the scale of the list; the interval is `low` to `high`.")
    field: float | None = Field(description="The rating against the mean of its component.")
    half_width: float | None = Field(ge=0, description="Of the 95 % interval of `field`.")
    low: float | None = Field(description="The lower end of the interval; alone, a one-sided bound.")
    high: float | None = Field(description="The upper end of the interval; alone, a one-sided bound.")
    kind: Kind = Field(description="By what the interval is told.")
    flag: Literal["", ">", "<"] = Field(description="`>` won all points, `<` lost all.")
    record: Record = Field(description="The same of the group that it belongs to.")
    place: int | None = Field(ge=1, description="Among the bots of its component.")
    rank: tuple[int, int] | None = Field(description="The first and the last place that the results leave open.")
    component: int | None = Field(ge=0, description="Bots of different components cannot be compared.")
    blocks: Count
    matches: Count
    seats: Count = Field(description="More than matches for a bot that sat twice in some.")
    mean_place: float | None = Field(ge=1)
    points_a_deal: float | None = Field(description="By how much the mean of the others exceeded its own points.")
    points_half_width: float | None = Field(ge=0, description="Of the 95 % interval of `points_a_deal`.")
    faults: Count
    anchor: bool = Field(description="Whether this is the bot that is 1500.")
    finished_blocks: Count = Field(description="Of the tournament.")
    measured_blocks: Count = Field(description="Intervals and ranks are those after so many blocks.")
    fault_matches: Count = Field(description="Matches in which it had a fault.")
    fault_share: Fraction | None
    withdrawn: str | None = Field(description="Why it was withdrawn, null if it was not.")
    voids: Count = Field(description="Blocks with it that failed through the arena's own fault.")


class Ranking(Listing[RankedBot]):
    """The bots of a tournament, the best first."""


class Pair(Document):
    """How bot `a` fared against bot `b`, in sums over finished blocks."""

    a: Digest
    b: Digest
    blocks: Count = Field(description="Blocks that hold both.")
    games: Count = Field(description="Pairs of a seat of `a` and a seat of `b` at one table.")
    wins: Count = Field(description="In so many `a` finished ahead.")
    draws: Count = Field(description="In so many they finished level.")
    points: float = Field(ge=0, description="Of `a`: a win is 1, a draw is 0.5.")
    share: Fraction = Field(description="The mean share of `a` in the points of a block.")
    low: float | None = Field(description="The lower end of the 95 % interval of `share`; alone, a one-sided bound.")
    high: float | None = Field(description="The upper end; both are null after a single block.")
    superiority: Fraction | None = Field(description="How likely `a` is the better one, from their blocks alone.")


class Pairs(Listing[Pair]):
    """Every two bots that met, once."""


class Mark(Document):
    """A rating after so many blocks."""

    blocks: Count
    rating: float


class Course(Document):
    """How the rating of a bot came about in a tournament."""

    id: Digest
    tournament: TournamentId
    marks: list[Mark] = Field(description="Fitted to the first blocks of the plan, then to ever more of them.")


class Courses(Document):
    """The same for each version of a bot."""

    items: list[Course]


class DesignEffect(Document):
    """The variance of a block's mean against that of as many matches on deals of their own: below 1 they pay."""

    points: float | None
    places: float | None
    points_error: float | None = Field(description="Standard error; null where there are too few blocks.")
    places_error: float | None = Field(description="Standard error; null where there are too few blocks.")


class SeatFigures(Document):
    """How a seat at tables of so many seats fared."""

    seats: Count
    seat: Count
    matches: Count
    mean_place: float
    share: Fraction = Field(description="Of the others beaten.")
    share_chance: float | None = Field(description="As far from one half as chance alone takes it, 95 times in 100.")
    lead: float | None = Field(description="Points a deal.")
    lead_chance: float | None = Field(description="As far from 0 as chance alone takes it, 95 times in 100.")


class Circle(Document):
    """Three bots that beat each other in a circle."""

    bots: tuple[Digest, Digest, Digest]
    likelihood: Fraction = Field(description="Of the least sure of the three.")


class Luck(Document):
    """What is known of luck in a tournament."""

    tournament: TournamentId
    blocks: Count
    matches: Count
    design_effect: DesignEffect
    seats: list[SeatFigures]
    circles: list[Circle]
    circle_count: Count
    cyclic_share: Fraction | None = Field(description="Of what the pairs tell, so much fits no order of the bots.")
