"""What matches leave behind for the ratings."""

from __future__ import annotations

import pytest

from arena.rating.counts import MatchResult, PairCount, pair_counts
from arena.rating.errors import BadResultsError


def match(seats: str, *places: int, faulted: str = "") -> MatchResult[str]:
    return MatchResult(tuple(seats), places, tuple(bot in faulted for bot in seats))


def test_a_match_counts_every_pair_of_seats_once() -> None:
    assert pair_counts([[match("CAB", 1, 2, 2)]]) == (
        PairCount("A", "B", 3, True, games=1, wins=0, draws=1),
        PairCount("A", "C", 3, True, games=1, wins=0, draws=0),
        PairCount("B", "C", 3, True, games=1, wins=0, draws=0),
    )


def test_the_smaller_key_is_named_first_whatever_the_seats() -> None:
    seated_first = pair_counts([[match("AB", 1, 2)]])
    seated_last = pair_counts([[match("BA", 2, 1)]])
    assert seated_first == seated_last == (PairCount("A", "B", 2, True, games=1, wins=1, draws=0),)


def test_a_bot_in_two_seats_meets_others_twice_and_itself_never() -> None:
    assert pair_counts([[match("ABAB", 1, 2, 3, 4)]]) == (PairCount("A", "B", 4, True, games=4, wins=3, draws=0),)


def test_a_table_of_one_bot_alone_counts_nothing() -> None:
    assert pair_counts([[match("AAA", 1, 2, 3)]]) == ()


def test_seats_that_forfeit_together_are_level_and_behind_the_rest() -> None:
    counts = pair_counts([[match("ABC", 1, 3, 3, faulted="BC")]])
    assert [(count.a, count.b, count.wins, count.draws) for count in counts] == [
        ("A", "B", 1, 0),
        ("A", "C", 1, 0),
        ("B", "C", 0, 1),
    ]


def test_one_fault_makes_the_whole_block_unclean_and_no_other() -> None:
    faulty = [match("AB", 1, 2), match("BA", 2, 1, faulted="B")]
    clean = [match("AB", 2, 1)]
    assert pair_counts([faulty, clean]) == (
        PairCount("A", "B", 2, False, games=2, wins=2, draws=0),
        PairCount("A", "B", 2, True, games=1, wins=0, draws=0),
    )


def test_tables_of_different_size_are_counted_apart() -> None:
    counts = pair_counts([[match("AB", 1, 2)], [match("ABC", 1, 2, 3)]])
    assert [(count.a, count.b, count.seats) for count in counts if count.b == "B"] == [("A", "B", 2), ("A", "B", 3)]


def test_digests_serve_as_keys() -> None:
    low, high = bytes(32), bytes([255]) * 32
    assert pair_counts([[MatchResult((high, low), (1, 2), (False, False))]]) == (
        PairCount(low, high, 2, True, 1, 0, 0),
    )


@pytest.mark.parametrize(
    ("seats", "places", "faulted"),
    [("AB", (1,), (False, False)), ("AB", (1, 2), (False,)), ("A", (1,), (False,))],
)
def test_a_match_that_lacks_a_seat_is_refused(seats: str, places: tuple[int, ...], faulted: tuple[bool, ...]) -> None:
    with pytest.raises(BadResultsError, match="at least 2 seats"):
        MatchResult(tuple(seats), places, faulted)


@pytest.mark.parametrize(
    ("a", "b", "seats", "games", "wins", "draws", "message"),
    [
        ("B", "A", 2, 1, 1, 0, "smaller bot first"),
        ("A", "A", 2, 1, 1, 0, "smaller bot first"),
        ("A", "B", 1, 1, 1, 0, "at least 2 seats"),
        ("A", "B", 2, 1, 1, 1, "do not fit"),
        ("A", "B", 2, 1, -1, 1, "do not fit"),
    ],
)
def test_a_count_that_contradicts_itself_is_refused(
    a: str, b: str, seats: int, games: int, wins: int, draws: int, message: str
) -> None:
    with pytest.raises(BadResultsError, match=message):
        PairCount(a, b, seats, True, games, wins, draws)
