"""Results seen pair by pair."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.counts import MatchResult, PairTable, pair_counts
from arena.rating.duels import beaten, count_duels
from arena.rating.results import Block, Results
from tests.rating.examples import results


@st.composite
def matches(draw: st.DrawFn) -> MatchResult[str]:
    seats = draw(st.lists(st.sampled_from("ABCD"), min_size=2, max_size=5))
    places = draw(st.lists(st.integers(1, 3), min_size=len(seats), max_size=len(seats)))
    return MatchResult(tuple(seats), tuple(places), (False,) * len(seats))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.lists(matches(), min_size=1, max_size=3), max_size=6))
def test_columns_count_the_same_pairs_as_matches_do_one_by_one(blocks: list[list[MatchResult[str]]]) -> None:
    gathered = Results.from_blocks([Block(key, tuple(block)) for key, block in enumerate(blocks)], "ABCD")
    found, expected = count_duels(gathered), PairTable.of("ABCD", pair_counts(blocks)).compact()
    for column in ("first", "second", "seats", "games", "wins", "draws"):
        assert getattr(found, column).tolist() == getattr(expected, column).tolist()


def test_counts_of_clean_and_other_blocks_add_up() -> None:
    faulty = [[MatchResult(("A", "B"), (1, 2), (False, faulted)) for _ in range(3)] for faulted in (True, False)]
    table = PairTable.of("AB", pair_counts(faulty)).compact()
    assert (table.games.tolist(), table.wins.tolist()) == ([6], [6])


def test_seats_beaten_are_those_of_other_bots_and_half_for_level() -> None:
    won, met = beaten(results(["A>B=C>A", "A>A"]))
    assert met.tolist() == [2, 3, 3, 2, 0, 0]
    assert won.tolist() == [2, 1.5, 1.5, 0, 0, 0]
