"""The columns that all statistics start from, whatever order results come in."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from arena.rating.counts import MatchResult
from arena.rating.errors import BadResultsError
from arena.rating.results import Block, Results
from tests.rating.examples import block, match, results

COLUMNS = ("block", "match", "seat", "bot", "place", "faulted")
ROWS: dict[str, Any] = {
    "block": [0, 0, 0, 0, 1, 1],
    "match": [7, 7, 9, 9, 7, 7],
    "seat": [0, 1, 0, 1, 0, 1],
    "bot": [0, 1, 1, 0, 1, 2],
    "place": [1, 2, 1, 2, 2, 1],
    "faulted": [False, False, False, True, False, False],
    "points": [3, 5, 1, 4, 6, 2],
    "deals": [2, 2, 1, 1, 4, 4],
}


def tables(found: Results[Any]) -> list[Any]:
    return [found.bots, found.keys, *(getattr(found, column).tolist() for column in COLUMNS)]


def test_rows_run_by_block_match_and_seat() -> None:
    found = results(["B>A A>B", "C=A"])
    assert found.bots == ("A", "B", "C")
    assert found.block.tolist() == [0, 0, 0, 0, 1, 1]
    assert found.match.tolist() == [0, 0, 1, 1, 2, 2]
    assert found.seat.tolist() == [0, 1] * 3
    assert found.bot.tolist() == [0, 1, 1, 0, 2, 0]
    assert found.place.tolist() == [1, 2, 1, 2, 1, 1]
    assert found.matches == 3


def test_blocks_and_their_matches_come_in_any_order() -> None:
    blocks = [block(3, "B>A A>B"), block(1, "C=A"), block(2, "A>C>B B>A>C C>A>B")]
    expected = tables(Results.from_blocks(blocks))
    for order in permutations(blocks):
        shuffled = [Block(one.key, one.matches[::-1]) for one in order]
        assert tables(Results.from_blocks(shuffled)) == expected


def test_columns_come_in_any_order() -> None:
    expected = Results.from_columns("ABC", ["p", "q"], **ROWS)
    order = [4, 0, 5, 2, 3, 1]
    shuffled = Results.from_columns("ABC", ["p", "q"], **{name: np.array(ROWS[name])[order] for name in ROWS})
    assert tables(shuffled) == tables(expected)
    assert shuffled.lead is not None and expected.lead is not None
    assert shuffled.lead.tolist() == expected.lead.tolist()


def test_bots_and_blocks_are_sorted_by_name_wherever_their_index_is() -> None:
    found = Results.from_columns("CAB", ["q", "p"], **ROWS)
    assert (found.bots, found.keys) == (("A", "B", "C"), ("p", "q"))
    assert [found.bots[bot] for bot in found.bot.tolist()] == ["A", "B", "C", "A", "A", "C"]


def test_a_lead_is_what_the_others_have_more_a_deal() -> None:
    found = Results.from_blocks(
        [Block(0, (MatchResult(tuple("ABC"), (1, 2, 3), (False,) * 3, points=(2, 4, 9), deals=5),))]
    )
    assert found.lead is not None
    assert found.lead.tolist() == pytest.approx([0.9, 0.3, -1.2])


def test_a_match_without_a_deal_has_a_lead_all_the_same() -> None:
    found = Results.from_blocks([Block(0, (MatchResult(("A", "B"), (1, 1), (True, True), points=(0, 3), deals=0),))])
    assert found.lead is not None
    assert found.lead.tolist() == [3.0, -3.0]


def test_points_of_some_matches_only_are_no_points() -> None:
    with_points = MatchResult(("A", "B"), (1, 2), (False, False), points=(1, 2), deals=1)
    assert Results.from_blocks([Block(0, (with_points, match("A>B")))]).lead is None


def test_the_second_list_leaves_out_whole_blocks_with_a_fault() -> None:
    found = Results.from_blocks([block(0, "A>B B>A"), block(1, "A>B B>C", faulted="C"), block(2, "B>A")])
    assert found.clean_blocks().tolist() == [True, False, True]
    assert tables(found.clean()) == tables(Results.from_blocks([block(0, "A>B B>A"), block(2, "B>A")], "ABC"))


def test_every_match_can_be_a_block_of_its_own() -> None:
    found = results(["A>B B>A", "A>B"]).by_match()
    assert (len(found.keys), found.block.tolist()) == (3, [0, 0, 1, 1, 2, 2])


def test_pieces_hold_whole_blocks_and_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.rating.results._ROWS_AT_ONCE", 4)
    found = results(["A>B", "A>B", "A>B B>A A>B", "A>B"])
    assert [(piece.start, piece.stop) for piece in found.slices()] == [(0, 4), (4, 10), (10, 12)]


def test_blocks_of_very_many_rows_are_worked_on_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.rating.results._CELLS_AT_ONCE", 20)
    found = results(["A>B", "A>B", "A>B B>A A>B", "A>B"])
    assert [(piece.start, piece.stop) for piece in found.slices()] == [(0, 4), (4, 10), (10, 12)]


def test_a_block_given_twice_is_refused() -> None:
    with pytest.raises(BadResultsError, match="block 7 is given twice"):
        Results.from_blocks([block(7, "A>B"), block(7, "A>B")])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bots": "AAB"}, "a bot is named twice"),
        ({"keys": ["p", "p"]}, "block 'p' is given twice"),
        ({"keys": ["p", "q", "r"]}, "a block has no match"),
        ({"keys": ["p"]}, "names a block that is not in the list"),
        ({"bot": [0, 1, 1, 0, 1, 3]}, "names a bot that is not in the list"),
        ({"bot": [0, 1, 1, 0, 1, -1]}, "names a bot that is not in the list"),
        ({"place": [1]}, "differ in length"),
        ({"match": [7, 7, 9, 8, 7, 7]}, "at least 2 seats"),
    ],
)
def test_columns_that_contradict_themselves_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadResultsError, match=message):
        Results.from_columns(**{"bots": "ABC", "keys": ["p", "q"]} | ROWS | change)


def test_no_results_are_none() -> None:
    found = Results.from_blocks([], ["A"])
    assert (found.bots, found.keys, found.matches, list(found.slices())) == (("A",), (), 0, [])
