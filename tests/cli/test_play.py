"""`arena play`: who sits at the table, and that a session with real bots can be played, and left, as one likes."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from arena.cli.errors import FAILED, MISUSE
from arena.tournament.blocks import commitment
from tests.bots.making import make_scripted
from tests.cli.stored import Shell
from tests.end_to_end.arena import SECRET, survivors

COMMAND = [sys.executable, "-m", "arena", "play"]
SHORT = ["--seed", SECRET, "--threshold", "10"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--seat", "3"], "there is no seat 3 at a table of 3: choose one of 0 to 2"),
        (["planner", "greedy", "--seats", "2"], "2 bots and you are 3, but --seats 2 was chosen: leave it out"),
        (["--seats", "8"], "tables of 8 need 7 different bots, but there are"),
        (["--seats", "9"], "seats must be 2 to 8"),
        (["nobody"], "there is no bot 'nobody'"),
        (["--seed", "12"], "--seed is 64 hexadecimal digits"),
        (["--sandbox", "maybe"], "choose auto, require or off"),
        (["--threshold", "0"], "give a deal_cap"),
    ],
)
def test_a_table_that_cannot_be_is_refused_in_one_line(empty_shell: Shell, arguments: list[str], says: str) -> None:
    said = empty_shell("play", *arguments)
    assert (said.code, said.out, said.err.count("\n")) == (MISUSE, "", 1)
    assert says in said.err


@pytest.mark.slow
def test_a_match_against_real_bots_is_played_to_its_end_through_a_pipe_and_stored_nowhere(tmp_path: Path) -> None:
    environment = {"ARENA_DATABASE_URL": "sqlite:///arena.db", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8:strict"}
    process = subprocess.run(
        [*COMMAND, *SHORT, "random", "greedy", "--seat", "1"],
        cwd=tmp_path,
        env={**os.environ, **environment},
        input=b"\xff\xfe 1\n" + b"1 1\n" * 1000,
        capture_output=True,
        check=True,
    )
    shown = process.stdout.decode()
    assert "You sit in seat 1, against random, greedy." in shown
    assert "\n> \N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER} 1\n" in shown
    assert "The match ended: LAST_STANDING" in shown
    assert f"Commitment: {commitment(bytes.fromhex(SECRET)).hex()}" in shown
    assert f"Seed: {SECRET}" in shown
    assert "fault" not in shown
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_bot_that_does_not_start_is_named(tmp_path: Path) -> None:
    make_scripted(tmp_path / "broken", "exit-at-import:3")
    process = subprocess.run(
        [*COMMAND, "./broken"], cwd=tmp_path, input="1 1\n" * 9, capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stderr.count("\n")) == (FAILED, 1)
    assert process.stderr.startswith("arena: broken cannot be started: exited with status 3")


def until(terminal: int, word: str) -> str:
    """What the terminal shows until a word of it."""
    shown, patience = "", time.monotonic() + 30
    while word not in shown and time.monotonic() < patience:
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 65536).decode()
    assert word in shown
    return shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "code", "words"), [(b"\x03", FAILED, "arena: stopped"), (b"\x04", 0, "You left the table.")]
)
def test_ctrl_c_and_ctrl_d_leave_at_once_and_nothing_runs_on(tmp_path: Path, key: bytes, code: int, words: str) -> None:
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(tmp_path)
        os.execve(sys.executable, [*COMMAND, *SHORT], {**os.environ, "TERM": "dumb", "NO_COLOR": "1"})
    first = until(terminal, "> ")
    assert "\x1b" not in first
    os.write(terminal, b"1 1\n")
    assert re.search(r"You drew [A2-9TJQK][cdhs]\.", until(terminal, "\r\n> "))
    running = psutil.Process(child).children(recursive=True)
    assert len(running) >= 2
    os.write(terminal, key)
    until(terminal, words)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == code
    assert survivors(running, 1.0) == []
    os.close(terminal)
