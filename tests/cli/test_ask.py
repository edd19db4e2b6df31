"""`arena bots ask`: any turn, from a file or a stored match, put to any bot and judged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots.conformance import fixed_turns, read_question
from arena.cli.errors import FAILED, MISUSE
from arena.wire.codec import read_turns, turns_json
from tests.bots.serving import ServedBot
from tests.cli.conftest import CUP
from tests.cli.stored import Shell


@pytest.fixture(scope="module")
def served() -> Iterator[ServedBot]:
    """Throws the greatest card and takes from the closed deck, whatever it is told."""
    bot = ServedBot()
    yield bot
    bot.stop()


def written(folder: Path, *names: str) -> str:
    turns = [turn.request for name in names for turn in fixed_turns() if turn.name == name]
    path = folder / "turn.json"
    path.write_text(turns_json(turns))
    return str(path)


def test_a_legal_answer_is_shown_with_what_the_seat_saw(shell: Shell, served: ServedBot, tmp_path: Path) -> None:
    said = shell("bots", "ask", served.address, written(tmp_path, "five open cards"))
    assert said.code == 0
    lines = said.out.splitlines()
    assert "  0 throws 4c 5d 6h 7s 8c and takes an unseen card" in lines
    assert "  hand 3s 9c Tc Jd Qh  = 42" in lines
    assert "  open 4c 5d 6h 7s 8c  closed deck: 40 cards" in lines
    assert "It throws Tc and takes an unseen card, which is legal." in lines
    assert max(map(len, lines[1:])) <= 80


def test_an_illegal_answer_fails_with_the_rule_and_what_was_expected(
    shell: Shell, served: ServedBot, tmp_path: Path
) -> None:
    said = shell("bots", "ask", served.address, written(tmp_path, "a closed deck that cannot be taken from"))
    assert said.code == FAILED
    assert "  ILLEGAL_ACTION (CLOSED_DECK_EMPTY): closed deck and dead cards are empty" in said.out
    assert "  Expected: a legal action, for example one that throws" in said.out


def test_the_answer_is_one_document(shell: Shell, served: ServedBot, tmp_path: Path) -> None:
    file = written(tmp_path, "five open cards")
    document = shell("bots", "ask", served.address, file, "--json").json
    (turn,) = document["turns"]
    assert turn["answer"] == {"action": "play", "discard": ["Tc"], "take": "closed"}
    assert (turn["legal"], turn["fault"], turn["seat"]) == (True, None, 1)
    assert turn["table"] == str(read_question(read_turns(Path(file).read_text())[0]).table)


def test_several_turns_are_asked_in_one_call(shell: Shell, served: ServedBot, tmp_path: Path) -> None:
    said = shell("bots", "ask", served.address, written(tmp_path, "a flush", "a king alone"))
    assert said.out.splitlines()[1:3] == [
        "  turn 0, seat 0: throws Js and takes an unseen card, which is legal.",
        "  turn 2, seat 0: throws Ks and takes an unseen card, which is legal.",
    ]


def test_any_turn_of_a_stored_match_is_asked_as_it_was_played(shell: Shell, served: ServedBot) -> None:
    match = next(one for one in shell("matches", "--json").json if one["tournament"] == CUP.id)
    for turn in (0, match["turns"] - 1):
        asked = shell("bots", "ask", served.address, "--match", match["id"], "--turn", str(turn), "--json")
        (answered,) = asked.json["turns"]
        assert (asked.code, answered["turn"]) == (0, turn)
        assert asked.json["recorded"]["micros"] >= 0
    said = shell("bots", "ask", served.address, "--match", match["id"], "--turn", "3")
    assert f"turn 3 of {match['id']}" in said.out
    assert "  In the match: the bot throws" in said.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name a file with a turn, or a turn of a match with --match ID --turn N"),
        (["turn.json", "--match", "x"], "name a file with a turn, or a turn of a match"),
        (["--match", "x"], "name a file with a turn, or a turn of a match"),
        (["turn.json", "--turn", "3"], "name a file with a turn, or a turn of a match"),
        (["nowhere.json"], "nowhere.json cannot be read: No such file or directory"),
        (["latin.json"], "latin.json is not UTF-8"),
        (["broken.json"], "broken.json: not JSON"),
        (["strange.json"], "strange.json: no match has such a turn: seat 0 is asked, but does not play"),
        (["--match", "nix", "--turn", "3"], "'nix' is not the address of a match"),
        (["--match", "cup/00/0", "--turn", "3"], "there is no match 'cup/00/0'"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "latin.json").write_bytes(b'{"a": "\xe4"}')
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "strange.json").write_text(json.dumps({"turn": 3}))
    told = shell("bots", "ask", "greedy", *arguments)
    assert (told.code, told.out, told.err.count("\n")) == (MISUSE, "", 1)
    assert said in told.err


def test_a_turn_that_the_match_does_not_have_is_told(shell: Shell) -> None:
    match = shell("matches", "--limit", "1", "--json").json[0]
    told = shell("bots", "ask", "greedy", "--match", match["id"], "--turn", "9999")
    assert told.code == MISUSE
    assert told.err == f"arena: there is no turn 9999 in this match: choose one of 0 to {match['turns'] - 1}\n"
