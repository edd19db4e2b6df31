from math import comb

import pytest

from arena.tournament.formats import FORMATS, PlanError, checked_format
from arena.tournament.formats.drawing import MOST_LINEUPS
from arena.tournament.rounds import Lineup, Setting
from tests.tournament.formats.counting import off_the_mean, uneven_appearances
from tests.tournament.formats.settled import entries, setting

ROUND_ROBIN = FORMATS["round-robin"]


def lineups(wanted: Setting) -> list[Lineup]:
    return [*ROUND_ROBIN.next_lineups(wanted, ())]


def test_all_lineups_are_played_while_they_are_few() -> None:
    assert len(set(lineups(setting(12, 4)))) == len(lineups(setting(12, 4))) == comb(12, 4)


def test_too_many_lineups_are_drawn_in_balance() -> None:
    drawn = lineups(setting(30, 4))
    assert len(drawn) == MOST_LINEUPS
    assert uneven_appearances(entries(30), drawn) <= 1
    assert off_the_mean(entries(30), drawn) <= 1


def test_as_many_lineups_as_wanted_are_played_in_balance() -> None:
    drawn = lineups(setting(9, 3, lineups=100))
    assert len(drawn) == 100
    assert len(set(map(frozenset, drawn))) == comb(9, 3)
    assert uneven_appearances(entries(9), drawn) <= 1


def test_nobody_is_left_out_however_many_entered() -> None:
    drawn = lineups(setting(2_100, 2))
    assert uneven_appearances(entries(2_100), drawn) <= 1
    assert len(drawn) == 2_100


@pytest.mark.parametrize("bots", [5, 40])
def test_no_lineup_holds_two_bots_of_one_owner(bots: int) -> None:
    wanted = setting(bots, 4, owners={0: "ann", 3: "ann"})
    both = {wanted.entries[0], wanted.entries[3]}
    assert not any(both <= set(lineup) for lineup in lineups(wanted))


def test_owners_leave_fewer_lineups_and_those_are_counted() -> None:
    wanted = setting(6, 3, deals=2, owners={0: "ann", 1: "ann", 2: "bob", 3: "bob"})
    assert len(lineups(wanted)) == 12
    assert ROUND_ROBIN.most_blocks(wanted) == 24


def test_a_draw_depends_on_who_entered() -> None:
    wanted = setting(20, 4, lineups=30)
    others = Setting(entries(21)[1:], 4, 1, wanted.options)
    assert lineups(wanted) == lineups(wanted)
    assert [{e.name for e in one} for one in lineups(wanted)] != [{e.name for e in one} for one in lineups(others)]


@pytest.mark.parametrize("value", [0, 100_001, True, "5", 2.0])
def test_a_number_of_lineups_that_is_none_is_refused(value: object) -> None:
    with pytest.raises(PlanError, match="lineups is a whole number from 1 to 100000, not "):
        checked_format("round-robin", setting(4, 2, lineups=value))


def test_too_few_owners_for_a_table_are_refused() -> None:
    with pytest.raises(PlanError, match="the 4 bots have 2 owners: enter bots of 1 more"):
        checked_format("round-robin", setting(4, 3, owners={0: "ann", 1: "ann", 2: "bob", 3: "bob"}))
