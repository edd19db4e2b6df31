"""`arena explain`: every turn with intervals, what the seats lost, and how to look closer."""

import re
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from arena.cli.errors import MISUSE
from arena.game.variant import Variant
from tests.cli.stored import Shell, store_tournament
from tests.tournament.playing import Manners, bots, tournament

FEW = ("--worlds", "10")


SHORT = tournament(bots(3), 3, Variant(threshold=0, deal_cap=1))


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three matches of one deal."""
    path = tmp_path_factory.mktemp("explained") / "arena.db"
    store_tournament(path, SHORT, Manners(fault_rate=0.05), blocks=1)
    return path


@pytest.fixture
def shell(database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(database, monkeypatch, capsys)


def latest(shell: Shell) -> tuple[str, dict[str, Any]]:
    """The address and the listing of a match."""
    listed = shell("matches", "--json").json[0]
    return str(listed["id"]), listed


def test_every_turn_is_explained_with_intervals_and_the_seats_are_summed_up(shell: Shell) -> None:
    match, listed = latest(shell)
    said = shell("explain", match, *FEW)
    assert (said.code, said.err) == (0, "")
    turns, summary = said.out.split("What the seats lost by their play")
    numbers = [int(number) for number in re.findall(r"^ *(\d+) \d bot", turns, re.MULTILINE)]
    assert numbers == list(range(listed["turns"]))
    rows = [line[:6] for line in summary.splitlines()[2:5]]
    assert rows == [f"{seat} {one['bot']}" for seat, one in enumerate(listed["seats"])]
    assert max(map(cell_len, said.out.splitlines())) <= 80
    decided = [line for line in turns.splitlines() if re.match(r" *\d+ \d bot", line) and "acted for it" not in line]
    assert all(re.search(r"\d+ ± \d+ % +\d+\.\d ± \d+\.\d  (best|-?\d+\.\d\d ± \d+\.\d\d)$", line) for line in decided)
    (command,) = re.findall(r"arena (explain \S+ --turn \d+)", summary)
    assert shell(*command.split(), *FEW).code == 0
    assert re.search(r"^  arena replay \S+ --deal 0 --seat \d$", summary, re.MULTILINE)
    assert re.search(r"^  arena bots ask bot\d --match \S+ --turn \d+$", summary, re.MULTILINE)


def test_one_turn_shows_what_its_seat_saw_and_all_that_it_could_do(shell: Shell) -> None:
    match, _ = latest(shell)
    told = shell("explain", match, "--turn", "3", *FEW).out
    document = shell("explain", match, "--turn", "3", "--json", *FEW).json
    (turn,) = document["turns"]
    seat = turn["seat"]
    assert f"Turn 3, deal 0: what seat {seat} could know" in told
    rows = [line for line in told.splitlines() if re.match(rf" +[^{seat}] bot", line)]
    assert len(rows) == 2
    assert all("··" in row for row in rows)
    assert told.count("did ") == 1
    assert turn["actions"][0] == turn["best"]
    assert turn["chosen"] in turn["actions"]


def test_the_turns_of_one_seat_are_the_same_alone_and_among_all(shell: Shell) -> None:
    match, _ = latest(shell)
    every = shell("explain", match, "--json", *FEW).json
    alone = shell("explain", match, "--seat", "1", "--json", *FEW).json
    assert alone["turns"] == [turn for turn in every["turns"] if turn["seat"] == 1]
    assert alone["seats"] == [every["seats"][1]]
    judged = [turn["chosen"]["loss"] for turn in alone["turns"] if turn["fault"] is None]
    assert alone["seats"][0]["turns"] == len(judged)
    assert alone["seats"][0]["loss"] == pytest.approx(sum(judged) / len(judged))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--turn", "5000"], "there is no turn 5000 in this match"),
        (["--seat", "3"], "there is no seat 3 in this match: choose one of 0 to 2"),
        (["--turn", "0", "--seat", "1"], "turn 0 is one of seat 0, not of seat 1: leave --seat out"),
        (["--worlds", "1"], "it must be"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(shell: Shell, options: list[str], says: str) -> None:
    said = shell("explain", latest(shell)[0], *options)
    assert (said.code, said.out, said.err.count("\n")) == (MISUSE, "", 1)
    assert says in said.err


def test_a_game_with_large_hands_is_explained_as_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    large = tournament(bots(2), 2, Variant(hand_size=7, threshold=0, deal_cap=1))
    store_tournament(tmp_path / "arena.db", large, blocks=1)
    shell = Shell(tmp_path / "arena.db", monkeypatch, capsys)
    said = shell("explain", shell("matches", "--json").json[0]["id"], *FEW)
    assert (said.code, said.err) == (0, "")
    assert "What the seats lost by their play" in said.out
