"""The table that people see."""

from __future__ import annotations

import pytest

from arena.rating.counts import PairCount
from arena.rating.errors import BadResultsError
from arena.rating.model import Record
from arena.rating.standings import BotTotals, standings


def totals(bot: str, name: str = "", version: str = "1.0", matches: int = 10) -> BotTotals[str]:
    return BotTotals(bot, matches, matches // 2, 15, 1_250_000, 0, 0, name, version)


def duel(a: str, b: str, wins: int, losses: int) -> PairCount[str]:
    return PairCount(a, b, 2, True, wins + losses, wins, 0)


def test_rows_run_from_the_best_to_the_worst() -> None:
    rows = standings([totals(bot) for bot in "ABC"], [duel("A", "B", 4, 6), duel("B", "C", 6, 4)])
    assert [(row.place, row.bot) for row in rows] == [(1, "B"), (2, "A"), (2, "C")]


def test_the_anchor_stands_at_1500() -> None:
    rows = standings([totals("A"), totals("B")], [duel("A", "B", 7, 3)], anchor="B")
    assert [row.bot for row in rows if row.rating == 1500] == ["B"]


def test_equals_share_a_place_and_stand_by_name_version_and_key() -> None:
    level = [totals("A", "zeta"), totals("B", "alpha", "2"), totals("C", "alpha", "1"), totals("D", "alpha", "1")]
    bots = "ABCD"
    counts = [duel(a, b, 5, 5) for a in bots for b in bots if a < b] + [duel(bot, "Z", 6, 4) for bot in bots]
    rows = standings([*level, totals("Z")], counts)
    assert [(row.place, row.bot) for row in rows] == [(1, "C"), (1, "D"), (1, "B"), (1, "A"), (5, "Z")]


def test_the_order_in_which_totals_and_counts_are_given_changes_nothing() -> None:
    given = [totals(bot) for bot in "ABCD"]
    counts = [duel("A", "B", 4, 6), duel("B", "C", 6, 4), duel("C", "D", 5, 5), duel("A", "D", 3, 7)]
    assert standings(given[::-1], counts[::-1]) == standings(given, counts)


def test_means_come_from_the_sums() -> None:
    sums = BotTotals("A", matches=8, blocks=4, place_sum=10, lead_micro=-6_000_000, faults=3, fault_matches=2)
    row = next(row for row in standings([sums, totals("B")], [duel("A", "B", 4, 4)]) if row.bot == "A")
    assert (row.matches, row.blocks, row.mean_place, row.points_a_deal) == (8, 4, 1.25, -1.5)
    assert (row.faults, row.fault_matches) == (3, 2)


def test_a_bot_without_matches_stands_last_and_shows_no_numbers() -> None:
    idle = BotTotals("A", 0, 0, 0, 0, 0, 0)
    row = standings([idle, totals("B"), totals("C")], [duel("B", "C", 6, 4)])[-1]
    assert row.bot == "A"
    assert (row.place, row.rating, row.component, row.mean_place, row.points_a_deal) == (None,) * 5


def test_perfect_records_are_flagged() -> None:
    rows = standings([totals(bot) for bot in "ABC"], [duel("A", "B", 3, 0), duel("B", "C", 3, 0)])
    assert [(row.bot, row.record) for row in rows] == [
        ("A", Record.UNBEATEN),
        ("B", Record.MIXED),
        ("C", Record.WINLESS),
    ]


def test_components_are_placed_apart_the_anchors_first() -> None:
    counts = [duel("A", "B", 6, 4), duel("B", "C", 6, 4), duel("D", "E", 9, 1)]
    rows = standings([totals(bot) for bot in "ABCDE"], counts, anchor="E")
    assert [(row.component, row.place, row.bot) for row in rows] == [
        (1, 1, "D"),
        (1, 2, "E"),
        (2, 1, "A"),
        (2, 2, "B"),
        (2, 3, "C"),
    ]


def test_no_bots_are_an_empty_table() -> None:
    assert standings(list[BotTotals[str]](), []) == ()


def test_two_totals_for_one_bot_are_refused() -> None:
    with pytest.raises(BadResultsError, match="two totals"):
        standings([totals("A"), totals("A")], [])


def test_counts_of_a_bot_without_totals_are_refused() -> None:
    with pytest.raises(BadResultsError, match="not in the list"):
        standings([totals("A")], [duel("A", "B", 1, 1)])
