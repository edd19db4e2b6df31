"""Rules 6 to 8: what a deal costs, who is knocked out, who stands where."""

from collections.abc import Sequence

import pytest

from arena.game.events import DealEnd, DealEnded, Ending, MatchEnded
from arena.game.scoring import most_points, places, points_of_declaration, points_of_showdown
from arena.game.variant import Crossing, Finish, Variant
from tests.game.tables import STANDARD, declare_with, do, lay, lay_totals, play

STRICT = Variant(tie_holds=False)
AT_25 = Variant(threshold=25)


@pytest.mark.parametrize(
    ("totals", "points"),
    [
        ((10, 16, 17), (0, 6, 7)),
        ((10, 8, 15), (22, 0, 0)),
        ((10, 10, 15), (0, 0, 5)),
        ((10, 10, 10), (0, 0, 0)),
        ((10, 8, 8), (22, 0, 0)),
        ((10, 10, 5), (25, 0, 0)),
        ((12, 9, 5, 30), (27, 0, 0, 0)),
        ((50, 1), (69, 0)),
        ((1, 50), (0, 49)),
    ],
)
def test_a_declaration_costs_the_difference_or_the_penalty(totals: Sequence[int], points: Sequence[int]) -> None:
    assert points_of_declaration(totals, 0, STANDARD) == points
    events = declare_with(lay_totals(totals, variant=Variant(threshold=99)), 0, totals)
    assert events[1] == DealEnded(DealEnd.DECLARED, tuple(totals), points)


@pytest.mark.parametrize(
    ("totals", "points"), [((10, 10, 15), (20, 0, 0)), ((10, 10, 10), (20, 0, 0)), ((10, 11), (0, 1))]
)
def test_a_tie_breaks_the_declaration_when_the_variant_says_so(totals: Sequence[int], points: Sequence[int]) -> None:
    assert points_of_declaration(totals, 0, STRICT) == points


def test_the_declarer_may_sit_anywhere_and_empty_seats_are_not_compared() -> None:
    assert points_of_declaration((None, 16, 10, None, 17), 2, STANDARD) == (None, 6, 0, None, 7)
    assert points_of_declaration((None, 16, 10, None, 17), 4, STANDARD) == (None, 0, 0, None, 27)


def test_the_penalty_is_a_choice() -> None:
    assert points_of_declaration((10, 8, 15), 0, Variant(penalty=0)) == (2, 0, 0)
    assert points_of_declaration((10, 10), 0, Variant(penalty=7, tie_holds=False)) == (7, 0)


def test_in_a_showdown_nobody_pays_the_penalty() -> None:
    assert points_of_showdown((12, 9, 9)) == (3, 0, 0)
    assert points_of_showdown((12, None, 9)) == (3, None, 0)


def test_points_cross_beyond_the_threshold_or_on_reaching_it() -> None:
    assert most_points(AT_25) == 25
    assert most_points(Variant(threshold=25, crossing=Crossing.REACH)) == 24
    assert most_points(Variant(threshold=0, deal_cap=1)) > 10**9


@pytest.mark.parametrize(
    ("crossing", "added", "stays"),
    [(Crossing.BEYOND, 1, True), (Crossing.BEYOND, 2, False), (Crossing.REACH, 1, False), (Crossing.REACH, 0, True)],
)
def test_a_seat_on_24_is_knocked_out_at_25_by_what_crosses(crossing: Crossing, added: int, stays: bool) -> None:
    table = lay_totals((5, 5, 5), variant=Variant(threshold=25, crossing=crossing), points=[0, 24, 0])
    declare_with(table, 0, (5, 5 + added, 5))
    assert table.points[1] == 24 + added
    assert (table.knocked_out[1] is None) is stays
    assert (table.hands[1] is not None) is stays, "who is out is dealt no cards"


def test_those_who_cross_in_one_deal_are_all_out_and_rank_by_points() -> None:
    table = lay_totals((6, 31, 32, 50), variant=AT_25)
    declare_with(table, 0, (6, 31, 32, 50))
    assert table.points == [0, 25, 26, 44]
    assert table.knocked_out == [None, None, 0, 0]
    events = declare_with(table, 1, (6, 7))
    assert events[-1] == MatchEnded(Ending.LAST_STANDING, (1, 2, 3, 4), (0, 46, 26, 44))


def test_the_lowest_may_win_by_knocking_out_all_others() -> None:
    table = lay_totals((3, 10, 12), variant=AT_25, points=[25, 20, 22])
    events = declare_with(table, 0, (3, 10, 12))
    assert events[-1] == MatchEnded(Ending.LAST_STANDING, (1, 2, 3), (25, 27, 31))
    assert table.outcome == events[-1]
    assert table.seat == -1


@pytest.mark.parametrize(("own", "points", "out"), [(10, 25, False), (11, 26, True)])
def test_a_false_declaration_may_knock_the_declarer_out(own: int, points: int, out: bool) -> None:
    table = lay_totals((own, 5, 20), variant=AT_25)
    declare_with(table, 0, (own, 5, 20))
    assert table.points == [points, 0, 0]
    assert (table.hands[0] is None) is out


def test_threshold_0_knocks_nobody_out() -> None:
    table = lay_totals((1, 50), variant=Variant(threshold=0, deal_cap=2))
    declare_with(table, 0, (1, 50))
    assert table.knocked_out == [None, None]
    events = declare_with(table, 1, (50, 1))
    assert events[-1] == MatchEnded(Ending.DEAL_CAP, (1, 1), (49, 49))


def test_places_count_the_seats_strictly_better() -> None:
    nobody = [None] * 4
    assert places([5, 3, 5, 9], nobody, [False] * 4, Ending.DEAL_CAP) == (2, 1, 2, 4)


def test_who_is_out_later_stands_better_whatever_the_points() -> None:
    assert places([0, 90, 60, 60], [None, 7, 3, 3], [False] * 4, Ending.LAST_STANDING) == (1, 2, 3, 3)


def test_seats_that_forfeited_are_level_behind_all_others() -> None:
    assert places([10, 0, 99, 30], [None, None, 0, None], [False, True, False, True], Ending.FORFEIT) == (1, 3, 2, 3)


def test_after_first_out_all_that_did_not_forfeit_rank_by_points() -> None:
    table = lay_totals((5, 5, 30), variant=Variant(threshold=25, finish=Finish.FIRST_OUT), points=[20, 3, 2])
    events = declare_with(table, 0, (5, 8, 30))
    assert events[-1] == MatchEnded(Ending.FIRST_OUT, (2, 1, 3), (20, 6, 27))


def test_first_out_goes_before_last_standing_and_the_deal_cap() -> None:
    variant = Variant(threshold=25, finish=Finish.FIRST_OUT, deal_cap=1)
    assert declare_with(lay_totals((5, 40), variant=variant), 0, (5, 40))[-1].ending is Ending.FIRST_OUT  # type: ignore[union-attr]


def test_last_standing_goes_before_the_deal_cap() -> None:
    table = lay_totals((5, 40), variant=Variant(threshold=25, deal_cap=1))
    assert declare_with(table, 0, (5, 40))[-1].ending is Ending.LAST_STANDING  # type: ignore[union-attr]


def test_a_match_of_a_fixed_number_of_deals_ends_with_the_last_of_them() -> None:
    table = lay_totals((5, 9, 5), variant=Variant(deal_cap=2))
    assert len(declare_with(table, 0, (5, 9, 5))) == 3
    assert declare_with(table, 1, (6, 5, 5))[-1] == MatchEnded(Ending.DEAL_CAP, (2, 3, 1), (1, 4, 0))


def test_a_showdown_may_end_the_match() -> None:
    table = lay("Ac As", "Kc Kd Kh Ks", upcard="Ad", variant=Variant(threshold=25, lap_cap=2), lap=1)
    table.seat = 1
    _, scored, ended = do(table, play("Kc", "Ad"))
    assert scored == DealEnded(DealEnd.SHOWDOWN, (2, 31), (0, 29))
    assert ended == MatchEnded(Ending.LAST_STANDING, (1, 2), (0, 29))
