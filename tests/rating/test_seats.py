"""Whether the seat matters."""

from __future__ import annotations

import numpy as np

from arena.rating.counts import MatchResult
from arena.rating.results import Block, Results
from arena.rating.seats import seat_table
from tests.rating.examples import results


def test_every_table_size_and_seat_has_a_row() -> None:
    rows = seat_table(results(["A>B B>A", "A>B>C"]))
    assert [(row.seats, row.seat, row.matches) for row in rows] == [
        (2, 0, 2),
        (2, 1, 2),
        (3, 0, 1),
        (3, 1, 1),
        (3, 2, 1),
    ]


def test_a_seat_that_always_wins_shows_in_share_and_place() -> None:
    first, second = seat_table(results(["A>B B>A"] * 10))
    assert (first.share, first.mean_place, second.share, second.mean_place) == (1, 1, 0, 2)


def test_the_lead_of_a_seat_is_in_points_a_deal() -> None:
    match = MatchResult(("A", "B"), (1, 2), (False, False), points=(1, 4), deals=6)
    first, second = seat_table(Results.from_blocks([Block(0, (match,))]))
    assert (first.lead, second.lead) == (0.5, -0.5)


def test_one_block_leaves_any_share_to_chance() -> None:
    assert {row.share_chance for row in seat_table(results(["A>B B>A"]))} == {None}


def test_a_bot_alone_at_its_table_tells_nothing_of_seats() -> None:
    assert seat_table(results(["A>A>A"])) == ()


def test_chance_keeps_seats_without_an_effect_within_its_bounds() -> None:
    generator = np.random.default_rng(8)
    outside = 0
    for _ in range(100):
        places = [tuple((generator.permutation(4) + 1).tolist()) for _ in range(30)]
        blocks = [Block(key, (MatchResult(tuple("ABCD"), each, (False,) * 4),)) for key, each in enumerate(places)]
        table = seat_table(Results.from_blocks(blocks))
        outside += any(abs(row.share - 0.5) > (row.share_chance or 0) for row in table)
    assert 0 < outside <= 100 * 0.1
