from itertools import product
from math import comb

import numpy as np
import pytest

from arena.tournament.formats.balance import balanced_tables, even_lineups
from tests.tournament.formats.counting import off_the_mean, uneven_appearances

SEED = b"seed"
SAMPLE = [(5, 3), (9, 8), (13, 2), (20, 5), (40, 8), (31, 6)]


def tables(bots: int, seats: int, lineups: int, seed: bytes = SEED) -> list[list[int]]:
    drawn: list[list[int]] = balanced_tables(range(bots), seats, lineups, seed).tolist()
    return drawn


def numbers_of_lineups(bots: int, seats: int) -> list[int]:
    """Few, some and many, but not more than there are."""
    return sorted({min(number, comb(bots, seats)) for number in (bots, 3 * bots + 1, 500, 2_000)})


@pytest.mark.parametrize(("bots", "seats"), SAMPLE)
def test_bots_play_equally_often_and_pairs_meet_equally_often(bots: int, seats: int) -> None:
    for lineups in numbers_of_lineups(bots, seats):
        drawn = tables(bots, seats, lineups)
        assert uneven_appearances(range(bots), drawn) <= 1
        assert off_the_mean(range(bots), drawn) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("bots", range(5, 41))
def test_balance_is_found_for_all_usual_fields_and_tables(bots: int) -> None:
    for seats in range(2, min(bots, 8) + 1):
        for lineups in {*numbers_of_lineups(bots, seats)} - {500}:
            drawn = tables(bots, seats, lineups)
            assert uneven_appearances(range(bots), drawn) <= 1
            assert off_the_mean(range(bots), drawn) <= 1, (bots, seats, lineups)


@pytest.mark.parametrize(("bots", "seats"), [(5, 3), (8, 8), (9, 8), (64, 2)])
def test_appearances_are_even_after_every_table(bots: int, seats: int) -> None:
    drawn = tables(bots, seats, 40)
    assert all(uneven_appearances(range(bots), drawn[:length]) <= 1 for length in range(1, 40))


def test_no_bot_sits_twice_at_a_table() -> None:
    assert all(len(set(table)) == 8 for table in tables(9, 8, 50))


def test_tables_depend_on_the_seed_only() -> None:
    assert tables(20, 4, 50) == tables(20, 4, 50) != tables(20, 4, 50, b"other")


@pytest.mark.parametrize(("bots_each", "bots", "seats"), [(2, 12, 4), (3, 18, 4), (3, 40, 8), (2, 16, 8)])
def test_bots_of_one_owner_never_meet_and_all_play_equally_often(bots_each: int, bots: int, seats: int) -> None:
    owners = [bot // bots_each for bot in range(bots)]
    drawn = balanced_tables(owners, seats, 301, SEED).tolist()
    assert all(len({owners[bot] for bot in table}) == seats for table in drawn)
    assert uneven_appearances(range(bots), drawn) <= 1


def test_an_owner_with_too_many_bots_plays_at_every_table() -> None:
    drawn = balanced_tables([0, 0, 0, 1, 2, 3, 4, 5], 4, 60, SEED)
    assert np.bincount(drawn.ravel()).tolist() == [20, 20, 20, 36, 36, 36, 36, 36]


@pytest.mark.parametrize(("bots", "seats"), [*product([7, 16, 25], [2, 3, 6])])
def test_even_numbers_let_bots_and_pairs_come_out_alike(bots: int, seats: int) -> None:
    below, above = even_lineups(bots, seats, 1_000)
    assert below <= 1_000 < above
    for number in (below, above):
        assert number * seats % bots == 0
        assert number * seats * (seats - 1) % (bots * (bots - 1)) == 0
    assert not any(
        number * seats % bots == 0 and number * seats * (seats - 1) % (bots * (bots - 1)) == 0
        for number in range(below + 1, above)
    )


def test_the_number_itself_is_proposed_when_it_is_even() -> None:
    assert even_lineups(7, 3, 7) == (7, 14)
    assert even_lineups(7, 3, 6) == (7,)
