"""The pages are complete: who knows nothing else finds real exports right and altered ones wrong."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.game.variant import Variant
from arena.tournament import blocks
from arena.tournament.entries import Entry
from arena.tournament.export import export_line, match_json
from arena.tournament.ports import PlannedBlock, Tournament
from tests.cli.stored import Shell, store_tournament
from tests.proto import second_game
from tests.proto.second_verifier import base_order, block_id, entries_digest, main, problems, seed_of
from tests.tournament.documents import Document, field_of, leaves, replaced, turns_of
from tests.tournament.playing import CONTRARY, Manners, bots, export, play_block, tournament

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "proto/README.md").read_text()
RULES = (ROOT / "arena/game/README.md").read_text()
BYTES = bytes(range(32))
SHORT = Variant(deal_cap=2)
CLONES = "two bots, each with a clone"


def with_remote(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    return tuple(entry._replace(remote=place == 0) for place, entry in enumerate(entries))


CASES: dict[str, tuple[Tournament, Manners]] = {
    "tables of two": (tournament(bots(3), 2, SHORT, deals=2), Manners()),
    "tables of three, to the last": (tournament(bots(3), 3, Variant()), Manners()),
    "tables of four, all orders": (tournament(bots(4), 4, Variant(deal_cap=1), deals=6), Manners()),
    "tables of five, faults and forfeits": (tournament(bots(5), 5, Variant(deal_cap=4)), Manners(fault_rate=0.15)),
    "tables of six, two decks": (tournament(bots(6), 6, Variant(decks=2, hand_size=8, deal_cap=2)), Manners()),
    "mixed pairs, first out, a beacon": (
        tournament(
            bots(2),
            2,
            CONTRARY,
            deals=3,
            beacon="weather",
            beacon_text="12 °C",
        ),
        Manners(fault_rate=0.02),
    ),
    "no stake, refills and showdowns": (
        tournament(bots(5), 5, Variant(hand_size=9, lap_cap=4, threshold=0, deal_cap=2)),
        Manners(declare_at=0),
    ),
    "a remote bot": (tournament(with_remote(bots(3)), 3, SHORT), Manners()),
    "a remote bot at a large table": (tournament(with_remote(bots(5)), 5, SHORT), Manners()),
    CLONES: (tournament(bots(2), 4, SHORT, deals=2), Manners()),
}


@cache
def _lines(case: str, running: bool) -> tuple[str, ...]:
    cup, manners = CASES[case]
    return tuple(of_clones(cup, running) if case == CLONES else export(cup, manners, running=running, attempt=2))


def of_clones(cup: Tournament, running: bool) -> Iterator[str]:
    """What no format plans, and the pages allow."""
    lineup = tuple(sorted(entry.digest for entry in cup.entries * 2))
    for number in range(cup.deals):
        block = PlannedBlock(blocks.block_id(number, lineup, cup.variant, cup.limits), number, lineup)
        for record in play_block(cup, block, Manners()):
            yield export_line(match_json(record, cup, number, 1, reveal_secret=not running))


def documents(case: str, running: bool = False) -> list[Document]:
    """The matches of a case, a copy of one's own."""
    return [json.loads(line) for line in _lines(case, running)]


def found(matches: list[Document]) -> list[str]:
    return problems(json.dumps(match) for match in matches)


# What is right


@pytest.mark.parametrize("running", [False, True], ids=["finished", "running"])
@pytest.mark.parametrize("case", CASES)
def test_an_export_by_the_arena_is_right_by_the_pages(case: str, running: bool) -> None:
    assert problems(_lines(case, running)) == []


def test_the_cases_show_every_kind_of_event() -> None:
    matches = [match for case in CASES for match in documents(case)]
    deals = [deal for match in matches for deal in match["deals"]]
    assert {match["ending"] for match in matches} == {"FORFEIT", "FIRST_OUT", "LAST_STANDING", "DEAL_CAP"}
    assert {deal["end"] for deal in deals} == {"declared", "showdown", "forfeit"}
    assert len([turn for deal in deals for turn in deal["turns"] if turn["fault"] and turn["action"] == "play"]) > 10
    assert any(turn.get("take") not in (None, "closed") for deal in deals for turn in deal["turns"])
    assert {len(match["seats"]) for match in matches} == {2, 3, 4, 5, 6}
    assert sorted(match["rotation"] for match in documents(CLONES)) == [0, 0, 1, 1]


def test_while_a_tournament_runs_blocks_may_be_missing() -> None:
    late = [match for match in documents("tables of two", running=True) if match["block"] != 0]
    assert found(late) == []


def test_what_the_export_command_writes_is_right_and_the_verifier_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store_tournament(tmp_path / "arena.db", CASES["tables of two"][0])
    file = tmp_path / "cup.jsonl"
    assert Shell(tmp_path / "arena.db", monkeypatch, capsys)("export", "cup", "--out", str(file)).code == 0
    assert (main([str(file)]), *capsys.readouterr()) == (0, "no problems\n", "")
    file.write_bytes(file.read_bytes().replace(b'"rotation":1', b'"rotation":0', 1))
    assert main([str(file)]) == 1
    assert "match_id" in capsys.readouterr().out


def test_a_file_that_is_not_there_is_misuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none")]) == main([]) == 2
    assert capsys.readouterr().err.count("\n") == 2


# What was altered

Change = Callable[[list[Document]], Any]


def first_turn(matches: list[Document], kind: str) -> Document:
    """The first turn of the first match that is so and was the bot's own; `fault`: that was not."""
    turns = [turn for _, turn in turns_of(matches[0])]
    if kind == "fault":
        return next(turn["fault"] for turn in turns if turn["fault"])
    return next(turn for turn in turns if turn["action"] == kind and not turn["fault"])


def swap_card(matches: list[Document]) -> None:
    hands = matches[0]["deals"][0]["hands"]
    hands["0"][0], hands["1"][0] = hands["1"][0], hands["0"][0]


def discard_of_another(matches: list[Document]) -> None:
    first_turn(matches, "play")["discard"] = matches[0]["deals"][0]["hands"]["1"][:1]


def declare_at_once(matches: list[Document]) -> None:
    matches[0]["deals"][0]["turns"][0] = {"seat": 0, "action": "declare", "micros": 1, "fault": None}


def swap_seats(matches: list[Document]) -> None:
    matches[0]["seats"].reverse()


def drop_block(matches: list[Document]) -> None:
    """Drop block 0 of the first lineup."""
    matches[:] = [match for match in matches if (match["lineup"], match["block"]) != (matches[0]["lineup"], 0)]


def other_secret(matches: list[Document]) -> None:
    for match in matches:
        match["secret"] = "00" * 32


ALTERATIONS: dict[str, tuple[Change, str]] = {
    "a card of a hand": (swap_card, "line 1: deal 0: hands is"),
    "a card drawn": (lambda m: first_turn(m, "play").update(card="As"), "card is 'As', but must be"),
    "a card that is none": (lambda m: first_turn(m, "play").update(discard=["Zz"]), "discard cannot be 'Zz'"),
    "a discard of another hand": (discard_of_another, "turn 0: CARD_NOT_HELD"),
    "a discard of nothing": (lambda m: first_turn(m, "play").update(discard=[]), "turn 0: EMPTY_DISCARD"),
    "a declaration too early": (declare_at_once, "turn 0: DECLARE_ON_FIRST_TURN"),
    "a forfeit for nothing": (lambda m: first_turn(m, "declare").update(action="forfeit"), "without a fault"),
    "a turn of another seat": (lambda m: first_turn(m, "play").update(seat=1), "turn 0: seat is 1, but must be 0"),
    "a turn left out": (lambda m: m[0]["deals"][0]["turns"].pop(0), "seat is"),
    "a turn too many": (lambda m: m[0]["deals"][0]["turns"].append({}), "the deal is over"),
    "a deal left out": (lambda m: m[0]["deals"].pop(), "the match has no end"),
    "points of a deal": (lambda m: m[0]["deals"][0]["points"].update({"0": 1000}), "deal 0: points is"),
    "a total": (lambda m: m[0]["deals"][0]["totals"].update({"0": True}), "deal 0: totals is"),
    "points of a match": (lambda m: m[0].update(points=[0, 1]), "line 1: points is [0, 1]"),
    "a place": (lambda m: m[0].update(places=[1, 1]), "line 1: places is [1, 1]"),
    "an ending": (lambda m: m[0].update(ending="FIRST_OUT"), "ending is 'FIRST_OUT'"),
    "a seed": (lambda m: m[1].update(seed="00" * 32), "line 2: seed"),
    "who sits where": (swap_seats, "digests of the seats"),
    "a name": (lambda m: m[0]["seats"][0].update(bot="me"), "bot and version of a seat"),
    "an entry": (lambda m: m[0]["entries"].reverse(), "line 1: entries is"),
    "a rotation missing": (lambda m: m.pop(1), "of 2 rotations there are [0]"),
    "a match twice": (lambda m: m.append(m[0]), "of 2 rotations there are [0, 0, 1]"),
    "a block missing": (drop_block, "of its blocks there are only [1]"),
    "a number below nothing": (lambda m: first_turn(m, "play").update(micros=-1), "micros cannot be -1"),
    "a number that is none": (lambda m: first_turn(m, "play").update(micros=1.0), "micros cannot be 1.0"),
    "another secret": (other_secret, "commitment is"),
    "no secret on one line": (lambda m: m[1].update(secret=None), "line 2: secret, as another line has it,"),
    "other rules on one line": (lambda m: m[1]["variant"].update(penalty=0), "line 2: variant, as another"),
    "rules that are refused": (lambda m: m[0]["variant"].update(lap_cap=1), "refused for its lap_cap"),
    "a key too many": (lambda m: m[0].update(luck=1), "the keys of the match"),
    "no match": (list.clear, "no line is a match"),
}


@pytest.mark.parametrize("alteration", ALTERATIONS)
def test_an_alteration_is_found(alteration: str) -> None:
    change, told = ALTERATIONS[alteration]
    matches = documents("tables of two")
    change(matches)
    assert any(told in problem for problem in found(matches))


@pytest.mark.parametrize(
    ("key", "other", "told"),
    [("strike", 2, "strike is 2, but must be 1"), ("kind", "SLOW", "kind cannot be 'SLOW'")],
)
def test_an_altered_fault_is_found(key: str, other: object, told: str) -> None:
    matches = documents("tables of five, faults and forfeits")
    first_turn(matches, "fault")[key] = other
    assert any(told in problem for problem in found(matches))


def test_an_attempt_matters_where_a_bot_is_remote() -> None:
    matches = documents("a remote bot")
    for match in matches:
        match["attempt"] = 1
    assert len(found(matches)) == len(matches)


@pytest.mark.parametrize("line", ["", "[]", "{", b"\xff", '{"a":1,"a":2}', "[" * 100_000, "9" * 5_000])
def test_a_line_that_is_no_match_is_found(line: str | bytes) -> None:
    assert problems([line])[0].startswith("line 1: ")


UNDETERMINED = {"micros", "kind", "reason"}
"""What follows from nothing."""
AGREED = {"tournament", "attempt", "sandbox", "remote"}
"""What only the other matches of the block tell."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        "tables of two",
        "tables of five, faults and forfeits",
        "mixed pairs, first out, a beacon",
        "no stake, refills and showdowns",
        "a remote bot",
        CLONES,
    ],
)
def test_whatever_follows_from_the_rest_cannot_be_altered_unnoticed(case: str) -> None:
    match, *others = documents(case)
    rest = [other for other in others if other["block_id"] == match["block_id"]]
    for path, value in leaves(match):
        if field_of(path) not in UNDETERMINED:
            other = not value if type(value) is bool else value + 1 if type(value) is int else f"{value}x"
            told = found([replaced(match, path, other), *(rest if field_of(path) in AGREED else [])])
            assert told[0].startswith("line "), (path, other, told)


# The examples of the pages


def test_the_values_of_the_page_follow_as_the_page_says() -> None:
    hexadecimal = re.findall(r"\| `([0-9a-f]{64})` \|", PAGE)
    one, two = "11" * 32, "22" * 32
    entries = entries_digest([["random", "1.0", one], ["greedy", "1.0", two]])
    limits = {"bank_ms": 10_000, "show_names": False, "strikes": 3, "turn_ms": 500}
    block = {"block": 0, "lineup": [one, two], "limits": limits, "variant": Variant().as_dict()}
    seeds = [seed_of(BYTES, entries, beacon, bytes([0x33] * 32)) for beacon in ("", "demo beacon")]
    assert [value.hex() for value in (entries, block_id(block), *seeds)] == hexadecimal[1:]
    orders = [" ".join(base_order([*map(str, range(count))], 0, BYTES)) for count in (5, 6, 8)]
    assert ", ".join(orders) in PAGE


def test_the_orders_of_the_rules_follow_as_the_rules_say() -> None:
    rows = re.findall(r'^\| (\d) \| `order\((\d), "(\w+)", (\d)\)` \| `(.*)` \|$', RULES, re.MULTILINE)
    assert len(rows) == 5
    for decks, deal, stream, refill, cards in rows:
        order = second_game.order(BYTES, int(decks), int(deal), stream, int(refill))
        assert " ".join(second_game.names(order)).startswith(cards)


def test_the_verifier_has_nothing_of_the_arena() -> None:
    files = sorted(Path(__file__).parent.glob("second_*.py"))
    assert len(files) == 3
    for file in files:
        imported = re.findall(r"^ *(?:from|import) +(\w+)", file.read_text(), re.MULTILINE)
        assert {*imported} <= {*sys.stdlib_module_names, "tests"}
