"""What one finished block adds to the aggregates: sums that come out alike in whatever order blocks are stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from arena.rating import counts
from arena.rating.counts import PairCount
from arena.tournament.ports import MatchResult, SeatResult


class BotSums(NamedTuple):
    """What a bot's blocks add up to.

    `seats` counts its seats: a bot that sits twice in a match has two. `lead_micro` is the sum over blocks of its lead
    in points a deal, in millionths and rounded block by block: the mean over its seats of (mean points of the other
    seats − own points) / deals of the match. `fault_matches` counts the matches in which it had a fault.
    """

    bot: bytes
    blocks: int
    matches: int
    seats: int
    place_sum: int
    lead_micro: int
    faults: int
    fault_matches: int


def pair_counts(matches: Sequence[MatchResult]) -> tuple[PairCount[bytes], ...]:
    """The pairs of a block, in order of digests; a bot that sits twice is not paired with itself."""
    block = [
        counts.MatchResult(
            tuple(seat.bot for seat in match.seats),
            tuple(seat.place for seat in match.seats),
            tuple(seat.faults > 0 for seat in match.seats),
        )
        for match in matches
    ]
    return counts.pair_counts([block])


def bot_sums(matches: Sequence[MatchResult]) -> list[BotSums]:
    """The sums of a block, by bot in order of digests."""
    sat: dict[bytes, list[tuple[MatchResult, SeatResult]]] = defaultdict(list)
    for match in matches:
        for seat in match.seats:
            sat[seat.bot].append((match, seat))
    return [_sums(bot, sat[bot]) for bot in sorted(sat)]


def _sums(bot: bytes, sat: list[tuple[MatchResult, SeatResult]]) -> BotSums:
    return BotSums(
        bot=bot,
        blocks=1,
        matches=len({match.rotation for match, _ in sat}),
        seats=len(sat),
        place_sum=sum(seat.place for _, seat in sat),
        lead_micro=round(1e6 * fsum(_lead(match, seat) for match, seat in sat) / len(sat)),
        faults=sum(seat.faults for _, seat in sat),
        fault_matches=len({match.rotation for match, seat in sat if seat.faults}),
    )


def _lead(match: MatchResult, own: SeatResult) -> float:
    """Points a deal by which the other seats' mean lies above a seat's own points; a match without a deal gives 0."""
    others = sum(seat.points for seat in match.seats) - own.points
    return (others / (len(match.seats) - 1) - own.points) / max(1, match.deals)
