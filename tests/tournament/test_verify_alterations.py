"""Whoever alters an export is found out: each field that the rest determines is altered, and each time it is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from arena.game.cards import VALUE, card_name, parse_card
from arena.game.events import DealEnd, Ending
from arena.game.variant import Variant
from arena.tournament.checks.report import Report
from arena.tournament.export import export_line
from arena.tournament.ports import Tournament
from arena.tournament.verify import verify
from tests.tournament.documents import Document, Path, at, field_of, held, leaves, nodes, replaced, turns_of
from tests.tournament.playing import CONTRARY, Manners, bots, export, tournament

FREE = {"micros", "tournament", "attempt", "sandbox", "kind", "reason"}
"""What the rest does not determine."""

REMOTE = tuple(entry._replace(remote=place == 0) for place, entry in enumerate(bots(3)))


@dataclass(frozen=True)
class Case:
    """A tournament of one block, and how it is played."""

    cup: Tournament
    manners: Manners


CASES = {
    "standard": Case(tournament(bots(3), 3, Variant(deal_cap=2)), Manners()),
    "faults and forfeits": Case(tournament(bots(4), 4, Variant(deal_cap=3)), Manners(fault_rate=0.2)),
    "two decks": Case(
        tournament(
            bots(2),
            2,
            CONTRARY,
            beacon="weather",
            beacon_text="12 °C",
        ),
        Manners(),
    ),
    "refills and showdowns": Case(
        tournament(bots(5), 5, Variant(hand_size=9, lap_cap=4, threshold=0, deal_cap=1)), Manners(declare_at=0)
    ),
    "a remote bot": Case(tournament(REMOTE, 3, Variant(deal_cap=1)), Manners()),
}


@cache
def _matches(case: str) -> str:
    return json.dumps([json.loads(line) for line in export(CASES[case].cup, CASES[case].manners)])


def matches(case: str) -> list[Document]:
    """The matches of a case, a copy of one's own."""
    found: list[Document] = json.loads(_matches(case))
    return found


def check(documents: list[Document]) -> Report:
    return verify([export_line(document) for document in documents])


@pytest.mark.parametrize("case", CASES)
def test_an_untouched_export_holds(case: str) -> None:
    report = check(matches(case))
    assert report.problems == []
    assert report.notes == []


def test_the_cases_show_every_kind_of_event() -> None:
    """The tests below are worth what their matches contain."""
    deals = [deal for case in CASES for match in matches(case) for deal in match["deals"]]
    assert {deal["end"] for deal in deals} == {end.name.lower() for end in DealEnd}
    assert {turn["action"] for deal in deals for turn in deal["turns"]} == {"play", "declare", "forfeit"}
    assert {match["ending"] for case in CASES for match in matches(case)} == {ending.name for ending in Ending}
    drawn = [turn.get("take") for turn in matches("refills and showdowns")[0]["deals"][0]["turns"]].count("closed")
    assert drawn > 52 - 5 * 9 - 1
    assert any(turn.get("take") not in (None, "closed") for deal in deals for turn in deal["turns"])


# One field


def altered(path: Path, value: Any, document: Document) -> Any:
    """Another value of the same kind."""
    match field_of(path), value:
        case _, bool():
            return not value
        case _, int():
            return value + 1
        case "fault", None:
            return {"kind": "TIMEOUT", "reason": "", "strike": 9}
        case "upcard", None:
            return "As"
        case (("hands" | "discard" | "card" | "take" | "upcard"), str()):
            return card_not_held(document, path)
        case "action", str():
            return "declare" if value == "play" else "forfeit" if value == "declare" else "declare"
        case "end", str():
            return "showdown" if value == "declared" else "declared"
        case "ending", str():
            return "DEAL_CAP" if value != "DEAL_CAP" else "LAST_STANDING"
        case "crossing", str():
            return "REACH" if value == "BEYOND" else "BEYOND"
        case "finish", str():
            return "FIRST_OUT" if value == "LAST_STANDING" else "LAST_STANDING"
        case _, str() if len(value) == 64:
            return value[:-1] + ("0" if value[-1] != "0" else "1")
    return f"{value}x"


def card_not_held(document: Document, path: Path) -> str:
    """A card that the seat does not hold, or that nobody was dealt."""
    if path[2] == "turns":
        known = {document["deals"][path[1]]["turns"][path[3]]["card"]}
        known |= next(set(hand) for place, _, hand in held(document) if place == path[:4])
    else:
        deal = document["deals"][path[1]]
        known = {deal["upcard"]}.union(*deal["hands"].values())
    return next(name for name in map(card_name, range(52)) if name not in known)


@pytest.mark.parametrize("case", CASES)
def test_every_altered_field_is_noticed_and_named_at_its_place(case: str) -> None:
    documents = matches(case)
    line = len(documents) - 1
    unnoticed = []
    for path, value in leaves(documents[line]):
        field = field_of(path)
        if field in FREE:
            continue
        other = altered(path, value, documents[line])
        assert other != value
        report = check([*documents[:line], replaced(documents[line], path, other)])
        where = place_of(path, line)
        if not any(field in str(problem) and problem.where.startswith(where) for problem in report.problems):
            unnoticed.append((path, value, other, [str(problem) for problem in report.problems]))
    assert unnoticed == []


def place_of(path: Path, line: int) -> str:
    if path[0] != "deals":
        return f"line {line + 1}"
    turn = f", turn {path[3]}" if path[2] == "turns" else ""
    return f"line {line + 1}, deal {path[1]}{turn}"


@pytest.mark.parametrize("field", ["commitment", "secret", "beacon"])
def test_a_field_altered_on_all_lines_alike_is_noticed(field: str) -> None:
    documents = matches("standard")
    for document in documents:
        document[field] = altered((field,), document[field], document)
    assert any(field in str(problem) for problem in check(documents).problems)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_entries_altered_on_all_lines_alike_are_noticed(place: int) -> None:
    documents = matches("standard")
    for document in documents:
        document["entries"][-1][place] = altered(("entries", place), document["entries"][-1][place], document)
    assert any("entries" in str(problem) for problem in check(documents).problems)


@pytest.mark.parametrize("field", [*Variant().as_dict()])
def test_a_variant_altered_on_all_lines_alike_is_noticed(field: str) -> None:
    documents = matches("standard")
    for document in documents:
        document["variant"][field] = altered(("variant", field), document["variant"][field], document)
    assert any("variant" in str(problem) for problem in check(documents).problems)


@pytest.mark.parametrize("field", ["bank_ms", "show_names", "strikes", "turn_ms"])
def test_limits_altered_on_all_lines_alike_are_noticed(field: str) -> None:
    documents = matches("standard")
    for document in documents:
        document["limits"][field] = altered(("limits", field), document["limits"][field], document)
    assert any("limits" in str(problem) for problem in check(documents).problems)


def test_an_attempt_matters_where_a_bot_is_remote() -> None:
    documents = matches("a remote bot")
    for document in documents:
        document["attempt"] += 1
    assert all("attempt" in str(problem) for problem in check(documents).problems)
    assert not check(documents).ok


def test_a_capital_digit_in_a_digest_is_an_alteration() -> None:
    documents = matches("standard")
    documents[0]["commitment"] = documents[0]["commitment"].upper()
    assert any("commitment" in str(problem) for problem in check(documents).problems)


# Turns


@pytest.mark.parametrize("case", CASES)
def test_another_held_card_discarded_is_noticed_by_what_follows(case: str) -> None:
    """Only where the total shows it: two seats that nobody sees again may differ in a card of equal value."""
    documents = matches(case)
    tried = 0
    for path, turn, hand in held(documents[0]):
        deal = documents[0]["deals"][path[1]]
        others = [card for card in hand if VALUE[parse_card(card)] != VALUE[parse_card(turn["discard"][0])]]
        if turn["fault"] or len(turn["discard"]) > 1 or not others or str(turn["seat"]) not in deal["totals"]:
            continue
        tried += 1
        report = check([replaced(documents[0], (*path, "discard"), others[:1]), *documents[1:]])
        assert any("discard" in str(problem) for problem in report.problems), (path, turn, others[0])
    assert tried > 0


def test_a_fault_is_not_believed_where_the_arena_would_have_played_otherwise() -> None:
    documents = matches("standard")
    for path, turn in turns_of(documents[0]):
        fault = {"kind": "TIMEOUT", "reason": "", "strike": 1}
        report = check([replaced(documents[0], (*path, "fault"), fault), *documents[1:]])
        if report.ok:
            assert turn["discard"][0] == highest(documents[0], path)
            assert turn["take"] == "closed"
        else:
            assert "fault" in str(report.problems[0])


def highest(document: Document, path: Path) -> str:
    hand = next(hand for place, _, hand in held(document) if place == path)
    return max(hand, key=lambda name: (VALUE[parse_card(name)], parse_card(name)))


def test_a_fault_that_is_hidden_is_missed_by_the_next_strike() -> None:
    documents = matches("faults and forfeits")
    faults = [(path, turn) for path, turn in turns_of(documents[0]) if turn["fault"]]
    seats = [turn["seat"] for _, turn in faults]
    hidden = [path for place, (path, turn) in enumerate(faults) if turn["seat"] in seats[place + 1 :]]
    assert hidden
    for path in hidden:
        report = check([replaced(documents[0], (*path, "fault"), None), *documents[1:]])
        assert any("fault.strike" in str(problem) for problem in report.problems)


def test_a_play_passed_off_as_a_declaration_is_noticed_and_the_other_way_round() -> None:
    documents = matches("standard")
    for path, turn in turns_of(documents[0]):
        other = {"seat": turn["seat"], "action": "declare", "micros": 1, "fault": None}
        if turn["action"] == "declare":
            other |= {"action": "play", "discard": ["As"], "take": "closed", "card": "Kd"}
        assert not check([replaced(documents[0], path, other), *documents[1:]]).ok


# More, less, and another order

Change = Callable[[list[Any], int], None]


def delete(items: list[Any], place: int) -> None:
    del items[place]


def double(items: list[Any], place: int) -> None:
    items.insert(place, deepcopy(items[place]))


def swap(items: list[Any], place: int) -> None:
    items[place - 1], items[place] = items[place], items[place - 1]


@pytest.mark.parametrize("change", [delete, double, swap])
@pytest.mark.parametrize("case", CASES)
def test_parts_left_out_put_in_or_swapped_are_noticed(case: str, change: Change) -> None:
    documents = matches(case)
    unnoticed = []
    for path, items in nodes(documents[0]):
        if not isinstance(items, list):
            continue
        for place in range(len(items)):
            if (change is swap and items[place] == items[place - 1]) or not shown_later(documents[0], path):
                continue
            other = deepcopy(documents[0])
            change(at(other, path), place)
            report = check([other, *documents[1:]])
            if not any(field_of(path).rstrip("s") in str(problem) for problem in report.problems):
                unnoticed.append((path, place, [str(problem) for problem in report.problems]))
    assert unnoticed == []


def shown_later(document: Document, path: Path) -> bool:
    """What was discarded is determined by the hand at the end, and so only where that is shown."""
    return path[-1] != "discard" or str(at(document, path[:-1])["seat"]) in document["deals"][path[1]]["totals"]


@pytest.mark.parametrize("case", CASES)
def test_every_missing_key_is_named_and_so_is_every_unknown_one(case: str) -> None:
    document = matches(case)[0]
    for path, found in nodes(document):
        for key in found if isinstance(found, dict) else ():
            other = deepcopy(document)
            at(other, path)[f"{key}2"] = at(other, path).pop(key)
            report = check([other])
            field = field_of((*path, key))
            assert any(field in str(problem) for problem in report.problems), (path, key)


def test_every_missing_line_is_named() -> None:
    documents = matches("standard")
    for place, document in enumerate(documents):
        problems = check(documents[:place] + documents[place + 1 :]).problems
        assert [str(problem) for problem in problems] == [
            f"block {document['block_id']}: rotation {document['rotation']} is missing: only whole blocks are fair"
        ]


def test_a_line_that_stands_twice_is_named() -> None:
    documents = matches("standard")
    problems = check([*documents, documents[1]]).problems
    assert [problem.where for problem in problems] == ["line 4"]
    assert "rotation" in str(problems[0])


def test_the_order_of_lines_says_nothing() -> None:
    assert check(matches("standard")[::-1]).ok


def test_swapped_seats_of_two_turns_are_noticed() -> None:
    documents = matches("standard")
    for (one, first), (two, second) in pairwise(turns_of(documents[0])):
        if one[1] == two[1]:
            other = replaced(documents[0], (*one, "seat"), second["seat"])
            other = replaced(other, (*two, "seat"), first["seat"])
            assert any(problem.field == "seat" for problem in check([other, *documents[1:]]).problems)
