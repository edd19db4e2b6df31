from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations

import pytest

from arena.game.errors import VariantError
from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.tournament.blocks import block_id
from arena.tournament.entries import Entry
from arena.tournament.formats import MOST_LINEUPS, PlanError, balanced_draw, plan
from arena.tournament.formats.round_robin import next_lineups
from arena.tournament.ports import PlannedBlock
from arena.tournament.rounds import Lineup, Setting

STANDARD = Variant()


def entries(count: int) -> list[Entry]:
    return [Entry(f"bot{number:04}", "1", number.to_bytes(32, "big")) for number in range(count)]


def plan_of(bots: list[Entry], seats: int, deals: int = 1, variant: Variant = STANDARD) -> tuple[PlannedBlock, ...]:
    return plan("round-robin", bots, seats, deals, variant, Limits())


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
    assert len({block.block_id for block in blocks}) == len(blocks) == 12
    assert [block.number for block in blocks if block.lineup == (one.digest, two.digest)] == [0, 1, 2, 3]
    assert [block.number for block in blocks if block.lineup == (one.digest, one.digest)] == [0, 1]


def test_a_round_robin_with_too_many_lineups_draws_balanced_ones() -> None:
    lineups = next_lineups(Setting(tuple(entries(30)), 4, 1), ())
    assert len(lineups) == MOST_LINEUPS
    assert max(appearances(lineups)) - min(appearances(lineups)) <= 1
    blocks = plan_of(entries(30), 4)
    assert len({block.block_id for block in blocks}) == MOST_LINEUPS


@pytest.mark.parametrize(("bots", "seats"), [(5, 3), (7, 4), (8, 8), (9, 8), (64, 2)])
def test_a_balanced_draw_is_balanced_at_any_length(bots: int, seats: int) -> None:
    lineups = [*balanced_draw(entries(bots), seats, 40)]
    for length in range(1, len(lineups) + 1):
        counts = [*appearances(lineups[:length]), *[0] * bots][:bots]
        assert max(counts) - min(counts) <= 1
    assert all(len(set(lineup)) == seats for lineup in lineups)


def test_a_balanced_draw_depends_on_who_entered_only() -> None:
    assert [*balanced_draw(entries(20), 4, 50)] == [*balanced_draw(entries(20), 4, 50)]
    assert [*balanced_draw(entries(20), 4, 50)] != [*balanced_draw(entries(21)[1:], 4, 50)]


def test_a_draw_leaves_no_entry_out_however_many_entered() -> None:
    lineups = next_lineups(Setting(tuple(entries(2_500)), 2, 1), ())
    assert len(appearances(lineups)) == 2_500


def appearances(lineups: Sequence[Lineup]) -> list[int]:
    return list(Counter(chain.from_iterable(lineups)).values())


@pytest.mark.parametrize(
    ("bots", "seats", "deals", "words"),
    [(2, 3, 1, "has 3 seats, but only 2 bots entered"), (3, 3, 0, "at least 1")],
)
def test_a_plan_that_cannot_be_made_is_refused(bots: int, seats: int, deals: int, words: str) -> None:
    with pytest.raises(PlanError, match=words):
        plan_of(entries(bots), seats, deals)


def test_an_unknown_format_is_refused_with_those_that_exist() -> None:
    with pytest.raises(PlanError, match="choose one of: round-robin"):
        plan("swizz", entries(3), 3, 1, Variant(), Limits())


def test_rules_that_a_table_cannot_play_by_are_refused() -> None:
    with pytest.raises(VariantError, match="seats"):
        plan_of(entries(9), 9)
