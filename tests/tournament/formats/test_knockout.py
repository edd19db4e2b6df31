from collections import Counter
from itertools import chain

import pytest

from arena.tournament.formats import FORMATS, PlanError, checked_format
from arena.tournament.formats.knockout import MOST_REPLAYS, stage
from arena.tournament.rounds import SettledBlock
from tests.tournament.formats.settled import (
    Results,
    all_level,
    by_number,
    entries,
    play_out,
    play_round,
    setting,
    without,
)

CLOSING = FORMATS["knockout"].closing


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("more", range(12))
def test_one_bot_remains_and_it_is_the_best(seats: int, more: int) -> None:
    wanted = setting(seats + more, seats)
    assert CLOSING(wanted, play_out("knockout", wanted)) == f"Champion: bot{seats + more - 1:04} 1."


@pytest.mark.parametrize(("bots", "seats"), [(8, 2), (16, 4), (32, 8)])
def test_a_full_bracket_halves_from_round_to_round(bots: int, seats: int) -> None:
    rounds = play_out("knockout", setting(bots, seats))
    assert [len({block.lineup for block in one}) for one in rounds] == [
        2**power for power in reversed(range((bots // seats).bit_length()))
    ]


def test_a_tie_is_two_blocks_for_each_deal_asked_for() -> None:
    (final,) = play_out("knockout", setting(2, 2, deals=3))
    assert [block.number for block in final] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("bots", range(2, 20))
def test_all_byes_of_a_duel_cup_fall_into_the_first_round(bots: int) -> None:
    _, *rest = play_out("knockout", setting(bots, 2))
    sizes = [len({block.lineup for block in one}) for one in rest]
    assert sizes == [2**power for power in reversed(range(len(sizes)))]


def test_who_loses_is_not_seen_again() -> None:
    rounds = play_out("knockout", setting(16, 2))
    seen = Counter(bot for one in rounds for bot in {bot for block in one for bot in block.lineup})
    assert sorted(seen.values()) == [1] * 8 + [2] * 4 + [3] * 2 + [4] * 2


def first_two_level(lineup: tuple[bytes, ...], number: int) -> Results:
    return all_level(lineup, number) if number < 2 else by_number(lineup, number)


def test_a_level_tie_is_played_again_on_new_deals_and_nothing_else_is() -> None:
    wanted = setting(4, 2)
    first = play_round("knockout", wanted, (), by_number)
    level = first[0].lineup
    first = tuple(block._replace(results=all_level(level, 0)) if block.lineup == level else block for block in first)
    again = play_round("knockout", wanted, [first])
    assert [(block.lineup, block.number) for block in again] == [(level, 2), (level, 3)]
    assert len(play_round("knockout", wanted, [first, again])) == 2
    assert CLOSING(wanted, play_out("knockout", wanted, first_two_level)) == "Champion: bot0003 1."


def test_bots_that_never_differ_are_told_apart_by_lot_in_the_end() -> None:
    wanted = setting(2, 2)
    rounds = play_out("knockout", wanted, all_level)
    assert len(rounds) == 1 + MOST_REPLAYS
    assert CLOSING(wanted, rounds).startswith("Champion")
    assert sum(map(len, rounds)) == FORMATS["knockout"].most_blocks(wanted)


def test_blocks_that_could_not_be_played_are_replaced() -> None:
    wanted = setting(2, 2)
    failed = tuple(block._replace(results=()) for block in play_round("knockout", wanted, ()))
    assert [block.number for block in play_round("knockout", wanted, [failed])] == [2, 3]


def test_a_withdrawn_bot_loses_its_tie_however_good_it_was() -> None:
    best = entries(4)[3].digest
    wanted = without(setting(4, 2), best)
    first = play_round("knockout", setting(4, 2), ())
    halfway = tuple(
        SettledBlock(block.lineup, block.number, () if best in block.lineup and block.number else block.results)
        for block in first
    )
    rounds = play_out("knockout", wanted, rounds=[halfway])
    assert best not in {bot for block in chain(*rounds[1:]) for bot in block.lineup}
    assert CLOSING(wanted, rounds) == "Champion: bot0002 1."


def test_who_is_withdrawn_after_winning_has_won_that_tie() -> None:
    wanted = setting(4, 2)
    first = play_round("knockout", wanted, ())
    final = play_round("knockout", wanted, [first])
    best = max(final[0].lineup)
    unplayed = tuple(block._replace(results=()) for block in final)
    other = min(final[0].lineup)
    assert CLOSING(without(wanted, best), [first, unplayed]) == f"Champion: bot{int.from_bytes(other, 'big'):04} 1."


def test_the_best_of_the_beaten_come_back_when_withdrawals_leave_too_few_for_a_table() -> None:
    wanted = setting(5, 4)
    first = play_round("knockout", wanted, ())
    final = play_round("knockout", wanted, [first])
    resting = next(bot.digest for bot in entries(5) if bot.digest not in first[0].lineup)
    again = play_round("knockout", without(wanted, resting), [first])
    assert {block.lineup for block in final} != {block.lineup for block in again} == {first[0].lineup}


def test_it_ends_when_nobody_can_come_back() -> None:
    wanted = setting(4, 4)
    gone = without(wanted, entries(4)[0].digest, entries(4)[1].digest)
    assert play_round("knockout", gone, ()) == ()
    assert CLOSING(gone, []) == ""


def test_who_comes_from_one_table_does_not_meet_at_the_next() -> None:
    first, second, _ = play_out("knockout", setting(16, 4))
    tables = [set(block.lineup) for block in first]
    assert all(len(table.intersection(block.lineup)) <= 1 for block in second for table in tables)


def test_two_bots_of_one_owner_are_refused() -> None:
    with pytest.raises(PlanError, match="ann has 2: enter one of them"):
        checked_format("knockout", setting(4, 2, owners={0: "ann", 2: "ann"}))


@pytest.mark.parametrize("seats", range(2, 11))
def test_every_stage_leaves_a_full_table_and_the_final_one_bot(seats: int) -> None:
    for size in range(seats, 200):
        left = size - sum(stage(size, seats))
        assert left == 1 if size == seats else seats <= left < size
        assert len(stage(size, seats)) * seats <= size
