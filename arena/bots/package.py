"""A bot's files: which belong to it, the digest that names them, and the copy in which the bot runs."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from arena.bots.errors import PackageError
from arena.bots.manifest import MANIFEST_NAME, Manifest

LEFT_OUT = ("__pycache__", "*.pyc", "node_modules", ".*")


class BotFile(NamedTuple):
    """A file of a bot: its relative POSIX path and whether its owner may run it."""

    path: str
    runnable: bool


def bot_files(folder: Path, manifest: Manifest) -> list[BotFile]:
    """The files that belong to a bot, by the bytes of their paths.

    Left out are names with a leading dot, `__pycache__`, `*.pyc`, `node_modules` and what the manifest's `ignore`
    names: a pattern without a slash is held against every file's and folder's name, one with a slash against the path
    from the bot's folder. Raises `PackageError` for links, devices and names that are no clean UTF-8 line.
    """
    files = sorted(_walk(folder, "", manifest.ignore), key=lambda file: os.fsencode(file.path))
    if all(file.path != MANIFEST_NAME for file in files):
        raise PackageError(f"{folder}: the patterns of 'ignore' leave out {MANIFEST_NAME} itself")
    return files


def folder_digest(folder: Path, manifest: Manifest) -> bytes:
    """The 32 bytes that name a bot's content: SHA-256 of one line a file, `path TAB x|- TAB sha256 LF`.

    Taken before any build; a run does not change it, since a bot runs from a copy. Raises `PackageError`.
    """
    digest = hashlib.sha256()
    for file in bot_files(folder, manifest):
        try:
            with (folder / file.path).open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise PackageError(f"{folder / file.path} cannot be read: {error.strerror}") from None
        digest.update(f"{file.path}\t{'x' if file.runnable else '-'}\t{content}\n".encode())
    return digest.digest()


def copy_bot(folder: Path, manifest: Manifest, target: Path) -> None:
    """Copy exactly the files of the digest to `target`, which must not exist yet. Raises `PackageError`, `OSError`."""
    files = bot_files(folder, manifest)
    target.mkdir(parents=True)
    for file in files:
        place = target / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / file.path, place, follow_symlinks=False)
        place.chmod(0o755 if file.runnable else 0o644)


def _walk(folder: Path, prefix: str, ignore: tuple[str, ...]) -> Iterator[BotFile]:
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        raise PackageError(f"{folder} cannot be read: {error.strerror}") from None
    for entry in entries:
        path = prefix + entry.name
        if _left_out(entry.name, path, ignore):
            continue
        mode = entry.stat(follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            yield from _walk(Path(entry.path), path + "/", ignore)
        elif stat.S_ISREG(mode):
            _check_path(path)
            yield BotFile(path, bool(mode & stat.S_IXUSR))
        else:
            link = stat.S_ISLNK(mode)
            kind = "a link; copy the file itself there" if link else "neither a file nor a folder; remove it"
            raise PackageError(f"{entry.path} is {kind}, or name it in 'ignore'")


def is_always_left_out(name: str) -> bool:
    """Whether a file or folder of this name never belongs to a bot, whatever its manifest says."""
    return any(fnmatchcase(name, pattern) for pattern in LEFT_OUT)


def _left_out(name: str, path: str, ignore: tuple[str, ...]) -> bool:
    return is_always_left_out(name) or any(
        fnmatchcase(path if "/" in pattern else name, pattern.strip("/")) for pattern in ignore
    )


def _check_path(path: str) -> None:
    try:
        path.encode()
    except UnicodeEncodeError:
        raise PackageError(f"the name of the file {path!a} is not UTF-8; rename it") from None
    if any(sign in path for sign in "\t\n\r"):
        raise PackageError(f"the name of the file {path!a} holds a tab or a line break; rename it")
