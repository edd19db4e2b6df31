"""`arena rate --from FILE`: known answers, one document, one line for whatever is wrong; no database anywhere."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest

from arena.cli.errors import FAILED, MISUSE
from arena.game.variant import Variant
from tests.cli.stored import Shell
from tests.rating import examples
from tests.tournament.playing import bots, export, tournament

ELO = 0.1


class Rater:
    """Rates results that are written as orders of finish, through the command line."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.path = shell.path.with_name("results.jsonl")

    def __call__(self, blocks: list[str], *options: str) -> Any:
        self.path.write_text("\n".join(examples.lines(blocks)))
        said = self.shell("rate", "--from", str(self.path), "--json", *options)
        assert (said.code, said.err) == (0, "")
        assert not self.shell.path.exists()
        return said.json


@pytest.fixture
def rated(empty_shell: Shell) -> Rater:
    return Rater(empty_shell)


def column(document: Any, field: str) -> dict[str, Any]:
    return {bot["bot"]: bot[field] for bot in document["bots"]}


def pair(document: Any, a: str, b: str) -> tuple[float, float, float]:
    (found,) = (one for one in document["pairs"] if {one["a"], one["b"]} == {a, b})
    sign = 1 if found["a"] == a else -1
    return sign * found["difference"], found["half_width"], found["los"] if sign == 1 else 1 - found["los"]


def test_wins_ties_and_losses(rated: Rater) -> None:
    difference, half_width, _ = pair(rated(examples.WINS_TIES_LOSSES, "--prior", "0"), "A", "B")
    assert (difference, half_width) == pytest.approx((190.8, 74.5), abs=ELO)


def test_blocks_of_two(rated: Rater) -> None:
    document = rated(examples.BLOCKS_OF_TWO, "--prior", "0")
    assert pair(document, "A", "B")[:2] == pytest.approx((-168.4, 73.8), abs=ELO)
    assert document["design_effect"] == {"points": None, "places": pytest.approx(1.130, abs=0.001)}


def test_through_a_third(rated: Rater) -> None:
    document = rated(examples.THROUGH_A_THIRD, "--prior", "0", "--anchor", "C=1500")
    assert column(document, "rating") == pytest.approx({"A": 1881.7, "B": 1690.8, "C": 1500.0}, abs=ELO)
    assert pair(document, "A", "C")[:2] == pytest.approx((381.7, 184.9), abs=ELO)
    assert pair(document, "A", "B")[2] == pytest.approx(0.9973, abs=0.0001)
    assert column(document, "half_width") == pytest.approx({"A": 97.5, "B": 60.7, "C": 97.5}, abs=ELO)
    assert column(document, "rank") == {"A": [1, 1], "B": [2, 2], "C": [3, 3]}


def test_a_circle(rated: Rater) -> None:
    document = rated(examples.CIRCLE, "--prior", "0")
    assert column(document, "field") == pytest.approx({"A": 0, "B": 0, "C": 0}, abs=ELO)
    for a, b in ("AB", "BC", "CA"):
        assert pair(document, a, b) == pytest.approx((0, 56.2, 0.5), abs=ELO)


def test_six_tables(rated: Rater) -> None:
    document = rated(examples.SIX_TABLES, "--anchor", "D=1500")
    assert column(document, "field") == pytest.approx({"A": 101.2, "B": 28.3, "C": -28.3, "D": -101.2}, abs=ELO)
    assert column(document, "half_width") == pytest.approx({"A": 226.9, "B": 176.3, "C": 185.3, "D": 226.8}, abs=ELO)
    assert column(document, "rating") == pytest.approx({"A": 1702.5, "B": 1629.5, "C": 1573.0, "D": 1500.0}, abs=ELO)


def test_an_unbeaten_bot_has_a_bound_and_no_interval(rated: Rater) -> None:
    document = rated(examples.UNBEATEN, "--anchor", "B=1500")
    best = document["bots"][0]
    assert (best["bot"], best["kind"], best["flag"]) == ("A", "above", ">")
    assert (best["rating"], best["low"]) == pytest.approx((2044.7, 1640.2), abs=ELO)
    assert (best["half_width"], best["high"]) == (None, None)
    assert column(document, "rating")["C"] == pytest.approx(1446.8, abs=ELO)
    assert pair(document, "A", "B")[1] == pytest.approx(500.2, abs=ELO)
    shown = rated.shell("rate", "--from", str(rated.path), "--anchor", "B=1500").out
    assert "1 A > 1640 1–3 10 10" in " ".join(shown.split())
    assert "A won every point" in shown


def test_mixed_sizes_by_block_and_by_match(rated: Rater) -> None:
    document = rated(examples.MIXED_SIZES, "--anchor", "D=1500")
    assert column(document, "rating") == pytest.approx({"A": 1718.5, "B": 1604.0, "C": 1570.9, "D": 1500.0}, abs=ELO)
    assert column(document, "half_width") == pytest.approx({"A": 76.6, "B": 58.4, "C": 147.7, "D": 62.2}, abs=ELO)
    assert pair(document, "A", "B")[:2] == pytest.approx((114.6, 45.9), abs=ELO)
    assert column(document, "rank") == {"A": [1, 2], "B": [2, 4], "C": [1, 4], "D": [2, 4]}
    by_match = rated(examples.MIXED_SIZES, "--anchor", "D=1500", "--cluster", "match")
    assert column(by_match, "rating") == pytest.approx(column(document, "rating"), abs=1e-6)
    assert column(by_match, "half_width") == pytest.approx({"A": 98.0, "B": 103.5, "C": 110.0, "D": 105.0}, abs=ELO)


def test_three_at_a_table(rated: Rater) -> None:
    document = rated(examples.THREE_AT_A_TABLE, "--prior", "0")
    assert column(document, "field") == pytest.approx({"A": 82.8, "B": 20.8, "C": -103.5}, abs=ELO)


def test_two_components_are_not_compared(rated: Rater) -> None:
    document = rated(examples.TWO_COMPONENTS)
    assert pair(document, "A", "B")[:2] == pytest.approx((164.8, 575.7), abs=ELO)
    assert pair(document, "C", "D")[:2] == pytest.approx((181.1, 245.6), abs=ELO)
    across = [one for one in document["pairs"] if {one["a"], one["b"]} == {"A", "C"}]
    assert [(one["difference"], one["half_width"], one["los"]) for one in across] == [(None, None, None)]
    assert sorted(column(document, "component").values()) == [0, 0, 1, 1]
    shown = rated.shell("rate", "--from", str(rated.path)).out
    assert "form 2 groups that did not meet" in " ".join(shown.split())
    rows = [line.split()[:3] for line in shown.splitlines()[2:8]]
    assert rows == [["#", "bot", "group"], ["1", "A", "1"], ["2", "B", "1"], [], ["1", "C", "2"], ["2", "D", "2"]]


def test_the_document_has_exactly_these_fields(rated: Rater) -> None:
    document = rated(["A>B B>A", "A>B A=B", "A>C"])
    assert list(document) == ["bots", "pairs", "design_effect"]
    fields = "bot rating field half_width low high kind flag rank component blocks matches"
    assert {" ".join(bot) for bot in document["bots"]} == {fields}
    assert {" ".join(one) for one in document["pairs"]} == {"a b difference half_width los"}
    assert list(document["design_effect"]) == ["points", "places"]
    assert {bot["bot"]: bot["kind"] for bot in document["bots"]}["C"] == "provisional"


def test_standard_input_is_a_file_too(rated: Rater, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "\n".join(examples.lines(examples.SIX_TABLES)).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))
    assert rated.shell("rate", "--from", "-", "--json").json == rated(examples.SIX_TABLES)


def test_without_a_match_there_is_nothing_to_rate(rated: Rater) -> None:
    assert rated([]) == {"bots": [], "pairs": [], "design_effect": {"points": None, "places": None}}
    assert "nothing to rate" in rated.shell("rate", "--from", str(rated.path)).out


GOOD = '{"block":"q","seats":["A","B"],"places":[1,2]}'


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "\0",
        '{"block":"q","seats":["A","B"],"places":[1]}',
        '{"block":"q","seats":["A","B"],"places":[1,NaN]}',
        "[" * 100_000,
        "x" * 1_000_000,
    ],
)
def test_a_line_that_says_something_else_is_named_by_its_number(rated: Rater, line: str) -> None:
    rated.path.write_text(f"{GOOD}\n{line}\n{GOOD}\n")
    said = rated.shell("rate", "--from", str(rated.path), "--json")
    assert (said.code, said.out) == (MISUSE, "")
    assert "results.jsonl: line 2: " in said.err
    assert said.err.count("\n") == 1
    assert len(said.err) < 500


@pytest.mark.parametrize("deals", [1, 100], ids=["a short match", "one longer than any line of results"])
def test_an_export_is_known_for_one_and_the_way_to_its_results_is_told(rated: Rater, deals: int) -> None:
    rated.path.write_text(export(tournament(bots(2), 2, Variant(threshold=0, deal_cap=deals)))[0])
    said = rated.shell("rate", "--from", str(rated.path))
    assert (said.code, said.out) == (MISUSE, "")
    assert "--from was given an export" in said.err
    assert "jq -c '{block: .block_id, " in said.err


def test_bytes_that_are_no_text_are_named_by_their_line(rated: Rater) -> None:
    rated.path.write_bytes(b"\xff\xfe\n")
    said = rated.shell("rate", "--from", str(rated.path))
    assert (said.code, "line 1: " in said.err) == (MISUSE, True)


@pytest.mark.parametrize(
    "options",
    [
        ["--anchor", "A"],
        ["--anchor", "=1500"],
        ["--anchor", "A=much"],
        ["--anchor", "A=nan"],
        ["--anchor", "A=inf"],
        ["--anchor", "A=1e300"],
        ["--anchor", "A=-100000.5"],
        ["--anchor", "Z=1500"],
        ["--prior", "-1"],
        ["--prior", "nan"],
        ["--prior", "inf"],
        ["--cluster", "deal"],
    ],
)
def test_an_option_that_means_nothing_is_misuse(rated: Rater, options: list[str]) -> None:
    rated.path.write_text(GOOD)
    said = rated.shell("rate", "--from", str(rated.path), *options)
    assert (said.code, said.out) == (MISUSE, "")
    assert said.err.count("\n") == 1
    assert options[0] in said.err


def test_no_name_of_a_file_is_misuse(rated: Rater) -> None:
    said = rated.shell("rate", "--from", "")
    assert (said.code, said.out) == (MISUSE, "")
    assert "--from names no file" in said.err


@pytest.mark.parametrize("name", ["missing.jsonl", ".", "a\0b", "x" * 5000])
def test_a_file_that_cannot_be_read_is_misuse(rated: Rater, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(rated.path.parent)
    said = rated.shell("rate", "--from", name)
    assert (said.code, said.out) == (MISUSE, "")
    assert "cannot be read" in said.err


def test_results_that_no_rating_explains_are_an_error_and_no_number(rated: Rater) -> None:
    rated.path.write_text(GOOD)
    said = rated.shell("rate", "--from", str(rated.path), "--prior", "0")
    assert (said.code, said.out) == (FAILED, "")
    assert "'A' lost no point to the others: no finite rating explains that" in said.err


def test_a_hostile_name_changes_nothing_but_its_own_cell(rated: Rater) -> None:
    rated.path.write_text(json.dumps({"block": "q", "seats": ["[red]\x1b[31m\u202eevil", "B"], "places": [1, 2]}))
    shown = rated.shell("rate", "--from", str(rated.path)).out
    assert "[red]" in shown
    assert not {"\x1b", "\u202e"} & set(shown)


def circles(size: int) -> list[str]:
    """So many circles of three bots each, all of whom meet nobody else."""
    edges = [f"{circle}{a}>{circle}{b}" for circle in range(size) for a, b in ("AB", "BC", "CA")]
    return edges * 8


def test_all_that_is_said_of_circles_stands_below_the_table(rated: Rater) -> None:
    rated(circles(12))
    shown = rated.shell("rate", "--from", str(rated.path)).out
    assert shown.count(" → ") == 3 * 10
    assert "there are 12 such circles" in shown
    assert "--luck" not in shown


def test_what_shared_deals_save_is_told_with_its_interval_from_enough_blocks(rated: Rater) -> None:
    orders = ["A>B B>A", "A>B A>B", "B>A B>A", "A>B B>A"]
    effect = rated(orders * 8)["design_effect"]["places"]
    shown = " ".join(rated.shell("rate", "--from", str(rated.path)).out.split())
    assert re.search(rf" on deals of its own: {1 / effect:.1f} \(\d\.\d to \d\.\d\) by places", shown)
    rated(orders * 7)
    assert "deals of its own" not in rated.shell("rate", "--from", str(rated.path)).out


def test_points_and_deals_give_points_a_deal(rated: Rater) -> None:
    match = {"block": "q", "seats": ["A", "B"], "places": [1, 2], "points": [10, 40], "deals": 5}
    rated.path.write_text(json.dumps(match))
    assert "+6.00" in rated.shell("rate", "--from", str(rated.path)).out
