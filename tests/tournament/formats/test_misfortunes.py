"""Withdrawals and lost blocks at any time: every format that plays round by round comes to an end all the same."""

from random import Random
from typing import Any

import pytest

from arena.tournament.formats import FORMATS
from arena.tournament.rounds import Round
from tests.tournament.formats.settled import entries, lucky, play_round, setting, without

FORMATS_AND_OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("swiss", {}),
    ("knockout", {}),
    ("informed", {"question": "leader", "blocks": 100}),
    ("informed", {"question": "newcomer bot0001", "blocks": 100}),
]


def play_through(name: str, options: dict[str, Any], luck: Random) -> tuple[list[Round], str]:
    """A tournament in which some blocks are lost and some bots are withdrawn in the middle of a round."""
    seats = luck.randint(2, 5)
    wanted = setting(seats + luck.randint(0, 9), seats, **options)
    rounds: list[Round] = []
    while came := play_round(name, wanted, rounds, lucky(luck.randrange(1_000), 0.1)):
        assert not any(wanted.gone.intersection(block.lineup) for block in came)
        if luck.random() < 0.3:
            stopped = luck.choice(came[luck.randrange(len(came))].lineup)
            wanted = without(wanted, stopped)
            cut = luck.randrange(len(came))
            came = tuple(
                block._replace(results=()) if place >= cut and stopped in block.lineup else block
                for place, block in enumerate(came)
            )
        rounds.append(tuple(block if luck.random() < 0.95 else block._replace(results=()) for block in came))
        assert len(rounds) < 200
    return rounds, FORMATS[name].closing(wanted, rounds)


@pytest.mark.parametrize(("name", "options"), FORMATS_AND_OPTIONS)
def test_it_comes_to_an_end_and_calls_no_withdrawn_bot(name: str, options: dict[str, Any]) -> None:
    for number in range(4 if name == "informed" else 30):
        play_through(name, options, Random(number))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), FORMATS_AND_OPTIONS)
def test_it_comes_to_an_end_whatever_happens(name: str, options: dict[str, Any]) -> None:
    for number in range(30, 50 if name == "informed" else 200):
        play_through(name, options, Random(number))


def test_a_knockout_has_a_champion_unless_too_few_are_left_for_a_table() -> None:
    ends = [play_through("knockout", {}, Random(number)) for number in range(60)]
    assert sum(said.startswith("Champion") for _, said in ends) >= 54
    assert all(said.startswith(("Champion", "Still in")) for rounds, said in ends if rounds)


@pytest.mark.parametrize("bots", [2, 7])
def test_a_tournament_whose_bots_are_all_withdrawn_is_over(bots: int) -> None:
    wanted = without(setting(bots, 2), *(bot.digest for bot in entries(bots)))
    for name in ("swiss", "knockout"):
        assert play_round(name, wanted, ()) == ()
