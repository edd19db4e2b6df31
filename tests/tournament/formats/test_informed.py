from itertools import chain
from math import sqrt
from typing import Any

import pytest

from arena.tournament.entries import Entry, sort_entries
from arena.tournament.formats import FORMATS, PlanError, checked_format
from arena.tournament.formats.informed import answer
from arena.tournament.rounds import Round, Setting
from tests.tournament.formats.settled import (
    entries,
    lucky,
    play_out,
    play_round,
    setting,
    without,
)

INFORMED = FORMATS["informed"]


def blocks(rounds: list[Round]) -> int:
    return sum(map(len, rounds))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("leader at 95%", "bot0005 1 leads"),
        ("top-2 separated", "the best are bot0005 1, bot0004 1, sure to 95 %."),
        ("top-2 in order", "the best are bot0005 1, bot0004 1 in this order"),
        ("pair bot0003 bot0002", "bot0003 1 is better than bot0002 1"),
        ("newcomer bot0001", "bot0001 1 is number 5 of 6"),
    ],
)
def test_a_question_is_answered_and_ends_the_tournament(question: str, said: str) -> None:
    wanted = setting(6, 3, question=question)
    rounds = play_out("informed", wanted, lucky(1))
    assert blocks(rounds) < INFORMED.most_blocks(wanted)
    assert INFORMED.closing(wanted, rounds).startswith("Answered after ")
    assert said in INFORMED.closing(wanted, rounds)


def test_a_budget_ends_an_open_question() -> None:
    wanted = setting(6, 3, question="leader", blocks=50)
    rounds = play_out("informed", wanted, lucky(1, spread=0.0))
    assert blocks(rounds) == 50 == INFORMED.most_blocks(wanted)
    assert INFORMED.closing(wanted, rounds).startswith("Open after 50 blocks: it looks as if bot000")


def test_those_asked_about_meet_more_often_than_others() -> None:
    wanted = setting(8, 2, question="pair bot0003 bot0004", blocks=150)
    rounds = play_out("informed", wanted, lucky(1, spread=0.02))
    asked = {entries(8)[3].digest, entries(8)[4].digest}
    assert sum(set(block.lineup) == asked for block in chain(*rounds)) > 80


def test_a_fifth_of_the_lineups_stays_balanced() -> None:
    wanted = setting(8, 2, question="pair bot0003 bot0004", blocks=300)
    seen = [block.lineup for block in chain(*play_out("informed", wanted, lucky(1, spread=0.02)))]
    bystanders = {bot.digest for bot in (*entries(8)[:3], *entries(8)[5:])}
    unasked = sum(bystanders.issuperset(lineup) for lineup in seen)
    assert unasked >= 300 / 5 * (15 / 28) * 0.7


def test_the_first_round_seats_everybody_twice() -> None:
    first = play_round("informed", setting(40, 4, question="leader"), ())
    seats = [bot for block in first for bot in block.lineup]
    assert len(seats) == 80
    assert {seats.count(bot.digest) for bot in entries(40)} == {2}


def test_equal_results_give_an_equal_plan() -> None:
    wanted = setting(6, 3, question="top-2 separated", blocks=120)
    assert play_out("informed", wanted, lucky(2, 0.1)) == play_out("informed", wanted, lucky(2, 0.1))


def test_two_bots_of_one_owner_never_meet() -> None:
    wanted = setting(6, 2, question="pair bot0000 bot0001", blocks=80, owners={0: "ann", 1: "ann"})
    both = tuple(bot.digest for bot in entries(2))
    assert both not in {block.lineup for block in chain(*play_out("informed", wanted, lucky(1)))}


def test_withdrawn_bots_are_neither_called_nor_asked_about() -> None:
    wanted, best = setting(6, 2, question="leader"), entries(6)[5].digest
    first = play_round("informed", wanted, (), lucky(1))
    left = without(wanted, best)
    rounds = play_out("informed", left, lucky(1), [first])
    assert best not in {bot for block in chain(*rounds[1:]) for bot in block.lineup}
    assert "bot0004 1 leads" in INFORMED.closing(left, rounds)


@pytest.mark.parametrize(("question", "gone"), [("pair bot0000 bot0001", [0]), ("top-3 separated", [0, 1, 2])])
def test_a_question_that_withdrawals_made_senseless_ends_it(question: str, gone: list[int]) -> None:
    wanted = setting(6, 2, question=question)
    first = play_round("informed", wanted, (), lucky(1))
    left = without(wanted, *(entries(6)[bot].digest for bot in gone))
    assert play_round("informed", left, [first], lucky(1)) == ()


def test_before_the_first_block_there_is_nothing_to_tell() -> None:
    wanted = setting(6, 2, question="leader")
    assert answer(wanted, []) is None
    assert INFORMED.closing(wanted, []) == ""


@pytest.mark.parametrize("name", ["bot0001", "bot0001@1", f"{1:064x}", "00" * 28])
def test_a_bot_is_named_by_name_version_or_digest(name: str) -> None:
    bots = sort_entries([Entry("bot0001", "1", (1).to_bytes(32, "big")), Entry("bot0002", "1", b"\1" * 32)])
    checked_format("informed", Setting(bots, 2, 1, {"question": f"newcomer {name}"}))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "need a question: ask"),
        ({"question": "who?"}, "'who\\?' is no question that can be asked"),
        ({"question": "top-6 separated"}, "only 6 bots entered: ask for fewer places"),
        ({"question": "pair bot0001 bot0009"}, "names 'bot0009', and no bot of that name entered"),
        ({"question": "pair bot0001 bot0001@1"}, "names one bot twice"),
        ({"question": "leader", "blocks": 0}, "blocks is a whole number from 1"),
        ({"question": "leader", "rounds": 1}, "no option 'rounds'"),
    ],
)
def test_what_cannot_be_asked_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words):
        checked_format("informed", setting(6, 2, **options))


def test_a_name_of_two_versions_must_say_which() -> None:
    bots = sort_entries(Entry("twin", str(number), bytes([number]) * 32) for number in (1, 2))
    with pytest.raises(PlanError, match="say one of twin@1, twin@2"):
        checked_format("informed", Setting(bots, 2, 1, {"question": "newcomer twin"}))


def test_more_than_one_deal_is_refused() -> None:
    with pytest.raises(PlanError, match="one block at a time"):
        checked_format("informed", setting(6, 2, 2, question="leader"))


@pytest.mark.slow
def test_false_answers_are_rarer_than_allowed() -> None:
    """Equal bots cannot be told apart, so every answer is false."""
    wanted = setting(3, 2, question="pair bot0000 bot0001 at 80%", blocks=150)
    runs = 80
    false = sum(
        INFORMED.closing(wanted, play_out("informed", wanted, lucky(seed, 0.0))).startswith("Answered")
        for seed in range(runs)
    )
    assert false / runs <= 0.2 + 3 * sqrt(0.2 * 0.8 / runs)
