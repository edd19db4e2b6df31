"""Six copies of one bot that really play: no rating moves away, and no seat is better than another."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from statistics import NormalDist

import numpy as np
import pytest

from arena.analysis.playouts import play_out
from arena.analysis.policies import Greedy, Policy
from arena.game.actions import Action
from arena.game.chance import SeededChance
from arena.game.rules import new_match
from arena.game.variant import Variant
from arena.game.view import Observation
from arena.rating.counts import MatchResult
from arena.rating.report import Report, rate
from arena.rating.results import Block, Results
from arena.tournament.blocks import base_order, rotations

COPIES = tuple(sha256(b"copy %d" % number).digest() for number in range(6))
MATCHES = 5_000
SIZES = range(3, 9)
VARIANT = Variant()


class Moody:
    """Plays like the greedy bot, but draws anew at each turn how low it must be to declare: copies play differently."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def __call__(self, seen: Observation) -> Action:
        return Greedy(declare_at=self._chance.randint(3, 9))(seen)


def lineup(number: int, seats: int) -> list[bytes]:
    """So many seats in turn; at tables of more than six, copies sit twice."""
    return [COPIES[(number + seat) % len(COPIES)] for seat in range(seats)]


def block(number: int, seats: int) -> Block[bytes]:
    seed = sha256(b"block %d" % number).digest()
    matches = []
    for turn, sat in enumerate(rotations(base_order(lineup(number, seats), number, seed))):
        moods: list[Policy] = [Moody(Random(b"%b %d %d %b" % (seed, turn, seat, bot))) for seat, bot in enumerate(sat)]
        ended = play_out(new_match(VARIANT, seats, SeededChance(seed, VARIANT.decks)), moods)
        no_fault = (False,) * seats
        matches.append(MatchResult(sat, ended.outcome.places, no_fault, ended.outcome.points, ended.deals))
    return Block(number, tuple(matches))


def blocks() -> Iterator[Block[bytes]]:
    number = played = 0
    while played < MATCHES:
        one = block(number, SIZES[number % len(SIZES)])
        yield one
        number, played = number + 1, played + len(one.matches)


def widened(judged: int, before: int = 1) -> float:
    """By how much bounds that hold for `before` judgements at once must grow to hold for so many (Bonferroni)."""
    level = NormalDist().inv_cdf
    return level(1 - 0.025 / judged) / level(1 - 0.025 / before)


@pytest.fixture(scope="module")
def played() -> Results[bytes]:
    return Results.from_blocks(blocks())


@pytest.fixture(scope="module")
def report(played: Results[bytes]) -> Report[bytes]:
    return rate(played)


pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def test_there_are_five_thousand_matches_at_tables_of_all_sizes(played: Results[bytes]) -> None:
    assert played.matches >= MATCHES
    assert set(np.bincount(played.match)) == set(SIZES)


def test_the_mean_lies_within_every_interval(report: Report[bytes]) -> None:
    for bot in report.bots:
        assert bot.field is not None
        assert bot.half_width is not None
        assert abs(bot.field) <= bot.half_width < 25


def test_no_copy_is_told_from_another(report: Report[bytes]) -> None:
    assert {bot.rank for bot in report.bots} == {(1, len(COPIES))}
    assert report.intransitivity.circle_count == 0


def test_nobody_drifts_from_the_first_half_to_the_second(played: Results[bytes]) -> None:
    early = np.arange(len(played.keys)) < len(played.keys) // 2
    first, second = ({bot.bot: bot for bot in rate(played.select(half)).bots} for half in (early, ~early))
    for copy in COPIES:
        (a, a_width), (b, b_width) = ((half[copy].field, half[copy].half_width) for half in (first, second))
        assert a is not None and b is not None and a_width is not None and b_width is not None
        assert abs(a - b) <= widened(len(COPIES)) * (a_width**2 + b_width**2) ** 0.5


def test_no_seat_is_better_or_worse_than_chance_explains(report: Report[bytes]) -> None:
    """The bounds of the report are for the seats of one table size; these are for all 33 seats together."""
    assert len(report.seats) == sum(SIZES)
    for seat in report.seats:
        assert seat.share_chance is not None
        assert abs(seat.share - 0.5) <= seat.share_chance * widened(sum(SIZES), seat.seats), seat
