"""`arena bots new`: a folder that tests itself and plays as it is, in each language; or nothing at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from arena.bots.folders import open_folder
from arena.bots.languages import LANGUAGES, Languages
from arena.bots.new_folder import TEMPLATES, make_folder
from arena.bots.sandbox import search_path
from arena.cli.errors import FAILED, MISUSE
from arena.settings import sample_bots
from tests.cli.stored import Shell
from tests.end_to_end.arena import Arena
from tests.end_to_end.test_wrong_input import bytes_below
from tests.needs import needs
from tests.sample_bots.loading import SAMPLE_BOTS, built

README = (Path(__file__).parents[2] / "README.md").read_text()
PROTO = Path(__file__).parents[2] / "proto" / "arena" / "v1" / "bot.proto"

ALL = [
    "python",
    pytest.param("javascript", marks=needs("node")),
    pytest.param("go", marks=[needs("go"), pytest.mark.slow]),  # it is compiled first
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("language", ["python", "javascript", "go"])
def test_the_folder_is_a_bot_of_that_name_and_the_next_steps_are_told(
    empty_shell: Shell, here: Path, language: str
) -> None:
    said = empty_shell("bots", "new", 'A "fox"', "--language", language)
    assert (said.code, said.err) == (0, "")
    bot = open_folder(here / "my_bots" / 'A "fox"')
    assert bot.label == 'A "fox" 1.0'
    assert "cd 'my_bots/A \"fox\"' && " in said.out
    assert "arena submit 'my_bots/A \"fox\"'" in said.out
    assert (bot.path / "README.md").read_text().startswith('# A "fox"\n')
    assert [path.name for path in (here / "my_bots").iterdir()] == ['A "fox"']


@pytest.mark.parametrize("language", ALL)
def test_the_bots_own_test_passes_and_can_fail(here: Path, language: str) -> None:
    made = LANGUAGES[Languages(language)]
    make_folder(here / "fox", "fox", Languages(language), sample_bots())
    environment = {**os.environ, "PATH": search_path()}

    def test() -> int:
        command = [made.program, *made.test.split()]
        return subprocess.run(command, cwd=here / "fox", env=environment, capture_output=True, check=False).returncode

    assert test() == 0
    main = here / "fox" / made.main
    main.write_text(main.read_text().replace("<= 5", "<= 6"))
    assert test() != 0


@pytest.mark.slow
@pytest.mark.timeout(300)
@needs("node", "go", "sandbox")
def test_new_bots_and_sample_bots_of_all_languages_play_a_tournament(here: Path) -> None:
    arena = Arena(here)
    new = [f"fox {language.value}" for language in Languages]
    for name, language in zip(new, Languages, strict=True):
        arena.ok("bots", "new", name, "--language", language.value)
    bots = [
        *(built(here / "my_bots" / name, here) for name in new),
        "tally",
        built(SAMPLE_BOTS / "gopher", here),
        "greedy",
    ]
    playing = arena.start(
        "tournament", "run", *map(str, bots), "--seats", "2", "--deals", "1", "--deal-cap", "3", "--quiet"
    )
    _, errors = playing.communicate(timeout=280)  # a bot in Go is compiled with all of its library
    assert playing.returncode == 0, errors
    rows = {row["bot"]: row for row in arena.json("rankings")}
    assert rows.keys() == {*new, "tally", "gopher", "greedy"}
    assert {(row["matches"], row["faults"]) for row in rows.values()} == {(10, 0)}


def test_a_new_bot_in_go_is_built_as_the_sample_bot_is() -> None:
    """That one is built in the sandbox where every bot plays that can start."""
    new, sample = (tomllib.loads(path.read_text().replace("$name", '""')) for path in (
        TEMPLATES / "go" / "bot.toml", SAMPLE_BOTS / "gopher" / "bot.toml"))  # fmt: skip
    assert [new[key] for key in ("command", "build", "ignore")] == [
        sample[key] for key in ("command", "build", "ignore")
    ]


@pytest.mark.parametrize("language", ["javascript", "go"])
def test_bots_of_other_languages_carry_the_contract(here: Path, language: str) -> None:
    make_folder(here / "fox", "fox", Languages(language), sample_bots())
    assert (here / "fox" / "bot.proto").read_text() == PROTO.read_text()


def test_the_bot_in_python_is_that_of_the_readme() -> None:
    lines = (TEMPLATES / "python" / "main.py").read_text().replace('if __name__ == "__main__":\n    serve', "serve")
    assert "".join(lines.split()) in "".join(README.split())


@pytest.mark.parametrize(
    ("language", "program", "said"),
    [
        ("go", None, "It needs Go 1.24 or later, and there is no program 'go' here: install that first.\n"),
        ("go", "echo go1.19.8", "It needs Go 1.24 or later, and 'go' here is go1.19.8: install that first.\n"),
        ("go", "exit 1", "It needs Go 1.24 or later, and 'go' here is broken: install that first.\n"),
        ("go", "echo go1.24", ""),
        ("go", "echo go1.26.8", ""),
        ("javascript", "echo v16.20.2", "Node.js 18 or later, and 'node' here is v16.20.2: install that first.\n"),
        ("javascript", "echo v18.20.4", ""),
    ],
)
def test_a_program_that_is_missing_or_too_old_is_named_and_the_folder_is_made(
    empty_shell: Shell, here: Path, monkeypatch: pytest.MonkeyPatch, language: str, program: str | None, said: str
) -> None:
    monkeypatch.setenv("PATH", str(here))
    if program is not None:
        path = here / LANGUAGES[Languages(language)].program
        path.write_text(f"#!/bin/sh\n{program}\n")
        path.chmod(0o755)
    told = empty_shell("bots", "new", "fox", "--language", language)
    assert told.code == 0
    assert ("It needs" in told.out, said in told.out) == (said != "", True)
    assert (here / "my_bots" / "fox" / "bot.proto").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["../fox"], "'name' looks like a path or an option: '../fox'"),
        ([""], "'name' is empty"),
        (["n" * 41], "'name' has 41 characters; at most 40 are allowed"),
        (["fox", "--language", "ruby"], "'ruby' is not one of 'python', 'javascript', 'go'"),
        (["greedy"], "the name 'greedy' belongs to a sample bot; choose another"),
        (["rand0m"], "the name 'rand0m' looks like 'random', which is a sample bot; choose another"),
        (["hare"], "there is a bot 'hare' already: my_bots/hare; choose another name"),
        (["fox", "--folder", "my_bots/hare"], "my_bots/hare exists already"),
        (["fox", "--folder", "link"], "link exists already"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line_and_nothing_is_made(
    empty_shell: Shell, here: Path, words: list[str], said: str
) -> None:
    make_folder(here / "my_bots" / "hare", "hare", Languages.PYTHON, sample_bots())
    (here / "link").symlink_to(here / "nowhere")
    before = bytes_below(here)
    refused = empty_shell("bots", "new", *words)
    assert refused.code == MISUSE
    assert refused.out == ""
    assert refused.err.startswith("arena: ")
    assert said in refused.err
    assert refused.err.count("\n") == 1
    assert bytes_below(here) == before


def test_a_folder_that_cannot_be_finished_leaves_nothing(
    empty_shell: Shell, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "bot.proto")

    monkeypatch.setattr(shutil, "copyfile", full)
    said = empty_shell("bots", "new", "fox", "--language", "javascript")
    assert said.code == FAILED
    assert "free some space there and try again" in said.err
    assert list((here / "my_bots").iterdir()) == []
