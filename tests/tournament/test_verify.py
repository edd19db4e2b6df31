from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.game.variant import Variant
from arena.tournament.formats import plan
from arena.tournament.verify import verify, verify_match
from tests.tournament.playing import Manners, bots, export, tournament

CUP = tournament(bots(3), 2, Variant(deal_cap=1), deals=3)
LINES = export(CUP)
BLOCK_IDS = [block.block_id for block in plan("round-robin", CUP.entries, 2, 3, CUP.variant, CUP.limits)]


def numbered(line: str) -> tuple[Any, int]:
    match = json.loads(line)
    return match["lineup"], match["block"]


def test_an_export_holds_and_is_counted() -> None:
    report = verify(LINES, BLOCK_IDS)
    assert report.ok
    assert (report.matches, report.blocks, report.deals) == (18, 9, 18)
    assert report.turns == sum(len(deal["turns"]) for line in LINES for deal in json.loads(line)["deals"])
    assert report.notes == []


def test_a_match_can_be_checked_without_the_rest_of_its_block() -> None:
    report = verify_match(LINES[0])
    assert report.ok and (report.matches, report.deals) == (1, 1)
    altered = json.loads(LINES[0])
    altered["points"][0] += 1
    assert [problem.field for problem in verify_match(json.dumps(altered)).problems] == ["points"]
    assert not verify_match("nothing").ok


@pytest.mark.parametrize(("seats", "decks", "entered"), [(4, 1, 5), (8, 1, 8), (10, 2, 10)])
def test_tables_of_every_size_are_verified(seats: int, decks: int, entered: int) -> None:
    cup = tournament(bots(entered), seats, Variant(decks=decks, deal_cap=2))
    report = verify(export(cup, Manners(fault_rate=0.05)))
    assert report.problems == []
    assert report.turns > 0


def test_clones_are_verified() -> None:
    test = {"a": bots(2)[0].digest.hex(), "fixed": 2}
    report = verify(export(tournament(bots(2), 4, Variant(deal_cap=1), format="ab", options=test)))
    assert report.problems == []
    assert (report.blocks, report.matches) == (2, 4)


def test_a_line_may_come_as_bytes_with_its_line_feed() -> None:
    assert verify([line.encode() + b"\n" for line in LINES] + [b"\n"]).ok


# While the tournament runs


def test_without_the_secret_the_seeds_are_not_yet_checkable_and_the_rest_is() -> None:
    report = verify(export(CUP, running=True), BLOCK_IDS)
    assert report.ok
    assert ["not yet checkable" in note for note in report.notes] == [True]
    altered = [line.replace('"card":"', '"card":"As","card":"', 1) for line in export(CUP, running=True)]
    assert not verify(altered).ok


def test_without_the_secret_a_seed_must_still_be_that_of_its_block() -> None:
    lines = export(CUP, running=True)
    match = json.loads(lines[0])
    match["seed"] = "00" * 32
    assert any(problem.field == "seed" for problem in verify([json.dumps(match), *lines[1:]]).problems)


def test_while_the_tournament_runs_blocks_may_be_missing() -> None:
    rest = [line for line in export(CUP, running=True) if numbered(line)[1] != 0]
    report = verify(rest, BLOCK_IDS)
    assert report.ok
    assert any("blocks are missing" in note for note in report.notes)


# Blocks


def test_a_gap_in_the_blocks_of_a_lineup_is_named() -> None:
    lineup, _ = numbered(LINES[0])
    report = verify([line for line in LINES if numbered(line) != (lineup, 1)])
    bots_of_lineup = " ".join(digest[:8] for digest in lineup)
    assert [str(problem) for problem in report.problems] == [
        f"the file: block 1 of lineup {bots_of_lineup} is missing, though block 2 is there"
    ]


def test_blocks_missing_at_the_end_are_found_with_the_plan_only() -> None:
    lineup, _ = numbered(LINES[0])
    rest = [line for line in LINES if numbered(line) != (lineup, 2)]
    assert verify(rest).ok
    assert [str(problem) for problem in verify(rest, BLOCK_IDS).problems] == [
        f"the file: block_id {BLOCK_IDS[2].hex()} is planned, but missing"
    ]


def test_an_enormous_block_number_costs_no_time() -> None:
    match = json.loads(LINES[0])
    match["block"] = 2**52
    assert any(f"1 to {2**52 - 1}" in str(problem) for problem in verify([*LINES[:2], json.dumps(match)]).problems)


def test_matches_of_two_tournaments_are_told_apart() -> None:
    other = export(tournament(bots(3), 2, Variant(deal_cap=1), deals=3, id="bowl", secret=bytes(32)))
    fields = {problem.field for problem in verify([*LINES, *other[:2]]).problems}
    assert {"tournament", "commitment", "secret"} <= fields


# What cannot be read


def test_an_empty_file_is_a_problem() -> None:
    assert [str(problem) for problem in verify([]).problems] == ["the file: the text holds no match that can be read"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("least score", "line 1: the text is not a JSON object: what stands at character 1 is not allowed there"),
        ("[]", "line 1: the text is not a JSON object, as a match is"),
        ("[" * 100_000, "line 1: the text is nested too deeply"),
        (b"a\xff", "line 1: the text is not UTF-8: byte 2 cannot stand there"),
        ('{"a":1,"a":2}', 'line 1: the text cannot be read: the key "a" stands twice in one object'),
    ],
)
def test_what_is_no_match_at_all_is_told_in_a_sentence(line: str | bytes, said: str) -> None:
    assert str(verify([line]).problems[0]) == said


@pytest.mark.parametrize(
    "line",
    [
        "least score",
        "[]",
        "null",
        "{}",
        '{"format":"least-score/match/1"',
        "[" * 100_000,
        '{"block":' + "9" * 5_000 + "}",
        b"\xff\xfe",
        b"\x00",
        '{"tournament":"\\ud800"}',
        '{"block":NaN}',
        '{"a":1,"a":2}',
    ],
)
def test_text_that_is_no_match_is_a_problem_of_its_line(line: str | bytes) -> None:
    report = verify([*LINES, line])
    assert not report.ok
    assert {problem.where for problem in report.problems} == {"line 19"}


def test_a_key_that_stands_twice_is_refused() -> None:
    line = LINES[0].replace('"rotation":0', '"rotation":1,"rotation":0')
    assert '"rotation" stands twice' in str(verify([line, *LINES[1:]]).problems[0])


def test_problems_can_be_shown_on_any_terminal() -> None:
    match = json.loads(LINES[0])
    match["seats"][0]["bot"] = "\x1b[2J\u202e" + "x" * 10_000
    match["crossing\x1b[2J"] = 1
    match["\ud800"] = "\ud800"
    for problem in verify([json.dumps(match)]).problems:
        text = str(problem)
        assert text.isascii()
        assert text.isprintable()
        assert len(text) < 500


WEIRD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([10**30, -1, 2**53, 1.5, float("inf"), "", "x" * 5_000, "closed", "As", "\ud800", [], {}]),
    st.text(max_size=70),
    st.recursive(
        st.integers() | st.text(max_size=3),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=5,
    ),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_whatever_a_line_holds_nothing_is_raised(data: st.DataObject) -> None:
    match = json.loads(LINES[0])
    place: Any = match
    key: Any = data.draw(st.sampled_from(sorted(match)))
    while isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    before, place[key] = place[key], data.draw(WEIRD)
    report = verify([json.dumps(match), LINES[1]])
    free = key in ("micros", "reason", "attempt", "tournament", "sandbox")
    assert free or not report.ok or (place[key] == before and type(place[key]) is type(before))
