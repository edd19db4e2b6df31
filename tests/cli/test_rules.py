"""`arena rules legal` and `arena rules show`."""

from importlib.resources import files

import pytest

from arena.cli.errors import MISUSE
from arena.game.variant import Variant
from tests.cli.stored import Shell


def test_the_legal_discards_of_a_hand_are_a_json_list_with_kind_cards_and_sum(empty_shell: Shell) -> None:
    assert empty_shell("rules", "legal", "7s 7h 4d", "--json").json == [
        {"kind": "SINGLE", "cards": ["4d"], "sum": 4},
        {"kind": "SINGLE", "cards": ["7h"], "sum": 7},
        {"kind": "SINGLE", "cards": ["7s"], "sum": 7},
        {"kind": "PAIR", "cards": ["7h", "7s"], "sum": 14},
    ]


@pytest.mark.parametrize(("hand", "count"), [("7s 7h 7d 7c Kd", 12), ("4s 5h 6d 7c 8s", 9), ("2s 5s 8s Js Ks", 6)])
def test_a_hand_has_as_many_legal_discards_as_rule_3_says(hand: str, count: int, empty_shell: Shell) -> None:
    assert len(empty_shell("rules", "legal", hand, "--json").json) == count


def test_two_pairs_of_different_ranks_need_the_option(empty_shell: Shell) -> None:
    hand = ["rules", "legal", "Ks Kh 7c 7d", "--json"]
    assert all(discard["kind"] != "TWO_PAIRS" for discard in empty_shell(*hand).json)
    assert {"kind": "TWO_PAIRS", "cards": ["7c", "7d", "Kh", "Ks"], "sum": 34} in empty_shell(
        *hand, "--mixed-pairs"
    ).json


def test_with_two_decks_a_card_may_be_held_twice(empty_shell: Shell) -> None:
    assert {"kind": "PAIR", "cards": ["7s", "7s"], "sum": 14} in empty_shell(
        "rules", "legal", "7s 7s", "--decks", "2", "--json"
    ).json


def test_on_a_terminal_each_discard_is_a_line(empty_shell: Shell) -> None:
    lines = empty_shell("rules", "legal", "Ts 7h 7d").out.splitlines()
    assert [line.split() for line in lines[1:]] == [
        ["single", "7d", "7"],
        ["single", "7h", "7"],
        ["single", "Ts", "10"],
        ["pair", "7d", "7h", "14"],
    ]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["7x"], "'7x' is no card"),
        ([""], "empty"),
        (["7s 7s"], "7s stands in the hand 2 times"),
        (["7s 7s 7s", "--decks", "2"], "7s stands in the hand 3 times"),
    ],
)
def test_what_is_no_hand_is_misuse_and_says_why(arguments: list[str], named: str, empty_shell: Shell) -> None:
    said = empty_shell("rules", "legal", *arguments)
    assert (said.code, said.out) == (MISUSE, "")
    assert named in said.err


def test_the_rules_page_is_shown_and_its_values_as_json(empty_shell: Shell) -> None:
    page = files("arena.game").joinpath("README.md").read_text(encoding="utf-8")
    shown = " ".join(empty_shell("rules", "show").out.split())
    title = page.splitlines()[0].lstrip("# ")
    assert title in shown
    assert empty_shell("rules", "show", "--json").json == Variant().as_dict()
