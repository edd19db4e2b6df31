"""The command line as a whole: exit codes, one clear line for a mistake, quiet pipes, help with examples."""

import os
import shlex
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
import typer

from arena.bots.errors import BuildError, ManifestError
from arena.cli import main, rules
from arena.cli.errors import FAILED, MISUSE, CommandFailed, Misuse, exit_code
from arena.fleet.campaign import CampaignStopped
from arena.game.errors import IllegalAction, IllegalReason, VariantError
from arena.match.limits import LimitsError
from arena.store.errors import StoreError, nothing_played
from arena.tournament.formats import PlanError
from arena.tournament.ports import LedgerError
from tests.cli.stored import Shell

ARENA = [sys.executable, "-c", "from arena.cli.main import main; main()"]
COMMANDS = cast(typer.core.TyperGroup, typer.main.get_command(main.app))


def commands(group: typer.core.TyperGroup = COMMANDS, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if isinstance(command, typer.core.TyperGroup):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name)


def examples(path: tuple[str, ...]) -> list[str]:
    command: Any = COMMANDS
    for name in path:
        command = command.commands[name]
    lines = (command.epilog or "").replace("\\[", "[").splitlines()
    return [line.strip().removeprefix("$ ") for line in lines if line.strip().startswith("$ ")]


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_every_commands_help_shows_an_example_of_it(path: tuple[str, ...], empty_shell: Shell) -> None:
    shown = empty_shell(*path, "--help")
    assert shown.code == 0
    assert examples(path)
    for example in examples(path):
        assert example.startswith(f"arena {' '.join(path)}")
        assert example in shown.out


@pytest.mark.parametrize("path", [(), ("rules",), *commands()], ids=" ".join)
def test_h_is_help_everywhere(path: tuple[str, ...], empty_shell: Shell) -> None:
    assert empty_shell(*path, "-h") == empty_shell(*path, "--help")


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_help_wraps_its_paragraphs_for_the_terminal(path: tuple[str, ...], empty_shell: Shell) -> None:
    """A line ends early only where the next word has no room, or the paragraph is over."""
    lines = [line.strip() for line in empty_shell(*path, "--help").out.partition("╭")[0].splitlines()]
    assert any(lines)
    for line, following in pairwise(lines):
        if line and following:
            assert len(f"{line} {following.split()[0]}") > 78, line


@pytest.mark.parametrize("example", [line for path in commands() for line in examples(path) if "rules" in line])
def test_examples_that_need_no_tournament_run(example: str, empty_shell: Shell) -> None:
    said = empty_shell(*shlex.split(example)[1:])
    assert (said.code, said.err) == (0, "")
    assert said.out


def test_the_version_is_that_of_the_distribution(empty_shell: Shell) -> None:
    from importlib.metadata import version

    assert empty_shell("--version").out == f"arena {version('least-score-arena')}\n"


@pytest.mark.parametrize(
    "words", [["rulez"], ["rules", "lega"], ["rules", "legal"], ["rankings", "--jso"], ["matches", "--limit", "0"]]
)
def test_a_wrong_command_line_is_misuse_told_in_one_line_with_the_way_to_help(words: list[str], shell: Shell) -> None:
    said = shell(*words)
    assert (said.code, said.out) == (MISUSE, "")
    assert said.err.startswith("arena: ")
    assert said.err.count("\n") == 1
    assert "--help" in said.err


def test_a_group_alone_shows_its_help(empty_shell: Shell) -> None:
    assert "legal" in empty_shell("rules").out


WRONG_INPUT = [
    Misuse("x"),
    VariantError("x"),
    LimitsError("x"),
    PlanError("x"),
    ManifestError("x"),
    StoreError("not ours"),
]
FAILURES = [
    CommandFailed("x"),
    CampaignStopped("x"),
    LedgerError("taken"),
    BuildError("x"),
    nothing_played(Path("x")),
    OSError(28, "no space"),
]


@pytest.mark.parametrize("error", WRONG_INPUT, ids=lambda error: type(error).__name__)
def test_wrong_input_is_misuse(error: Exception) -> None:
    assert exit_code(error) == MISUSE


@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
def test_what_could_not_be_done_has_failed(error: Exception) -> None:
    assert exit_code(error) == FAILED


def test_a_database_that_breaks_is_a_failure_and_no_misuse() -> None:
    error = StoreError("the database failed")
    error.__cause__ = sqlite3.OperationalError("disk full")
    assert exit_code(error) == FAILED


def test_a_bug_is_no_failure_that_is_told_in_one_line() -> None:
    assert exit_code(IllegalAction(IllegalReason.NOT_A_SET)) is None
    assert exit_code(KeyError("x")) is None


def test_a_message_with_line_breaks_and_controls_stays_one_harmless_line(
    empty_shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise Misuse("first\nsecond \x1b[31m red")

    monkeypatch.setattr(rules, "_hand", fail)
    said = empty_shell("rules", "legal", "7s")
    assert said.err.count("\n") == 1
    assert "\x1b" not in said.err


def test_ctrl_c_ends_with_one_line(empty_shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(rules, "_hand", interrupt)
    assert empty_shell("rules", "legal", "7s") == (FAILED, "", "arena: stopped\n")


def test_a_reader_that_leaves_early_is_no_error() -> None:
    hand = " ".join(f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs")
    with subprocess.Popen(
        [*ARENA, "rules", "legal", hand, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


def test_signs_that_a_terminal_lacks_are_no_error() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*ARENA, "rules", "--help"], capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_help_comes_at_once_and_loads_nothing_heavy() -> None:
    heavy = "numpy", "sqlalchemy", "grpc", "pydantic", "google.protobuf"
    program = (
        "import sys; from arena.cli.main import run; run(['--help']); "
        f"sys.exit(' '.join(name for name in {heavy} if name in sys.modules) or 0)"
    )
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert time.perf_counter() - began < 5, "0.2 s on a quiet machine"


def test_a_library_that_logs_what_it_raises_is_not_heard_twice() -> None:
    told = "import logging\nfrom arena.cli.main import main\ntry:\n    main()\nfinally:\n"
    told += "    logging.getLogger('sqlalchemy.pool').error('Exception during reset')"
    done = subprocess.run([sys.executable, "-c", told, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("arena ")
    assert done.stderr == ""
