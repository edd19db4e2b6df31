"""What is said of a bot when there is much to go by, little, or nothing."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from arena.rating.bot_rows import BotReport
from arena.rating.model import Record
from arena.rating.report import rate
from arena.rating.results import Results
from arena.rating.widths import Kind
from tests.rating import examples
from tests.rating.examples import results

ELO = 0.1


def rows(blocks: list[str], bots: str = "", **options: float | dict[str, float]) -> dict[str, BotReport[str]]:
    report = rate(results(blocks, bots), **options)  # type: ignore[arg-type]
    for row in report.bots:
        assert all(value is None or math.isfinite(value) for value in row if isinstance(value, float | None))
        assert row.half_width is None or row.half_width > 1.0
    return {row.bot: row for row in report.bots}


def test_a_bot_that_won_all_is_bounded_from_below() -> None:
    best = rows(examples.UNBEATEN, anchor={"B": 1500})["A"]
    assert (best.kind, best.flag, best.record, best.half_width, best.high) == (
        Kind.ABOVE,
        ">",
        Record.UNBEATEN,
        None,
        None,
    )
    assert (best.rating, best.low) == pytest.approx((2044.7, 1640.2), abs=ELO)


def test_a_bot_that_lost_all_is_bounded_from_above() -> None:
    mirrored = [order[::-1] for order in examples.UNBEATEN]
    worst = rows(mirrored, anchor={"B": 1500})["A"]
    assert (worst.kind, worst.flag, worst.record, worst.half_width, worst.low) == (
        Kind.BELOW,
        "<",
        Record.WINLESS,
        None,
        None,
    )
    assert (worst.rating, worst.high) == pytest.approx((955.3, 1359.8), abs=ELO)


def test_a_bound_never_lies_on_the_wrong_side_of_the_rating() -> None:
    best = rows(["A>B"] * 50, prior=100.0)["A"]
    assert best.low is not None and best.rating is not None
    assert best.low <= best.rating


def test_a_pair_with_a_bot_that_won_all_shows_the_naive_interval() -> None:
    pair = rate(results(examples.UNBEATEN)).comparisons.pair("A", "B")
    assert pair.half_width == pytest.approx(500.2, abs=ELO)


@pytest.mark.parametrize(("blocks", "kind"), [(5, Kind.NAIVE), (6, Kind.TWO_SIDED)])
def test_fewer_than_three_points_won_are_guarded(blocks: int, kind: Kind) -> None:
    half_a_point_a_block = ["B>A A=B"] * (blocks - 1) + ["B>A A=B B>A"]
    assert rows(half_a_point_a_block)["A"].kind is kind


def test_bots_of_groups_that_never_took_a_point_from_each_other_are_guarded() -> None:
    upper, lower = ["A>B", "B>A"] * 20, ["C>D", "D>C"] * 20
    across = ["A>C", "A>D", "B>C", "B>D"] * 6
    found = rows(upper + lower + across)
    assert {row.kind for row in found.values()} == {Kind.NAIVE}
    assert {bot: row.record for bot, row in found.items()} == {
        "A": Record.UNBEATEN,
        "B": Record.UNBEATEN,
        "C": Record.WINLESS,
        "D": Record.WINLESS,
    }


def test_one_broken_bot_hardly_widens_the_intervals_of_a_long_list() -> None:
    bots = "ABCDEFGHIJKLMNOP"
    even = [order for a, b in combinations(bots, 2) for order in (f"{a}>{b}", f"{b}>{a}")]
    without, beside = rows(even), rows(even + [f"{bot}>Z" for bot in bots])
    assert {beside[bot].kind for bot in bots} == {Kind.TWO_SIDED}
    for bot in bots:
        assert (beside[bot].half_width or 0) < 1.25 * (without[bot].half_width or 0)


def test_a_single_block_is_provisional() -> None:
    (winner, loser) = rows(["A>B B>A A>B"]).values()
    assert (winner.kind, loser.kind) == (Kind.PROVISIONAL, Kind.PROVISIONAL)
    assert winner.half_width == pytest.approx(loser.half_width)


def test_a_single_match_is_provisional_and_the_record_flagged() -> None:
    found = rows(["A>B"])
    assert found["A"].rating == pytest.approx(1500 + 262.8 / 2, abs=ELO)
    assert [(row.kind, row.flag, row.rank) for row in found.values()] == [
        (Kind.PROVISIONAL, ">", (1, 2)),
        (Kind.PROVISIONAL, "<", (1, 2)),
    ]


def test_two_matches_that_went_both_ways_have_wide_intervals() -> None:
    for row in rows(["A>B", "B>A"]).values():
        assert row.half_width is not None
        assert row.half_width > 200
        assert row.kind is Kind.TWO_SIDED or row.kind is Kind.NAIVE


def test_a_bot_without_matches_is_a_row_of_nothing() -> None:
    idle = rows(["A>B", "B>A"], bots="ABZ")["Z"]
    assert (idle.kind, idle.blocks, idle.matches, idle.flag) == (Kind.NONE, 0, 0, "")
    assert {idle.rating, idle.field, idle.half_width, idle.low, idle.high, idle.rank, idle.component} == {None}


def test_a_bot_that_met_only_itself_has_matches_and_no_rating() -> None:
    alone = rows(["A>A A>A", "A>A"])["A"]
    assert (alone.kind, alone.rating, alone.blocks, alone.matches, alone.seats) == (Kind.NONE, None, 2, 3, 6)


def test_a_bot_beside_itself_meets_the_other_from_both_seats() -> None:
    found = rows(["A>B>A>B", "B>A>B>A", "A>A>B>B"])
    assert (found["A"].matches, found["A"].seats, found["A"].blocks) == (3, 6, 3)
    assert found["A"].rating == pytest.approx(1500 + (1500 - (found["B"].rating or 0)), abs=1e-6)


def test_ties_only_are_level_and_not_certain() -> None:
    for row in rows(["A=B=C=D"] * 40).values():
        assert row.rating == pytest.approx(1500, abs=1e-6)
        assert row.kind is Kind.NAIVE


def test_blocks_that_all_end_alike_are_not_certain() -> None:
    for row in rows(["A>B B>A"] * 40).values():
        assert row.kind is Kind.NAIVE


def test_no_prior_and_one_block_between_two_groups_is_guarded() -> None:
    blocks = ["A>B", "B>A"] * 30 + ["C>D", "D>C"] * 30 + ["B>C C>B"]
    found = rows(blocks, prior=0.0)
    assert {row.kind for row in found.values()} == {Kind.NAIVE}


def test_a_newcomer_with_one_block_is_provisional_among_the_others() -> None:
    found = rows([*examples.CIRCLE, "A>D D>A"])
    assert {bot: row.kind for bot, row in found.items()} == {
        "A": Kind.TWO_SIDED,
        "B": Kind.TWO_SIDED,
        "C": Kind.TWO_SIDED,
        "D": Kind.PROVISIONAL,
    }


def test_the_mean_is_at_1500_and_field_is_the_distance_from_it() -> None:
    found = rows(examples.SIX_TABLES)
    assert {bot: row.field for bot, row in found.items()} == pytest.approx(
        {"A": 101.2, "B": 28.3, "C": -28.3, "D": -101.2}, abs=ELO
    )
    assert all(row.rating == pytest.approx(1500 + (row.field or 0.0)) for row in found.values())


def test_an_anchor_moves_ratings_and_ends_but_no_width() -> None:
    free, anchored = rows(examples.SIX_TABLES), rows(examples.SIX_TABLES, anchor={"D": 1500})
    assert {bot: row.rating for bot, row in anchored.items()} == pytest.approx(
        {"A": 1702.5, "B": 1629.5, "C": 1573.0, "D": 1500}, abs=ELO
    )
    for bot, row in anchored.items():
        assert (row.field, row.half_width) == (free[bot].field, free[bot].half_width)
        assert (row.low or 0) + (row.high or 0) == pytest.approx(2 * (row.rating or 0))


def test_an_anchor_may_stand_anywhere() -> None:
    assert rows(examples.SIX_TABLES, anchor={"D": 0})["A"].rating == pytest.approx(202.5, abs=ELO)


def test_bots_run_from_the_best_to_the_worst_the_anchors_component_first() -> None:
    report = rate(results(examples.TWO_COMPONENTS, "ABCDZ"), anchor={"D": 1500})
    assert [(row.bot, row.component, row.place) for row in report.bots] == [
        ("C", 0, 1),
        ("D", 0, 2),
        ("A", 1, 1),
        ("B", 1, 2),
        ("Z", None, None),
    ]


def test_equals_share_a_place() -> None:
    assert [row.place for row in rows(examples.CIRCLE).values()] == [1, 1, 1]


def test_faults_and_mean_place_run_over_seats() -> None:
    report = rate(Results.from_blocks([examples.block(0, "A>B>A A>A>B", "B"), examples.block(1, "B>A")]))
    found = {row.bot: row for row in report.bots}
    assert (found["B"].faults, found["B"].mean_place) == (2, 2.0)
    assert (found["A"].faults, found["A"].mean_place) == (0, 1.8)
