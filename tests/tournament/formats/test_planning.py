from collections.abc import Sequence
from itertools import combinations

import pytest

from arena.game.errors import VariantError
from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.tournament.blocks import block_id
from arena.tournament.entries import Entry
from arena.tournament.formats import FORMATS, PlanError, plan
from arena.tournament.ports import PlannedBlock
from tests.tournament.formats.settled import entries, play_out, setting

STANDARD = Variant()


def plan_of(bots: Sequence[Entry], seats: int, deals: int = 1, variant: Variant = STANDARD) -> tuple[PlannedBlock, ...]:
    return tuple(plan("round-robin", bots, seats, deals, variant, Limits()))


def test_a_round_robin_plays_every_lineup_as_often() -> None:
    bots = entries(5)
    blocks = plan_of(bots, 3, deals=4)
    lineups = [tuple(bot.digest for bot in lineup) for lineup in combinations(bots, 3)]
    assert [block.lineup for block in blocks] == [lineup for lineup in lineups for _ in range(4)]
    assert [block.number for block in blocks] == [0, 1, 2, 3] * len(lineups)


def test_a_plan_does_not_depend_on_the_order_of_the_entries() -> None:
    assert plan_of(entries(6), 3) == plan_of(entries(6)[::-1], 3)


def test_planned_blocks_carry_their_ids_and_sorted_lineups() -> None:
    for block in plan_of(entries(4)[::-1], 3, deals=2):
        assert block.block_id == block_id(block.number, block.lineup, Variant(), Limits())
        assert list(block.lineup) == sorted(block.lineup)


def test_lineups_of_the_same_bots_are_one_lineup_with_more_blocks() -> None:
    one, two, three = entries(3)
    blocks = plan_of([one, one, two, three], 2, deals=2)
    assert len({block.block_id for block in blocks}) == len(blocks) == 10
    assert [block.number for block in blocks if block.lineup == (one.digest, two.digest)] == [0, 1, 2, 3]


def test_a_later_round_numbers_the_blocks_of_a_lineup_on() -> None:
    rounds = play_out("swiss", setting(2, 2, deals=2, rounds=3))
    assert [[block.number for block in one] for one in rounds] == [[0, 1], [2, 3], [4, 5]]


def test_a_format_that_needs_no_results_has_one_round() -> None:
    assert len(play_out("round-robin", setting(4, 2))) == 1


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_says_in_a_line_what_it_is(name: str) -> None:
    assert FORMATS[name].name == name
    assert 0 < len(FORMATS[name].about) <= 72


@pytest.mark.parametrize(
    ("bots", "seats", "deals", "words"),
    [(2, 3, 1, "has 3 seats, but only 2 bots entered"), (3, 3, 0, "at least 1")],
)
def test_a_plan_that_cannot_be_made_is_refused(bots: int, seats: int, deals: int, words: str) -> None:
    with pytest.raises(PlanError, match=words):
        plan_of(entries(bots), seats, deals)


def test_an_unknown_format_is_refused_with_those_that_exist() -> None:
    with pytest.raises(PlanError, match=r"choose one of: .*gauntlet.*, round-robin, swiss"):
        plan("swizz", entries(3), 3, 1, Variant(), Limits())


def test_rules_that_a_table_cannot_play_by_are_refused() -> None:
    with pytest.raises(VariantError, match="seats"):
        plan_of(entries(9), 9)
