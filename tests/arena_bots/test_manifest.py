"""What a bot.toml may say, and what is said about one that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.errors import ManifestError
from arena.bots.manifest import BotLimits, Manifest, load_manifest

GOOD = 'name = "greedy"\nversion = "1.0"\ncommand = ["python", "bot.py"]\n'


def read(folder: Path, text: str) -> Manifest:
    (folder / "bot.toml").write_text(text, encoding="utf-8")
    return load_manifest(folder)


def test_name_version_and_command_are_enough(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD) == Manifest("greedy", "1.0", ("python", "bot.py"))


def test_everything_can_be_said(tmp_path: Path) -> None:
    more = (
        'build = ["make"]\nlanguage = "Go"\nauthors = ["Ada"]\nignore = ["*.log"]\nquick = true\nfresh = true\n'
        "[limits]\nmemory_mb = 64\n"
    )
    assert read(tmp_path, GOOD + more) == Manifest(
        "greedy", "1.0", ("python", "bot.py"), ("make",), "Go", ("Ada",), ("*.log",), True, True, BotLimits(64)
    )


@pytest.mark.parametrize("name", ["Δelta", "Bot_A", "Bot A", "🃏", "<script>", "it's `here`", "x" * 40])
def test_names_of_the_world_are_welcome(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, GOOD.replace("greedy", name)).name == name


def test_a_name_is_the_same_however_it_was_typed(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD.replace("greedy", "caf\u0065\u0301")).name == "caf\u00e9"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "is not valid TOML"),
        (f"{GOOD}{'a.' * 30_000}a = 1\n", "a key of 8 parts or more"),
        (f"{GOOD} [[ {'a . ' * 9_000}a]]\n" + "b = 1\n" * 4_000, "a key of 8 parts or more"),
        (GOOD + '"a=\\"b". ' * 5_000 + "a = 1\n", "a key of 8 parts or more"),
        (f"{GOOD}{'a.' * 6}a = 1\n", "unknown key 'a'"),
        (f"{' ' * 60_000}{'a.' * 6}a\n", "is not valid TOML"),
        (GOOD.replace('name = "greedy"\n', ""), "'name' is missing"),
        (GOOD.replace('version = "1.0"\n', ""), "'version' is missing"),
        (GOOD.replace('command = ["python", "bot.py"]', ""), "'command' is missing"),
        (GOOD.replace('["python", "bot.py"]', "[]"), "'command' is empty"),
        (GOOD.replace('["python", "bot.py"]', '"python bot.py"'), "'command' must be a list of texts"),
        (GOOD.replace('"bot.py"', "1"), "'command' must be a list of texts"),
        (GOOD.replace('"bot.py"', '""'), "'command' holds an empty text"),
        (GOOD.replace('"bot.py"', '"a\\u0000"'), "'command' holds an empty text or a zero byte"),
        (GOOD.replace('"1.0"', "1.0"), "'version' must be a text in quotes, not 1.0"),
        (GOOD.replace("greedy", ""), "'name' is empty"),
        (GOOD.replace("greedy", "x" * 41), "'name' has 41 characters; at most 40"),
        (GOOD.replace("greedy", "a\\nb"), "invisible character"),
        (GOOD.replace("greedy", "a\\u202eb"), "invisible character: 'a\\u202eb'"),
        (GOOD.replace("greedy", "a\\u200bb"), "invisible character"),
        (GOOD.replace("greedy", " greedy"), "begins or ends with a space"),
        (GOOD.replace("greedy", "../greedy"), "looks like a path"),
        (GOOD.replace("greedy", "--seed"), "looks like a path or an option"),
        (GOOD + "quik = true", "unknown key 'quik'; did you mean 'quick'?"),
        (GOOD + "colour = 1", "unknown key 'colour'; known are name"),
        (GOOD + "quick = 1", "'quick' must be true or false, not 1"),
        (GOOD + "authors = 'Ada'", "'authors' must be a list of texts"),
        (GOOD + "limits = 3", "'limits' must be a table"),
        (GOOD + "[limits]\nmemory = 3", "unknown key 'limits.memory'; did you mean 'limits.memory_mb'?"),
        (GOOD + "[limits]\nmemory_mb = true", "'limits.memory_mb' must be a whole number from 16 to 4096, not True"),
        (GOOD + "[limits]\nmemory_mb = 15", "'limits.memory_mb' must be a whole number from 16 to 4096, not 15"),
        (GOOD + "[limits]\nmemory_mb = 4097", "asks for 4097; no process of a bot gets more than 4096"),
        (GOOD + "[limits]\nprocesses = 513", "'limits.processes' asks for 513; no process of a bot gets more than 512"),
        (GOOD + "[limits]\nfiles = 4097", "'limits.files' asks for 4097; no process"),
        (GOOD + "[limits]\ndisk_mb = 1025", "'limits.disk_mb' asks for 1025; no process"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_the_file(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ManifestError) as caught:
        read(tmp_path, text)
    assert said in str(caught.value)
    assert str(tmp_path / "bot.toml") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_manifest_and_a_missing_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=r"has no bot\.toml"):
        load_manifest(tmp_path)
    with pytest.raises(ManifestError, match="is not a folder"):
        load_manifest(tmp_path / "none")


def test_a_manifest_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(ManifestError, match="is not valid TOML"):
        load_manifest(tmp_path)
