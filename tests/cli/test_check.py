"""`arena bots check`: good bots pass, and each misbehaviour is found and told with the turn that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shlex import split
from typing import Any

import pytest

from arena.bots import probe
from arena.bots.conformance import Finding, Step, StepReport, fixed_turns
from arena.bots.probe import Offer
from arena.cli.check_report import Told, document, verdict
from arena.cli.errors import FAILED, MISUSE
from arena.settings import sample_bots
from arena.wire.codec import read_turns
from arena.wire.v1 import bot_pb2 as pb
from tests.arena_bots.archives import tar
from tests.bots.making import make_bot, make_scripted
from tests.bots.serving import ServedBot
from tests.cli.stored import Said, Shell
from tests.needs import needs

SECONDS = 100
"""No check takes as long, whatever the bot does."""


@pytest.fixture
def here(empty_shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


FOX = ("fox 1", bytes(32), "full")
FLUSH = next(turn for turn in fixed_turns() if turn.name == "a flush")
LONG = Finding(True, "'a flush': " + "much is wrong with it " * 9, "less " * 30, "one\ntwo", (FLUSH,))


def test_a_finding_is_told_within_the_terminal_and_its_turn_written(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = Told("my fox", here / "turns", quiet=False)
    told.meet(*FOX)
    told.tell(StepReport(Step.TURNS, "49 of 50", {}, (LONG,)))
    lines = capsys.readouterr().out.splitlines()
    command = next(line for line in lines if "arena bots ask" in line)
    assert max(len(line) for line in lines if line is not command) <= 80
    assert [line for line in lines if line != line.rstrip()] == []
    *_, bot, file = split(command)
    assert bot == "my fox"
    assert read_turns(Path(file).read_text()) == (pb.TakeTurnRequest.FromString(FLUSH.request).SerializeToString(),)
    assert verdict(told, 3.2).plain == "\nfox 1 did not pass the check with 1 error (3 s)."


def test_turns_that_cannot_be_written_do_not_stop_a_check(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "file").write_text("")
    told = Told("fox", here / "file", quiet=True)
    told.meet(*FOX)
    for _ in range(2):
        told.tell(StepReport(Step.TURNS, "49 of 50", {}, (LONG,)))
    assert capsys.readouterr().err.count("turns cannot be written") == 1
    assert document(told, 1.0)["steps"][0]["findings"][0]["reproduce"] is None


def test_words_of_the_bot_are_made_harmless(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = Told("fox", here, quiet=False)
    told.meet("f\x1b[31mox", bytes(32), "full")
    told.tell(StepReport(Step.START, "a\x1bb", {}, (Finding(True, "\x1b[2J", "", "\x07bell"),)))
    assert not {"\x1b", "\x07"} & set(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("manifest", "said"),
    [('name = "fox"', "'version' is missing"), ("name = ", "is not valid TOML"), ('nmae = "x"', "did you mean 'name'")],
)
def test_a_wrong_manifest_is_the_one_finding(empty_shell: Shell, here: Path, manifest: str, said: str) -> None:
    (here / "fox").mkdir()
    (here / "fox" / "bot.toml").write_text(manifest)
    checked = empty_shell("bots", "check", "./fox", "--json")
    assert (checked.code, checked.json["passed"], checked.json["errors"]) == (FAILED, False, 1)
    (step,) = checked.json["steps"]
    assert step["step"] == "files"
    assert said in step["findings"][0]["what"]


def complaints(shell: Shell, bot: Path) -> tuple[str, list[str]]:
    """What is wrong with a bot that gets no further than to its first step, and what it printed."""
    report = checked(shell, bot)
    (finding,) = [one for step in report["steps"] for one in step["findings"]]
    return finding["what"], [line.partition("] ")[2] for line in finding["said"]]


@needs("sandbox")
def test_of_a_build_that_fails_all_lines_are_told(empty_shell: Shell, here: Path) -> None:
    bot = make_bot(here / "fox", ["./run"], build=["sh", "-c", "echo one mistake; echo another >&2; exit 3"])
    assert complaints(empty_shell, bot) == ("fox: the build exited with status 3", ["one mistake", "another"])


@needs("sandbox")
def test_of_a_bot_that_does_not_start_all_lines_are_told(empty_shell: Shell, here: Path) -> None:
    bot = make_bot(here / "fox", ["python", "main.py"])
    (bot / "main.py").write_text("import arena.sdk\nimport numpyy\n")
    what, said = complaints(empty_shell, bot)
    assert what.endswith("ModuleNotFoundError: No module named 'numpyy'")
    assert said[1:3] == ['  File "/bot/main.py", line 2, in <module>', "    import numpyy"]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("nobody", "there is no bot 'nobody'"),
        ("no/where", "no/where does not exist"),
        ("grpc://nowhere", "must end with a port"),
    ],
)
def test_what_is_no_bot_is_misuse(empty_shell: Shell, here: Path, word: str, said: str) -> None:
    told = empty_shell("bots", "check", word)
    assert (told.code, told.out, told.err.count("\n")) == (MISUSE, "", 1)
    assert said in told.err


def test_an_archive_without_a_sandbox_is_not_run(
    empty_shell: Shell, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cli.order.offered", lambda: Offer("none", "bubblewrap is not installed"))
    monkeypatch.setattr(probe, "offered", lambda: Offer("none", "bubblewrap is not installed"))
    (here / "fox.tar").write_bytes(tar({"bot.toml": b""}))
    told = empty_shell("bots", "check", "fox.tar")
    assert told.code == FAILED
    assert "what is in an archive runs in the sandbox only" in told.err


def checked(shell: Shell, bot: Path | str) -> Any:
    said = shell("bots", "check", str(bot), "--json")
    assert said.code == (0 if said.json["passed"] else FAILED), said.err
    assert said.json["seconds"] < SECONDS
    return said.json


def found(report: Any) -> list[tuple[str, bool, str]]:
    return [(step["step"], one["error"], one["what"]) for step in report["steps"] for one in step["findings"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random", "greedy", "planner"])
def test_the_quick_samples_pass_without_a_warning(empty_shell: Shell, here: Path, name: str) -> None:
    report = checked(empty_shell, sample_bots() / name)
    assert found(report) == []
    assert (report["repeatable"], report["keeps_state"]) == (True, False)
    figures = {step["step"]: step["figures"] for step in report["steps"]}
    assert figures["matches"]["matches"] == 10
    assert 0 < figures["speed"]["alone_p50_ms"] <= figures["speed"]["alone_p99_ms"]
    assert 1 < figures["memory"]["peak_mb"] < 1024


MISBEHAVIOUR: dict[str, tuple[str, bool, str]] = {
    "exit-at-import:3": ("start", True, "cannot be started: exited with status 3"),
    "raise@3": ("turns", True, "REFUSED (UNKNOWN)"),
    "hang": ("turns", True, "TIMEOUT"),
    "no-batch": ("batch", False, "max_batch is 64, but it has no TakeTurns"),
    "stderr:20000": ("output", False, "were dropped"),
}


@pytest.mark.slow
@needs("sandbox")
@pytest.mark.parametrize("word", MISBEHAVIOUR)
def test_a_misbehaviour_is_found(empty_shell: Shell, here: Path, word: str) -> None:
    step, error, said = MISBEHAVIOUR[word]
    report = checked(empty_shell, make_scripted(here / "fox", word, name="scripted"))
    assert [one for one in found(report) if one[:2] == (step, error) and said in one[2]], found(report)
    assert report["passed"] != any(error for _, error, _ in found(report))


def asked_again(shell: Shell, report: Any) -> Said:
    """What the command says that a report gives for its first finding with a turn."""
    commands = [one["reproduce"] for step in report["steps"] for one in step["findings"] if one["reproduce"]]
    arena, *words = split(commands[0])
    assert arena == "arena"
    return shell(*words)


@pytest.mark.slow
@needs("sandbox")
def test_the_command_of_a_finding_shows_it_again(empty_shell: Shell, here: Path) -> None:
    report = checked(empty_shell, make_scripted(here / "my fox", "illegal:NOT_A_SET", name="scripted"))
    again = asked_again(empty_shell, report)
    assert again.code == FAILED
    assert "ILLEGAL_ACTION (NOT_A_SET)" in again.out


@pytest.mark.slow
@needs("sandbox")
def test_a_bot_that_remembers_is_marked(empty_shell: Shell, here: Path) -> None:
    choose = (
        "turns.append(seen) or Play(seen.hand[len(turns) % len(seen.hand):][:1], seen.open[0] if seen.open else None)"
    )
    code = f"from arena.sdk import Play, serve\nturns = []\nserve(lambda seen: {choose}, max_batch=1)\n"
    bot = make_bot(here / "fox", ["python", "main.py"])
    (bot / "main.py").write_text(code)
    report = checked(empty_shell, bot)
    assert (report["passed"], report["keeps_state"], report["repeatable"]) == (True, True, False)
    assert any(what.startswith("keeps state") for _, _, what in found(report))


@pytest.mark.slow
@needs("sandbox")
def test_a_bot_that_plays_by_chance_is_told_to_use_the_seed(empty_shell: Shell, here: Path) -> None:
    choose = "Play(bytes((random.choice(seen.hand),)), seen.open[0] if seen.open else None)"
    bot = make_bot(here / "fox", ["python", "main.py"])
    (bot / "main.py").write_text(f"import random\nfrom arena.sdk import Play, serve\nserve(lambda seen: {choose})\n")
    report = checked(empty_shell, bot)
    assert (report["passed"], report["keeps_state"], report["repeatable"]) == (True, False, False)


@pytest.fixture
def served() -> Iterator[ServedBot]:
    bot = ServedBot()
    yield bot
    bot.stop()


@pytest.mark.slow
def test_a_bot_at_an_address_is_checked_but_for_what_is_not_seen(
    empty_shell: Shell, here: Path, served: ServedBot
) -> None:
    report = checked(empty_shell, served.address)
    assert report["passed"]
    steps = [step["step"] for step in report["steps"]]
    assert steps == ["start", "describe", "turns", "order", "batch", "idle", "speed", "matches"]
