"""Which files are a bot, the digest that names them, and the copy."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from arena.bots.errors import PackageError
from arena.bots.manifest import Manifest, load_manifest
from arena.bots.package import bot_files, copy_bot, folder_digest
from tests.bots.making import make_bot


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = make_bot(tmp_path / "bot", ["python", "main.py"])
    (folder / "main.py").write_text("pass\n")
    return folder


def digest(folder: Path) -> bytes:
    return folder_digest(folder, load_manifest(folder))


def test_the_digest_is_a_line_a_file_sorted_by_the_bytes_of_the_path(bot: Path) -> None:
    (bot / "lib").mkdir()
    (bot / "lib" / "Δ.txt").write_text("delta")
    (bot / "lib.sh").write_text("true")
    (bot / "lib.sh").chmod(0o755)
    paths = ["bot.toml", "lib.sh", "lib/Δ.txt", "main.py"]
    lines = [
        f"{path}\t{'x' if path == 'lib.sh' else '-'}\t{hashlib.sha256((bot / path).read_bytes()).hexdigest()}\n"
        for path in paths
    ]
    assert digest(bot) == hashlib.sha256("".join(lines).encode()).digest()


def test_content_name_and_run_bit_each_change_the_digest(bot: Path) -> None:
    seen = {digest(bot)}
    (bot / "main.py").write_text("pass  \n")
    seen.add(digest(bot))
    (bot / "main.py").chmod(0o755)
    seen.add(digest(bot))
    (bot / "main.py").rename(bot / "start.py")
    seen.add(digest(bot))
    assert len(seen) == 4


def test_what_a_run_or_an_editor_leaves_behind_is_no_part_of_the_bot(bot: Path) -> None:
    before = digest(bot)
    for path in (
        "__pycache__/a.pyc",
        "lib/__pycache__/b",
        "x.pyc",
        ".venv/bin/python",
        "node_modules/a/b.js",
        ".git/x",
    ):
        (bot / path).parent.mkdir(parents=True, exist_ok=True)
        (bot / path).touch()
    (bot / ".venv" / "link").symlink_to("/etc/passwd")
    assert digest(bot) == before


def test_ignored_patterns_hold_for_names_and_with_a_slash_for_paths(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot", ["./run"], ignore=["*.log", "data/*.bin", "notes/"])
    for path in ("run", "a.log", "sub/b.log", "data/c.bin", "sub/data/c.bin", "notes/n.txt", "sub/notes/n.txt"):
        (bot / path).parent.mkdir(parents=True, exist_ok=True)
        (bot / path).touch()
    files = [file.path for file in bot_files(bot, load_manifest(bot))]
    assert files == ["bot.toml", "run", "sub/data/c.bin", "sub/notes/n.txt"]


def test_the_manifest_itself_cannot_be_ignored(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot", ["./run"], ignore=["*.toml"])
    with pytest.raises(PackageError, match=r"leave out bot\.toml itself"):
        digest(bot)


@pytest.mark.parametrize("target", ["main.py", "/etc", "nowhere"])
def test_links_are_refused(bot: Path, target: str) -> None:
    (bot / "link").symlink_to(target)
    with pytest.raises(PackageError, match=r"link is a link; copy the file itself"):
        digest(bot)


def test_pipes_and_the_like_are_refused(bot: Path) -> None:
    os.mkfifo(bot / "pipe")
    with pytest.raises(PackageError, match="neither a file nor a folder; remove it, or name it in 'ignore'"):
        digest(bot)


@pytest.mark.parametrize("name", [b"a\tb", b"a\nb", b"\xff"])
def test_a_path_that_is_no_clean_line_is_refused(bot: Path, name: bytes) -> None:
    Path(os.fsdecode(os.fsencode(bot) + b"/" + name)).touch()
    with pytest.raises(PackageError, match="rename it"):
        digest(bot)


def test_the_copy_holds_exactly_what_the_digest_covers(bot: Path, tmp_path: Path) -> None:
    (bot / "sub").mkdir()
    (bot / "sub" / "run").write_text("true")
    (bot / "sub" / "run").chmod(0o700)
    (bot / ".hidden").touch()
    manifest: Manifest = load_manifest(bot)
    copy_bot(bot, manifest, tmp_path / "copy")
    assert folder_digest(tmp_path / "copy", manifest) == digest(bot)
    copied = {str(path.relative_to(tmp_path / "copy")) for path in (tmp_path / "copy").rglob("*") if path.is_file()}
    assert copied == {"bot.toml", "main.py", "sub/run"}
