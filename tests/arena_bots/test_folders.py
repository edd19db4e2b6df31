"""Finding bots by path and by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.errors import FolderError, ManifestError
from arena.bots.folders import check_distinct, discover, open_folder, resolve
from tests.bots.making import make_bot


@pytest.fixture
def roots(tmp_path: Path) -> list[Path]:
    """Two folders of bots and one that does not exist."""
    mine, samples = tmp_path / "mine", tmp_path / "samples"
    make_bot(mine / "one", ["./run"], name="Quick Δ")
    make_bot(samples / "greedy", ["./run"])
    make_bot(samples / "random", ["./run"])
    (samples / "notes").mkdir()
    return [mine, samples, tmp_path / "none"]


def test_every_folder_with_a_manifest_is_a_bot(roots: list[Path]) -> None:
    assert [bot.label for bot in discover(roots)] == ["Quick Δ 1", "greedy 1", "random 1"]


@pytest.mark.parametrize("wanted", ["Quick Δ", "one"])
def test_a_bot_is_found_by_its_name_and_by_its_folders(roots: list[Path], wanted: str) -> None:
    assert resolve(wanted, roots).path == roots[0] / "one"


def test_a_bot_is_found_by_path(roots: list[Path]) -> None:
    assert resolve(str(roots[1] / "greedy"), []).manifest.name == "greedy"


def test_a_name_beats_a_folder_here_that_is_no_bot(
    roots: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "greedy").mkdir()
    monkeypatch.chdir(tmp_path)
    assert resolve("greedy", roots).path == roots[1] / "greedy"


def test_a_near_miss_is_named(roots: list[Path]) -> None:
    with pytest.raises(FolderError, match="there is no bot 'gredy'; did you mean 'greedy'"):
        resolve("gredy", roots)
    with pytest.raises(FolderError, match="known are Quick Δ, greedy, random; or name the path"):
        resolve("zzz", roots)


def test_a_path_that_is_not_there_is_told_as_a_path(roots: list[Path]) -> None:
    with pytest.raises(FolderError, match="my_bots/none does not exist; name a folder"):
        resolve("my_bots/none", roots)


def test_a_name_of_two_bots_must_be_made_clear(roots: list[Path]) -> None:
    make_bot(roots[0] / "copy", ["./other"], name="greedy")
    with pytest.raises(FolderError, match=r"'greedy' could be .*copy or .*greedy; name the folder"):
        resolve("greedy", roots)


def test_a_broken_bot_stands_in_nobodys_way(roots: list[Path]) -> None:
    (roots[1] / "random" / "bot.toml").write_text("name = 3")
    assert resolve("greedy", roots).manifest.name == "greedy"
    with pytest.raises(ManifestError, match="random"):
        resolve("random", roots)


def test_two_bots_may_not_claim_one_name_and_version(tmp_path: Path) -> None:
    one = open_folder(make_bot(tmp_path / "a", ["./run"], name="same"))
    other = open_folder(make_bot(tmp_path / "b", ["./walk"], name="same"))
    with pytest.raises(FolderError, match="both claim to be same 1 but differ"):
        check_distinct([one, other], clones=True)


def test_the_same_bot_twice_is_for_those_who_ask_for_clones(tmp_path: Path) -> None:
    one = open_folder(make_bot(tmp_path / "a", ["./run"], name="same"))
    twin = open_folder(make_bot(tmp_path / "b", ["./run"], name="same"))
    check_distinct([one, twin], clones=True)
    with pytest.raises(FolderError, match="same 1 is named twice"):
        check_distinct([one, twin])


def test_folders_that_look_alike_are_different_bots(tmp_path: Path) -> None:
    bots = [open_folder(make_bot(tmp_path / name, ["./run"])) for name in ("Bot A", "Bot_A", "bot a")]
    check_distinct(bots)
    assert len({bot.digest for bot in bots}) == 3
