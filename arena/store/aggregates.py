"""What one finished block adds to the aggregates: sums that come out alike in whatever order blocks are stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
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


class PairSums(NamedTuple):
    """What a block says of two bots: its `PairCount`, and how far its mean score for `a` lies above one half.

    `edge_micro` is that in millionths, `square_micro` its square, so that over many blocks they tell mean and scatter.
    """

    a: bytes
    b: bytes
    seats: int
    clean: bool
    n: int
    wins: int
    draws: int
    blocks: int
    edge_micro: int
    square_micro: int


class ChairSums(NamedTuple):
    """What a bot's blocks add up to in one seat.

    The edge of a block is the share of the other bots' seats that it beat from there (½ for level), less one half.
    """

    bot: bytes
    seat: int
    blocks: int
    matches: int
    place_sum: int
    edge_micro: int
    square_micro: int


class HabitSum(NamedTuple):
    """So many of a habit with a value: see `arena.tournament.habits`."""

    bot: bytes
    habit: str
    value: int
    n: int


def pair_sums(matches: Sequence[MatchResult]) -> Iterator[PairSums]:
    """The sums of a block, by pair in order of digests."""
    for pair in pair_counts(matches):
        edge = (2 * pair.wins + pair.draws - pair.games) / (2 * pair.games)
        counted = (pair.a, pair.b, pair.seats, pair.clean, pair.games, pair.wins, pair.draws)
        yield PairSums(*counted, 1, *_edge_micro(edge))


def chair_sums(matches: Sequence[MatchResult]) -> Iterator[ChairSums]:
    """The sums of a block, by bot and seat; a seat that met no other bot there has none."""
    sat: dict[tuple[bytes, int], list[tuple[float, int]]] = defaultdict(list)
    for match in matches:
        for number, own in enumerate(match.seats):
            others = [seat.place for seat in match.seats if seat.bot != own.bot]
            if others:
                beaten = sum((place > own.place) + 0.5 * (place == own.place) for place in others)
                sat[own.bot, number].append((beaten / len(others), own.place))
    for (bot, seat), found in sorted(sat.items()):
        edge = fsum(share for share, _ in found) / len(found) - 0.5
        yield ChairSums(bot, seat, 1, len(found), sum(place for _, place in found), *_edge_micro(edge))


def habit_sums(matches: Sequence[MatchResult]) -> Iterator[HabitSum]:
    """How the bots of a block played, in order of digests, kinds and values."""
    found: Counter[tuple[bytes, str, int]] = Counter()
    for match in matches:
        for seat, habits in zip(match.seats, match.habits, strict=False):  # there may be none at all
            for habit, value, n in habits:
                found[seat.bot, habit.value, value] += n
    for key, n in sorted(found.items()):
        yield HabitSum(*key, n)


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


def _edge_micro(edge: float) -> tuple[int, int]:
    """How far a mean score lies above one half, in millionths, and the square of that."""
    return round(1e6 * edge), round(1e6 * edge**2)
