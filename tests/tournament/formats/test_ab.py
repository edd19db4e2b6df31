from random import Random
from typing import Any

import pytest

from arena.rating.sprt import Verdict
from arena.tournament.blocks import base_order, rotations
from arena.tournament.formats import FORMATS, PlanError, checked_format
from arena.tournament.formats.ab import standing
from arena.tournament.rounds import Setting
from tests.tournament.formats.settled import (
    Results,
    all_level,
    by_number,
    entries,
    number_of,
    play_out,
    play_round,
    ranked,
    setting,
    without,
)

B, A = entries(2)
AB = FORMATS["ab"]


def ab_test(seats: int = 2, **options: Any) -> Setting:
    return setting(2, seats, a=A.digest.hex(), **options)


def mostly_by_number(lineup: tuple[bytes, ...], number: int) -> Results:
    """The bot 1 beats the bot 0 in about three of four matches."""
    luck = Random(number)
    return tuple(
        ranked(seats, [luck.random() + 0.4 * number_of(bot) for bot in seats])
        for seats in rotations(base_order(lineup, number, bytes(32)))
    )


def test_two_bots_meet_until_the_test_decides() -> None:
    wanted = ab_test(nelo1=100)
    rounds = play_out("ab", wanted, mostly_by_number)
    found = standing(wanted, rounds)
    assert found.verdict is Verdict.HIGH
    assert standing(wanted, rounds[:-1]).verdict is Verdict.OPEN
    assert {block.lineup for one in rounds for block in one} == {(B.digest, A.digest)}


def test_the_worse_one_is_found_out_too() -> None:
    wanted = setting(2, 2, a=B.digest.hex(), nelo1=100)
    assert standing(wanted, play_out("ab", wanted, mostly_by_number)).verdict is Verdict.LOW


def test_at_four_seats_each_sits_twice_and_a_block_has_two_matches() -> None:
    wanted = ab_test(4, fixed=3)
    (only,) = play_out("ab", wanted, mostly_by_number)
    assert {block.lineup for block in only} == {(B.digest, B.digest, A.digest, A.digest)}
    assert standing(wanted, [only]).matches == 6


def test_rounds_grow_with_what_was_played() -> None:
    sizes = [len(one) for one in play_out("ab", ab_test(blocks=200), all_level)]
    assert sizes == [16, 16, 16, 16, 16, 20, 25, 31, 39, 5]


def test_a_fixed_number_of_blocks_is_one_round_without_a_verdict() -> None:
    wanted = ab_test(fixed=40)
    (only,) = play_out("ab", wanted)
    assert [block.number for block in only] == [*range(40)]
    assert standing(wanted, [only]).verdict is Verdict.OPEN
    assert AB.most_blocks(wanted) == 40


def test_the_verdict_does_not_depend_on_the_order_in_which_blocks_are_told() -> None:
    wanted = ab_test(nelo1=100)
    rounds = play_out("ab", wanted, mostly_by_number)
    assert standing(wanted, [one[::-1] for one in rounds[::-1]]) == standing(wanted, rounds)


def test_only_the_unbroken_beginning_of_a_running_round_counts() -> None:
    wanted = ab_test()
    (first,) = [play_round("ab", wanted, (), mostly_by_number)]
    assert standing(wanted, [first[:5] + first[6:]]) == standing(wanted, [first[:5]])


def test_blocks_that_could_not_be_played_are_passed_over() -> None:
    wanted = ab_test()
    first = play_round("ab", wanted, (), mostly_by_number)
    failed = (*first[:5], first[5]._replace(results=()), *first[6:])
    assert standing(wanted, [failed]).blocks == 15


def test_a_withdrawal_ends_the_test() -> None:
    first = play_round("ab", ab_test(), ())
    assert play_round("ab", without(ab_test(), A.digest), [first[:4]]) == ()


def test_the_closing_line_says_what_was_accepted_and_that_the_estimate_is_biased() -> None:
    wanted = ab_test(nelo1=100)
    said = AB.closing(wanted, play_out("ab", wanted, mostly_by_number))
    assert said.startswith("Accepted: a lead of +100 nElo, after ")
    assert "bot0001 1 against bot0000 1: nElo +" in said
    assert "biased" in said


def test_the_closing_line_of_an_open_test_says_so() -> None:
    wanted = ab_test(blocks=20)
    assert "the budget ended it undecided between +0 and +10 nElo" in AB.closing(
        wanted, play_out("ab", wanted, all_level)
    )
    assert AB.closing(wanted, []) == ""


def test_the_closing_line_of_a_perfect_run_names_no_elo() -> None:
    said = AB.closing(ab_test(), play_out("ab", ab_test(), by_number))
    assert "100.0 % of the seats beaten (band 7" in said
    assert "by the band, since the blocks are too much alike for the LLR" in said


@pytest.mark.parametrize(
    ("bots", "seats", "options", "words"),
    [
        (3, 2, {}, "compares two bots that differ in some file, not 3"),
        (2, 3, {}, "tables of 2 seats, or of 4 with each bot twice, not 3"),
        (2, 2, {"a": "00"}, "digest of one of the two bots, not '00'"),
        (2, 2, {"nelo0": 0, "elo1": 5}, "in nElo or in Elo, not both: nelo0, elo1"),
        (2, 2, {"nelo0": 20}, "the lower one first, not 20 and 10 nElo"),
        (2, 2, {"alpha": 0.7}, "alpha is a chance of error"),
        (2, 2, {"alpha": float("nan")}, "alpha is a finite number, not nan"),
        (2, 2, {"fixed": 10, "nelo1": 5}, "no option 'nelo1': choose of: a, fixed"),
        (2, 2, {"fixed": 0}, "fixed is a whole number from 1"),
        (2, 2, {"rounds": 3}, "no option 'rounds'"),
    ],
)
def test_a_test_that_cannot_be_is_refused(bots: int, seats: int, options: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words):
        checked_format("ab", setting(bots, seats, **{"a": A.digest.hex()} | options))


def test_more_than_one_deal_is_refused() -> None:
    with pytest.raises(PlanError, match="counts blocks, not deals a lineup"):
        checked_format("ab", setting(2, 2, 3, a=A.digest.hex()))
