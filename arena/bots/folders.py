"""Finding bots on this machine: by the path of a folder, or by name among the folders that hold bots; and telling
bots of any kind apart."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from arena.bots.errors import BotError, FolderError, ManifestError
from arena.bots.manifest import MANIFEST_NAME, Manifest, load_manifest
from arena.bots.package import folder_digest


class Contender(Protocol):
    """A bot that is to enter a tournament; `place` is where it was found, `owner` who submitted it ("" for nobody)."""

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def version(self) -> str: ...  # noqa: D102

    @property
    def digest(self) -> bytes: ...  # noqa: D102

    @property
    def label(self) -> str: ...  # noqa: D102

    @property
    def place(self) -> str: ...  # noqa: D102

    @property
    def owner(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class BotFolder:
    """A bot as it lies on disk: its folder, what its manifest says, and the digest of its files at that time.

    `owner` is who submitted it, "" for a folder of this machine: what somebody submitted runs in the sandbox only.
    """

    path: Path
    manifest: Manifest
    digest: bytes
    owner: str = ""

    @property
    def name(self) -> str:
        """As its manifest says."""
        return self.manifest.name

    @property
    def version(self) -> str:
        """As its manifest says."""
        return self.manifest.version

    @property
    def label(self) -> str:
        """Name and version, as people call the bot."""
        return f"{self.name} {self.version}"

    @property
    def place(self) -> str:
        """The path of the folder."""
        return str(self.path)


def open_folder(path: Path) -> BotFolder:
    """Read the bot in the folder `path`; raises `ManifestError` or `PackageError`."""
    manifest = load_manifest(path)
    return BotFolder(path, manifest, folder_digest(path, manifest))


def discover(roots: Iterable[Path], *, broken: bool = False) -> list[BotFolder]:
    """Every bot directly below the `roots` that exist, by name, version and path.

    Folders without a manifest are passed over; a bot that is broken raises `ManifestError` or `PackageError`, unless
    it may be `broken`: then it is passed over too.
    """
    bots = []
    for path in _folders(roots):
        try:
            bots.append(open_folder(path))
        except BotError:
            if not broken:
                raise
    return sorted(bots, key=lambda bot: (bot.manifest.name, bot.manifest.version, str(bot.path)))


def resolve(wanted: str, roots: Sequence[Path], others: Iterable[str] = ()) -> BotFolder:
    """The bot that `wanted` means: a folder's path, or the name of a bot or of a folder directly below the `roots`.

    `others` are names of bots without a folder here, for a hint at what may have been meant. Raises `FolderError` when
    there is none or when several bear the name, and what `open_folder` raises.
    """
    path = _path(wanted)
    if is_place(wanted):
        return open_folder(path)
    if len(path.parts) != 1:
        what = "is not a folder" if path.exists() else "does not exist"
        raise FolderError(f"{wanted} {what}; name a folder with a {MANIFEST_NAME}, or a bot")
    found = called(wanted, roots)
    if len(found) > 1:
        raise FolderError(f"'{wanted}' could be {' or '.join(map(str, found))}; name the folder")
    if not found:
        here = f", and the folder {path} has no {MANIFEST_NAME}" if path.is_dir() else ""
        names = [*map(_name, _folders(roots)), *others]
        raise FolderError(f"there is no bot '{wanted}'{here}; {_hint(wanted, names)}")
    return open_folder(found[0])


def is_place(wanted: str) -> bool:
    """Whether the path of a folder is meant, not a name; FolderError for what the system can have no path like."""
    path = _path(wanted)
    return (path / MANIFEST_NAME).exists() or (path.is_dir() and len(path.parts) != 1)


def called(name: str, roots: Iterable[Path]) -> list[Path]:
    """The folders directly below the `roots` whose bot, or which themselves, have this name."""
    wanted = unicodedata.normalize("NFC", name)
    return [folder for folder in _folders(roots) if wanted in (_name(folder), folder.name)]


def check_distinct(bots: Iterable[Contender], *, clones: bool = False) -> None:
    """Raise `FolderError` when two bots claim one name and version, or are the same bot (allowed with `clones`)."""
    seen: dict[tuple[str, str], Contender] = {}
    for bot in bots:
        other = seen.setdefault((bot.name, bot.version), bot)
        if other is bot:
            continue
        if other.digest != bot.digest:
            raise FolderError(
                f"{other.place} and {bot.place} both claim to be {bot.label} but differ; change a name or version"
            )
        if not clones:
            raise FolderError(
                f"{bot.label} is named twice: {other.place} and {bot.place} are the same bot; name it once"
            )


def _folders(roots: Iterable[Path]) -> Iterator[Path]:
    for root in roots:
        if root.is_dir():
            yield from sorted(path.parent for path in root.glob(f"*/{MANIFEST_NAME}") if path.parent.name[0] != ".")


def _path(wanted: str) -> Path:
    """The path that `wanted` may be; FolderError when the system can have none like it."""
    if not wanted:
        raise FolderError(f"the name of a bot is empty; name a folder with a {MANIFEST_NAME}, or a bot")
    try:
        path = Path(wanted).expanduser()
        path.exists()
    except (OSError, RuntimeError) as error:  # a name that is too long, an unknown user's home
        reason = error.strerror if isinstance(error, OSError) else error
        raise FolderError(f"{wanted} is no path ({reason}); name a folder with a {MANIFEST_NAME}, or a bot") from None
    return path


def _name(folder: Path) -> str:
    """The name of a bot while looking for another: a broken manifest does not stand in the way."""
    try:
        return load_manifest(folder).name
    except ManifestError:
        return folder.name


def _hint(wanted: str, names: list[str]) -> str:
    near = difflib.get_close_matches(wanted, names, n=1)
    if near:
        return f"did you mean '{near[0]}'?"
    known = f"known are {', '.join(sorted(set(names)))}; or " if names else ""
    return f"{known}name the path of its folder"
