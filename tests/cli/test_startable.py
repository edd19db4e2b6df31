"""`all` means every bot that can start here; the others are left out by name, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.cli.choosing import Choice
from arena.cli.errors import Misuse
from arena.cli.startable import those_able
from arena.match.limits import ProcessLimits
from tests.bots.making import make_bot
from tests.end_to_end.arena import Arena
from tests.needs import FEATURES

LISTEN = (
    "import os, socket, time; s = socket.socket(socket.AF_UNIX); s.bind(os.environ['ARENA_BOT_ADDRESS'][5:]); "
    "s.listen(); time.sleep(60)"
)
START = ["python", "-I", "-S", "-c", LISTEN]

Sift = Callable[..., Choice]


@pytest.fixture
def sift(tmp_path: Path) -> Iterator[Sift]:
    """Leave out what cannot start, of two bots that can and three that cannot."""
    folders = [
        make_bot(tmp_path / "fox", START),
        make_bot(tmp_path / "hen", START, build=["true"]),
        make_bot(tmp_path / "newt", ["no-such-program"]),
        make_bot(tmp_path / "ox", START, build=["python", "-c", "print('no compiler'); raise SystemExit(3)"]),
        make_bot(tmp_path / "pig", ["python", "-c", "raise SystemExit('a secret of the author')"]),
    ]
    choice = Choice(tuple(map(open_folder, folders)), left_out="Left out: a 1 of ann.")
    with Launcher(ProcessLimits()) as launcher:
        yield lambda seats, started=True: those_able(choice, launcher, seats, started=started)


def test_who_cannot_be_built_or_started_is_left_out_with_the_reason(sift: Sift) -> None:
    choice = sift(2)
    assert [bot.name for bot in choice.bots] == ["fox", "hen"]
    assert choice.left_out == (
        "Left out: a 1 of ann. Left out, since they cannot start here: "
        "newt 1 (the program no-such-program of its command was not found), "
        "ox 1 (the build exited with status 3), pig 1 (exited with status 1 before it listened)."
    )


def test_who_only_cannot_be_started_is_left_for_the_tournament_to_withdraw(sift: Sift) -> None:
    choice = sift(2, started=False)
    assert [bot.name for bot in choice.bots] == ["fox", "hen", "newt", "pig"]
    assert choice.left_out.endswith("since they cannot be built here: ox 1 (the build exited with status 3).")


def test_too_few_that_can_start_are_no_table(sift: Sift) -> None:
    with pytest.raises(Misuse, match=r"tables of 3 need 3 different bots, but there are 2 .* newt 1"):
        sift(3)


@pytest.mark.slow
def test_a_tournament_without_names_does_without_those_that_cannot_be_built(tmp_path: Path) -> None:
    make_bot(tmp_path / "my_bots" / "ox", START, build=["false"])
    said = Arena(tmp_path).ok("tournament", "run", "--seats", "2", "--deals", "1", "--deal-cap", "1")
    assert "ox" not in {row["bot"] for row in Arena(tmp_path).json("rankings")}, said


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_all_plays_every_bot_that_can_start_and_names_the_others(tmp_path: Path) -> None:
    make_bot(tmp_path / "my_bots" / "newt", ["no-such-program"])
    playing = Arena(tmp_path).start("tournament", "run", "all", "--seats", "2", "--deals", "1", "--deal-cap", "1")
    _, said = playing.communicate(timeout=280)
    assert playing.returncode == 0, said
    assert "newt 1 (the program no-such-program of its command was not found)" in said
    rows = {row["bot"] for row in Arena(tmp_path).json("rankings")}
    assert {"random", "greedy", "planner"} <= rows
    assert "newt" not in rows
    assert [bot in rows for bot in ("tally", "gopher")] == [FEATURES[what]() == "" for what in ("node", "go")]
