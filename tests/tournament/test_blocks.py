from itertools import permutations

import pytest

from arena.game.variant import Crossing, Variant
from arena.match.limits import Limits
from arena.tournament.blocks import base_order, block_id, commitment, match_seed, rotations
from arena.tournament.entries import Entry, entries_digest

SECRET = bytes(range(32))
ENTRIES = entries_digest([Entry("greedy", "1.0", bytes([0x22]) * 32), Entry("random", "1.0", bytes([0x11]) * 32)])
A, B, C, D = (bytes([letter]) * 32 for letter in b"ABCD")


def test_a_block_id_is_the_digest_of_canonical_json() -> None:
    lineup = [bytes([0x22]) * 32, bytes([0x11]) * 32]
    expected = "8a0a8d6033e905abdf098f031a3408581a0eab8da4c48250ceddcd7845c6d5f2"
    assert block_id(0, lineup, Variant(), Limits()).hex() == expected
    assert block_id(0, reversed(lineup), Variant(), Limits()).hex() == expected


@pytest.mark.parametrize(
    ("number", "lineup", "variant", "limits"),
    [
        (1, (A, B), Variant(), Limits()),
        (0, (A, A), Variant(), Limits()),
        (0, (A, B), Variant(crossing=Crossing.REACH), Limits()),
        (0, (A, B), Variant(), Limits(strikes=1)),
    ],
)
def test_a_block_id_depends_on_all_that_the_block_is(
    number: int, lineup: tuple[bytes, ...], variant: Variant, limits: Limits
) -> None:
    assert block_id(number, lineup, variant, limits) != block_id(0, (A, B), Variant(), Limits())


def test_the_commitment_is_the_digest_of_the_secret() -> None:
    assert commitment(SECRET).hex() == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize(
    ("beacon", "seed"),
    [
        ("", "c8c12fa22654ad360a3d77a016eb4eaaacb0bd391e7be4981468b95fc4a1c2c6"),
        ("demo beacon", "369dea4e608f0342b46c59b1d593697fa38579310f14b1cf7d72b0cba2fb8539"),
    ],
)
def test_a_seed_follows_from_secret_entries_beacon_and_block(beacon: str, seed: str) -> None:
    assert match_seed(SECRET, ENTRIES, beacon, bytes([0x33]) * 32).hex() == seed


def test_matches_with_a_remote_seat_have_seeds_of_their_own() -> None:
    block = bytes([0x33]) * 32
    own = [match_seed(SECRET, ENTRIES, "", block, turn) for turn in ((0, 1), (1, 1), (0, 2), (0, 12))]
    assert len({match_seed(SECRET, ENTRIES, "", block), *own}) == 5
    assert own[3] == match_seed(SECRET, ENTRIES, "", block + b"/0/12")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_up_to_four_seats_go_through_all_orders_behind_the_first(seats: int) -> None:
    lineup = (A, B, C, D)[:seats]
    orders = [*permutations(lineup[1:])]
    for number in range(2 * len(orders)):
        assert base_order(reversed(lineup), number, b"") == (A, *orders[number % len(orders)])


@pytest.mark.parametrize(
    ("seats", "order"), [(5, (0, 3, 4, 2, 1)), (6, (2, 1, 4, 0, 3, 5)), (8, (2, 3, 4, 5, 6, 0, 1, 7))]
)
def test_more_than_four_seats_are_drawn_from_the_block_seed(seats: int, order: tuple[int, ...]) -> None:
    lineup = [bytes([place]) * 32 for place in range(seats)]
    assert base_order(lineup, 7, SECRET) == tuple(lineup[place] for place in order)


def test_clones_are_ordered_by_position() -> None:
    assert [base_order((A, A, B), number, b"") for number in (0, 1)] == [(A, A, B), (A, B, A)]


def test_two_bots_with_a_clone_each_sit_alternately() -> None:
    assert {base_order((A, A, B, B), number, b"") for number in range(6)} == {(A, B, A, B)}


def test_every_rotation_moves_each_bot_one_seat_on() -> None:
    assert rotations((A, B, C)) == ((A, B, C), (B, C, A), (C, A, B))


@pytest.mark.parametrize(("base", "count"), [((A, B, A, B), 2), ((A, A, B, B), 4), ((A, A, B), 3), ((A, A), 1)])
def test_a_block_has_as_many_rotations_as_there_are_different_ones(base: tuple[bytes, ...], count: int) -> None:
    assert len(rotations(base)) == count
