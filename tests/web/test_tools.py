"""What pages are made with: pages of listings, sorting, drawings, what is kept, cards."""

from __future__ import annotations

import pytest

from arena.game.cards import NAMES, card_name
from arena.web.conditional import Kept, matches
from arena.web.drawing import EDGE, Scale, bar, sparkline
from arena.web.paging import page_by_key, slice_of
from arena.web.sorting import read_sort, sort_rows
from arena.web.suits import face

ROWS = list(range(9, 0, -1))


def test_a_page_by_key_knows_whether_another_follows() -> None:
    first = page_by_key(lambda limit: ROWS[:limit], 4, lambda row: row)
    assert (first.rows, first.following) == ([9, 8, 7, 6], 6)
    last = page_by_key(lambda limit: ROWS[5:][:limit], 4, lambda row: row)
    assert (last.rows, last.following) == ([4, 3, 2, 1], None)
    assert page_by_key(lambda limit: ROWS[:0], 4, lambda row: row).following is None


@pytest.mark.parametrize(("number", "shown"), [(1, [0, 1, 2]), (3, [6]), (99, [6]), (0, [0, 1, 2])])
def test_a_page_by_number_is_the_nearest_that_there_is(number: int, shown: list[int]) -> None:
    assert slice_of(range(7), number, 3).rows == range(7)[shown[0] : shown[-1] + 1]
    assert slice_of([], number, 3).count == 1


def test_what_has_no_value_stands_last_whichever_way() -> None:
    rows = [("a", 2), ("b", None), ("c", 1), ("d", 2)]
    assert [row[0] for row in sort_rows(rows, lambda row: row[1], descending=False)] == ["c", "a", "d", "b"]
    assert [row[0] for row in sort_rows(rows, lambda row: row[1], descending=True)] == ["a", "d", "c", "b"]


def test_a_head_leads_to_its_own_direction_first_and_then_turns() -> None:
    sort = read_sort("-rating", ("rating",), "place", str)
    assert (sort.column, sort.descending) == ("rating", True)
    assert [sort.link(column) for column in ("rating", "bot", "place")] == ["rating", "bot", "None"]
    assert read_sort("bot", ("rating",), "place", str).link("rating") == "-rating"


def test_an_interval_is_drawn_to_scale_and_an_open_end_goes_to_the_edge() -> None:
    scale = Scale.over([1000, 2000], 110)
    assert (scale(1000), scale(1500), scale(2000), scale(9999)) == (5, 55, 105, 105)
    closed = bar(scale, 1500, 1400, 1600, zero=1500)
    assert (closed.low, closed.at, closed.high, closed.zero) == (45, 55, 65, 55)
    above = bar(scale, 1900, 1600, None)
    assert (above.low, above.high, above.at, above.open_high, above.open_low) == (65, 110 - EDGE, None, True, False)
    assert bar(scale, None, None, None).low is None


def test_a_scale_of_one_value_has_it_in_the_middle() -> None:
    assert Scale.over([7], 110)(7) == 55
    assert Scale.over([], 110)(0) == 55


def test_a_course_leaves_gaps_out_and_one_value_is_none() -> None:
    course = sparkline([None, 1500, None, 1600])
    assert len(course.points.split()) == 2
    assert (course.first_value, course.last_value) == (1500, 1600)
    assert sparkline([None, 1500]).points == ""


def test_what_was_asked_for_longest_ago_is_dropped_first() -> None:
    kept = Kept(most_bytes=10)
    kept.put("a", b"12345")
    kept.put("b", b"12345")
    assert kept.get("a") == b"12345"
    kept.put("c", b"1")
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (b"12345", None, b"1")
    kept.put("d", b"x" * 11)
    assert kept.get("d") is None, "what is larger than all the room is not kept"


def test_a_tag_is_known_again_however_it_is_written() -> None:
    kept = Kept()
    tag = kept.tag("1", "en", "/")
    assert tag == kept.tag("1", "en", "/") != kept.tag("1", "en/", "")
    assert tag != Kept().tag("1", "en", "/"), "another process may mean something else"
    assert matches(tag, f'"x", {tag}') and matches(tag, tag.removeprefix("W/")) and matches(tag, "*")
    assert not matches(tag, "") and not matches(tag, '"x"')


def test_every_card_has_a_face() -> None:
    faces = {face(number) for number in range(NAMES)}
    assert len(faces) == NAMES
    assert {face(number) for number in range(NAMES, 2 * NAMES)} == faces, "copies of a second deck look alike"
    assert all(face(card_name(number)) == face(number) for number in range(NAMES))
    assert face("Th") == ("10", "hearts", "♥", "") and face("As").court == "ace"
    with pytest.raises(ValueError, match="is no card"):
        face("1x")
