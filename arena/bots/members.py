"""What may be in a bot's archive: each member is judged by its path, its kind and its size before a byte of it is kept.

Whoever reads archives yields members, and `Contents` judges them, so that no format has an easier way in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from arena.bots.errors import ArchiveError
from arena.bots.names import BLANK
from arena.bots.package import is_always_left_out

MIB = 1 << 20
MAX_UNPACKED = 64 * MIB
"""Bytes of all files of a bot together."""
MAX_RATIO = 200
UNSUSPICIOUS = 4 * MIB
"""What unpacks to more than this, and to more than so many times its size, is a bomb: no program is so dull."""
MAX_MEMBERS = 2_000
MAX_DEPTH = 20
MAX_PATH = 240
MAX_PART = 120
"""Bytes of a path, and of a name in it: every file system that a bot may be copied to has room for it."""

DRIVE = re.compile(r"[A-Za-z]:")
SHOWN = 60
NAMELESS = "a file in it has no name"


class Kind(Enum):
    """What a member of an archive is."""

    FILE = "a file"
    FOLDER = "a folder"
    LINK = "a link: put the file itself there"
    DEVICE = "neither a file nor a folder, but a device, a pipe or the like: leave it out"
    SPARSE = "a sparse file, which claims to be larger than it is: pack it without holes"


class Member(NamedTuple):
    """A member as an archive describes it; `content` yields its bytes and must be taken before the next member."""

    path: str
    kind: Kind
    runnable: bool
    content: Iterator[bytes]


class Contents:
    """The members that were seen so far. It refuses, with an `ArchiveError`, what no honest archive holds."""

    def __init__(self, packed: int) -> None:
        """`packed` is the size of the archive."""
        self._packed = packed
        self._members = 0
        self._bytes = 0
        self._spelling: dict[str, str] = {}
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def admit(self, path: str, kind: Kind) -> str | None:
        """The path of a file that belongs to the bot, in its one spelling; None for folders and what is left out."""
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise ArchiveError(
                f"it holds more than {MAX_MEMBERS} files and folders: leave out what the bot does not need"
            )
        parts = _parts(path)
        if any(map(is_always_left_out, parts)):
            return None
        if kind not in (Kind.FILE, Kind.FOLDER):
            raise ArchiveError(f"{shown(path)} is {kind.value}")
        if not parts and kind is Kind.FILE:
            raise ArchiveError(NAMELESS)
        for depth in range(1, len(parts)):
            self._enter("/".join(parts[:depth]), self._folders)
        whole = "/".join(parts)
        if kind is Kind.FOLDER:
            if whole:
                self._enter(whole, self._folders)
            return None
        if whole in self._files:
            raise ArchiveError(f"{shown(whole)} is in it twice: which one is meant?")
        self._enter(whole, self._files)
        return whole

    def grow(self, size: int) -> None:
        """So many more bytes of a file came out of the archive, whatever it claims."""
        self._bytes += size
        if self._bytes > MAX_UNPACKED:
            raise ArchiveError(
                f"it unpacks to more than {MAX_UNPACKED // MIB} MB: leave out what the bot does not need"
            )
        if self._bytes > UNSUSPICIOUS and self._bytes > MAX_RATIO * self._packed:
            raise ArchiveError(
                f"it unpacks to more than {MAX_RATIO} times its size, as only a bomb does: pack programs and their data"
            )

    def _enter(self, path: str, among: set[str]) -> None:
        key = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())
        other = self._spelling.setdefault(key, path)
        if other != path:
            raise ArchiveError(
                f"{shown(other)} and {shown(path)} differ only in capitals or in how their signs are written, which "
                "some file systems do not tell apart: rename one"
            )
        among.add(path)
        if path in self._files and path in self._folders:
            raise ArchiveError(f"{shown(path)} is both a file and a folder")


def shown(path: str) -> str:
    """A path of strangers as it can be told: in one short line, with nothing that steers a terminal."""
    text = path if path.isprintable() and BLANK.isdisjoint(path) else ascii(path)[1:-1]
    return f"'{text if len(text) <= SHOWN else text[:SHOWN] + '…'}'"


def _parts(path: str) -> list[str]:
    """The names in a path from the bot's folder downwards; none for the folder itself."""
    if not path:
        raise ArchiveError(NAMELESS)
    if "\0" in path:
        raise ArchiveError(f"the name {shown(path)} holds a zero byte, behind which it would be cut off")
    if not path.isprintable() or not BLANK.isdisjoint(path):
        raise ArchiveError(f"the name {shown(path)} holds a control, direction or other invisible character")
    if "\\" in path:
        raise ArchiveError(f"the name {shown(path)} holds a backslash: folders are separated by '/'")
    if path.startswith("/") or DRIVE.match(path):
        raise ArchiveError(f"the path {shown(path)} is absolute: give paths from the bot's folder")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ArchiveError(f"the path {shown(path)} leads out of the bot's folder with '..'")
    _check_length(path, parts)
    for part in parts:
        if part != part.strip() or part.endswith("."):
            raise ArchiveError(f"the name {shown(part)} begins or ends with a space, or ends with a dot: rename it")
    return parts


def _check_length(path: str, parts: list[str]) -> None:
    if len(parts) > MAX_DEPTH:
        raise ArchiveError(f"{shown(path)} lies {len(parts) - 1} folders deep: at most {MAX_DEPTH - 1} are allowed")
    longest = max((len(part.encode()) for part in parts), default=0)
    if longest > MAX_PART:
        raise ArchiveError(f"a name in {shown(path)} has {longest} bytes: at most {MAX_PART} are allowed")
    if len(path.encode()) > MAX_PATH:
        raise ArchiveError(f"the path {shown(path)} has {len(path.encode())} bytes: at most {MAX_PATH} are allowed")
