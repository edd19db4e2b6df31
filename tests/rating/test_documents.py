"""Results from elsewhere and the report on them, as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.rating.documents import DocumentError, parse_results, report_document
from arena.rating.report import rate
from tests.rating import examples

ELO = 0.1


def document(blocks: list[str], **options: Any) -> dict[str, Any]:
    found = report_document(rate(parse_results(examples.lines(blocks)), **options))
    again: dict[str, Any] = json.loads(json.dumps(found, allow_nan=False))
    assert again == found
    return found


def test_a_document_has_the_promised_keys() -> None:
    found = document(examples.MIXED_SIZES)
    assert list(found) == ["bots", "pairs", "design_effect"]
    assert list(found["bots"][0]) == [
        *("bot", "rating", "field", "half_width", "low", "high", "kind", "flag", "rank"),
        *("component", "blocks", "matches"),
    ]
    assert list(found["pairs"][0]) == ["a", "b", "difference", "half_width", "los"]
    assert list(found["design_effect"]) == ["points", "places"]


@pytest.mark.parametrize(
    ("blocks", "prior", "pairs"),
    [
        (examples.WINS_TIES_LOSSES, 0, {"AB": (190.8, 74.5)}),
        (examples.BLOCKS_OF_TWO, 0, {"AB": (-168.4, 73.8)}),
        (examples.THROUGH_A_THIRD, 0, {"AB": (190.8, 130.8), "AC": (381.7, 184.9)}),
        (examples.CIRCLE, 0, {"AB": (0, 56.2), "AC": (0, 56.2), "BC": (0, 56.2)}),
        (examples.UNBEATEN, 1, {"AB": (544.7, 500.2)}),
        (examples.MIXED_SIZES, 1, {"AB": (114.6, 45.9), "BD": (104.0, 91.2), "BC": (33.0, 202.3)}),
        (examples.TWO_COMPONENTS, 1, {"AB": (164.8, 575.7), "CD": (181.1, 245.6), "AC": (None, None)}),
    ],
)
def test_known_answers_come_out_of_lines_of_text(
    blocks: list[str], prior: float, pairs: dict[str, tuple[float | None, float | None]]
) -> None:
    found = {pair["a"] + pair["b"]: pair for pair in document(blocks, prior=prior)["pairs"]}
    for pair, (difference, half_width) in pairs.items():
        assert found[pair]["difference"] == pytest.approx(difference, abs=ELO)
        assert found[pair]["half_width"] == pytest.approx(half_width, abs=ELO)


def test_a_bot_that_won_all_has_one_end_and_a_flag() -> None:
    best = document(examples.UNBEATEN, anchor={"B": 1500})["bots"][0]
    assert (best["bot"], best["kind"], best["flag"], best["half_width"], best["high"]) == (
        "A",
        "above",
        ">",
        None,
        None,
    )
    assert (best["rating"], best["low"]) == pytest.approx((2044.7, 1640.2), abs=ELO)


def test_a_design_effect_stands_beside() -> None:
    assert document(examples.BLOCKS_OF_TWO)["design_effect"] == {
        "points": None,
        "places": pytest.approx(1.130, abs=5e-4),
    }


def test_lines_come_in_any_order_and_blank_ones_are_skipped() -> None:
    there = [*examples.lines(examples.MIXED_SIZES), "", "  \n"]
    assert report_document(rate(parse_results(there[::-1]))) == report_document(rate(parse_results(there)))


def test_bytes_are_read_as_utf_8() -> None:
    line = '{"block": "é", "seats": ["ä", "日本"], "places": [1, 2]}'
    assert parse_results([line.encode()]).bots == ("ä", "日本")


def test_points_may_be_told() -> None:
    found = parse_results(['{"block": "q", "seats": ["A", "B"], "places": [1, 2], "points": [3, 9], "deals": 2}'])
    assert found.lead is not None
    assert found.lead.tolist() == [3.0, -3.0]


GOOD = {"block": "q", "seats": ["A", "B"], "places": [1, 2]}
THREE = {"block": "q", "seats": ["A", "B", "C"]}


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"], ids=["before a match", "alone in its line"])
def test_a_byte_order_mark_at_the_start_is_no_part_of_the_results(mark: bytes) -> None:
    assert parse_results((mark + json.dumps(GOOD).encode()).splitlines()).bots == ("A", "B")


def test_level_seats_may_be_counted_one_by_one_or_together() -> None:
    one_by_one, together = (
        report_document(rate(parse_results([json.dumps(THREE | {"places": places})])))
        for places in ([1, 1, 3], [1, 1, 2])
    )
    assert one_by_one == together


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"\xff", "not UTF-8"),
        ("{", "not JSON: "),
        ('{"block": "q"} x', "not JSON: what stands at character 16"),
        (b"\xef\xbb\xbf{}", "not JSON: what stands at character 1"),
        ("[1]", "not an object"),
        ("null", "not an object"),
        ('{"block": "a", "block": "b"}', 'the key "block" is there twice'),
        ("[" * 50_000, "nested too deeply"),
        ("9" * 5_000, "too many digits"),
        (" " * 99_999 + "[]", "longer than 100000 characters"),
        ('{"block": "q", "seats": ["A", "B"], "places": [1, NaN]}', "NaN is not a number"),
        ('{"block": "q", "seats": ["A", "B"], "places": [1, -Infinity]}', "-Infinity is not a number"),
        ('{"block": "q", "seats": ["A", "B"]}', 'the key "places" is missing'),
        (GOOD | {"place": 1}, 'unknown key "place"; a line is such as {"block": "q1", "seats": '),
        (GOOD | {"seats": "AB"}, "seats must be a list"),
        (GOOD | {"seats": ["A"]}, "a match has 2 to 64 seats, not 1"),
        (GOOD | {"seats": ["A"] * 65}, "a match has 2 to 64 seats, not 65"),
        (GOOD | {"seats": ["A", ""]}, "a text that is not empty"),
        (GOOD | {"seats": ["A", 7]}, "a text that is not empty, not 7"),
        (GOOD | {"seats": ["A", "B" * 201]}, "has 201 characters"),
        (GOOD | {"seats": ["A", "\ud800"]}, "half a character"),
        (GOOD | {"block": 1}, "the name of the block must be a text"),
        (GOOD | {"places": [1]}, "places must be 2, one for each seat, not 1"),
        (GOOD | {"places": [1, 3]}, "places must be whole numbers from 1 to 2, not 3"),
        (GOOD | {"places": [0, 1]}, "places must be whole numbers from 1 to 2, not 0"),
        (GOOD | {"places": [1, 1.5]}, "not 1.5"),
        (GOOD | {"places": [1, True]}, "not true"),
        (GOOD | {"places": [1, "2"]}, 'not "2"'),
        (GOOD | {"places": [1, None]}, "not null"),
        (GOOD | {"points": [1, 2]}, "points and deals belong together"),
        (GOOD | {"points": [1, 10**12], "deals": 1}, "points must be whole numbers"),
        (GOOD | {"points": [1, 2], "deals": 0}, "deals must be a whole number from 1"),
        (GOOD | {"faults": [0, 0]}, 'unknown key "faults"'),
        (GOOD | {"seats": ["A", "B "]}, 'a seat begins or ends with a blank: "B "'),
        (GOOD | {"block": " q"}, 'the block begins or ends with a blank: " q"'),
        (GOOD | {"places": [2, 2]}, "the best have place 1"),
        (THREE | {"places": [3, 3, 2]}, "place 2 with none of the seats ahead of it"),
        (THREE | {"places": [1, 3, 3]}, "place 3 with 1 of the seats ahead of it"),
    ],
)
def test_a_bad_line_is_told_in_one_sentence_with_its_number(line: Any, message: str) -> None:
    text = line if isinstance(line, str | bytes) else json.dumps(line)
    with pytest.raises(DocumentError) as told:
        parse_results([json.dumps(GOOD), text])
    assert str(told.value).startswith("line 2: ")
    assert message in str(told.value)
    assert len(str(told.value)) < 200
    assert str(told.value).isprintable()


@pytest.mark.parametrize("depth", range(100, 1200, 50))
def test_no_depth_of_nesting_gets_past_the_reader(depth: int) -> None:
    nested = '{"block": "q", "places": [1], "seats": {"a": ' + "[" * depth + "]" * depth + "}}"
    with pytest.raises(DocumentError, match=r"^line 1: (seats must be a list|nested too deeply)"):
        parse_results([nested])
