from collections import Counter
from itertools import chain, combinations
from typing import Any

import pytest

from arena.rating.counts import MatchResult
from arena.tournament.formats import FORMATS, PlanError, checked_format
from arena.tournament.formats.scores import scores
from arena.tournament.rounds import Round, SettledBlock
from tests.tournament.formats.settled import all_level, entries, number_of, play_out, play_round, setting, without


def meetings(rounds: list[Round]) -> Counter[frozenset[bytes]]:
    return Counter(frozenset(pair) for block in chain(*rounds) for pair in combinations(block.lineup, 2))


@pytest.mark.parametrize(("bots", "rounds"), [(2, 1), (5, 3), (8, 3), (9, 4), (33, 6)])
def test_without_a_wish_there_are_rounds_enough_for_one_unbeaten_bot(bots: int, rounds: int) -> None:
    assert len(play_out("swiss", setting(bots, 2))) == rounds


@pytest.mark.parametrize("bots", [4, 6, 8, 10, 12])
def test_nobody_meets_again_before_everybody_met_everybody(bots: int) -> None:
    rounds = play_out("swiss", setting(bots, 2, rounds=bots // 2))
    assert max(meetings(rounds).values()) == 1


@pytest.mark.parametrize(("bots", "seats", "rounds"), [(5, 2, 5), (9, 2, 7), (10, 4, 5), (7, 3, 7)])
def test_nobody_has_two_byes_while_others_had_none(bots: int, seats: int, rounds: int) -> None:
    played = play_out("swiss", setting(bots, seats, rounds=rounds))
    seated = Counter(bot for one in played for block in one for bot in block.lineup)
    assert len(seated) == bots
    assert max(seated.values()) - min(seated.values()) <= 1


@pytest.mark.parametrize(("bots", "seats", "rounds"), [(9, 3, 12), (16, 4, 12), (9, 8, 9), (20, 2, 19)])
def test_no_table_sits_twice_while_there_are_others(bots: int, seats: int, rounds: int) -> None:
    played = play_out("swiss", setting(bots, seats, rounds=rounds))
    assert max(Counter(block.lineup for block in chain(*played)).values()) == 1


def test_nobody_meets_three_times_in_as_many_rounds_as_there_are_opponents() -> None:
    assert max(meetings(play_out("swiss", setting(24, 2, rounds=23))).values()) <= 2


def test_those_who_did_equally_well_sit_together() -> None:
    first, second, *_ = play_out("swiss", setting(16, 2))
    won = {max(block.lineup) for block in first}
    assert all(len(won.intersection(block.lineup)) in (0, 2) for block in second)


def test_the_best_is_found() -> None:
    wanted = setting(32, 4)
    rounds = play_out("swiss", wanted)
    assert "bot0031 1 leads" in FORMATS["swiss"].closing(wanted, rounds)


def test_two_bots_of_one_owner_never_meet() -> None:
    owners = {0: "ann", 1: "ann", 2: "ann", 5: "bob", 6: "bob"}
    rounds = play_out("swiss", setting(9, 2, owners=owners, rounds=6))
    met = {tuple(sorted(map(number_of, pair))) for pair in meetings(rounds)}
    assert not met & {(0, 1), (0, 2), (1, 2), (5, 6)}


def test_withdrawn_bots_are_not_called_again() -> None:
    wanted = setting(8, 2, rounds=4)
    first = play_out("swiss", setting(8, 2, rounds=1))
    gone = entries(8)[3].digest
    later = play_out("swiss", without(wanted, gone), rounds=first)[1:]
    assert len(later) == 3
    assert gone not in {bot for block in chain(*later) for bot in block.lineup}


def test_a_withdrawal_that_leaves_no_table_ends_it() -> None:
    wanted = setting(2, 2, rounds=3)
    first = play_out("swiss", setting(2, 2, rounds=1))
    assert play_round("swiss", without(wanted, entries(2)[0].digest), first) == ()


def test_bots_that_are_always_level_are_paired_all_the_same() -> None:
    assert max(meetings(play_out("swiss", setting(8, 2, rounds=4), all_level)).values()) == 1


def test_a_share_counts_seats_beaten_and_level_ones_half() -> None:
    one, two, three = (bot.digest for bot in entries(3))
    match = MatchResult((one, two, three), (1, 2, 2), (False,) * 3)
    sums = scores([SettledBlock((one, two, three), 0, (match,))])
    assert [sums.share(bot) for bot in (one, two, three)] == [1.0, 0.25, 0.25]
    assert [sums.strength_met(bot) for bot in (one, two, three)] == [0.25, 0.625, 0.625]


def test_a_thousand_bots_are_paired_without_meeting_again() -> None:
    rounds = play_out("swiss", setting(1_000, 2, rounds=3))
    assert max(meetings(rounds).values()) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [({"rounds": 0}, "rounds is a whole number from 1 to 1000, not 0"), ({"lineups": 3}, "no option 'lineups'")],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words):
        checked_format("swiss", setting(4, 2, **options))


def test_it_never_has_more_blocks_than_foretold() -> None:
    wanted = setting(11, 4, deals=2)
    assert sum(map(len, play_out("swiss", wanted))) == FORMATS["swiss"].most_blocks(wanted) == 4 * 2 * 2
