"""What a tournament gets that was asked for no more than its format, and what is said of its plan."""

from dataclasses import replace

import pytest

from arena.cli.drafting import check_repeats, default_deals, evenness, namesake
from arena.cli.errors import Misuse
from arena.game.variant import Variant
from arena.tournament.formats import FORMATS
from arena.tournament.planning import next_round, setting
from tests.cli.stored import Shell
from tests.tournament.playing import bots, tournament


@pytest.mark.parametrize(("count", "seats"), [(2, 2), (3, 2), (4, 3), (5, 4), (9, 3), (6, 5)])
def test_by_default_a_round_robin_has_over_200_matches_in_whole_rounds_of_seating_orders(
    count: int, seats: int
) -> None:
    asked = setting(tournament(bots(count), seats, Variant()))
    deals = default_deals(FORMATS["round-robin"], asked)
    assert FORMATS["round-robin"].most_blocks(replace(asked, deals=deals)) * seats > 200
    assert deals % {2: 1, 3: 2, 4: 6}.get(seats, 1) == 0


@pytest.mark.parametrize("name", ["knockout", "informed", "ab"])
def test_a_format_that_knows_its_size_gets_one_block_a_lineup(name: str) -> None:
    assert default_deals(FORMATS[name], setting(tournament(bots(4), 2, Variant()))) == 1


@pytest.mark.parametrize(
    ("lineups", "said"),
    [(None, ""), (20, ""), (10, ""), (13, "--lineups 10 or 20."), (7, "--lineups 10.")],
)
def test_numbers_of_lineups_that_work_out_evenly_are_proposed(lineups: int | None, said: str) -> None:
    cup = tournament(bots(6), 3, Variant(), options={} if lineups is None else {"lineups": lineups})
    assert said in evenness(cup, len(next_round(cup)))
    assert bool(said) == bool(evenness(cup, len(next_round(cup))))


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [("round-robin", {"lineups": 7}, "6 different lineups"), ("swiss", {"rounds": 4}, "after 3 rounds")],
)
def test_more_than_there_are_different_is_refused(name: str, options: dict[str, int], words: str) -> None:
    with pytest.raises(Misuse, match=words):
        check_repeats(setting(tournament(bots(4), 2, Variant(), options=options)), name)


@pytest.mark.parametrize(("name", "options"), [("round-robin", {"lineups": 6}), ("swiss", {"rounds": 3})])
def test_all_that_are_different_may_be_played(name: str, options: dict[str, int]) -> None:
    check_repeats(setting(tournament(bots(4), 2, Variant(), options=options)), name)


def test_two_bots_may_be_tested_at_tables_of_four() -> None:
    """Each sits there twice, so that there is not even one table of four different bots."""
    check_repeats(setting(tournament(bots(2), 4, Variant())), "ab")


def test_a_name_that_is_taken_is_mentioned(shell: Shell) -> None:
    assert "named 'Cup' already" in namesake("Cup")
    assert namesake("Cups") == namesake("") == ""


def test_no_name_is_taken_before_anything_was_played(empty_shell: Shell) -> None:
    assert namesake("Cup") == ""
    assert not empty_shell.path.exists()
