"""A bot as one file: packed in the same bytes for the same content, and unpacked from what strangers send.

A member is written only below a private folder in which no link was ever made, and only as a new file.
"""

from __future__ import annotations

import gzip
import os
import tarfile
import zlib
from collections.abc import Iterator, Set
from io import BytesIO
from pathlib import Path

import zstandard

from arena.bots.errors import ArchiveError, PackageError
from arena.bots.manifest import MANIFEST_NAME, Manifest
from arena.bots.members import MAX_MEMBERS, MAX_UNPACKED, MIB, Contents, Kind, Member
from arena.bots.package import BotFile, bot_files
from arena.bots.tars import BLOCK, Stream, is_tar, read_tar
from arena.bots.zips import read_zip

MAX_PACKED = 32 * MIB
MAX_STREAM = MAX_UNPACKED + MAX_MEMBERS * 8 * BLOCK
"""All files with their headers; what unpacks to more holds something else too."""
LEVEL = 10

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
KNOWN = "use tar, tar.gz, tar.zst or zip"
OTHERS = {b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"7z\xbc\xaf": "7z", b"Rar!": "rar"}


def read_archive(path: Path) -> bytes:
    """The bytes of an archive of a bearable size; raises `ArchiveError`, and OSError when it cannot be read."""
    with path.open("rb") as file:
        data = file.read(MAX_PACKED + 1)
    _check_packed(data)
    return data


def _check_packed(data: bytes) -> None:
    if len(data) > MAX_PACKED:
        raise ArchiveError(
            f"as an archive it is larger than {MAX_PACKED // MIB} MB: leave out what the bot does not need"
        )


def _without_links(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def pack(folder: Path, manifest: Manifest) -> bytes:
    """The files of the bot in `folder` as a tar.zst: those that its digest covers, in that order, and nothing else.

    Neither times nor owners are in it. Raises `PackageError`, and `ArchiveError` for a bot that could not be unpacked.
    """
    try:
        plain = _tar(folder, manifest)
        packed = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(plain)
        _check_packed(packed)
        Contents(len(packed)).grow(len(plain))
    except ArchiveError as error:
        raise ArchiveError(f"{folder}: {error} ('ignore' in {MANIFEST_NAME} leaves files out)") from None
    except OSError as error:
        raise PackageError(f"{error.filename or folder} cannot be read: {error.strerror}") from None
    return packed


def _tar(folder: Path, manifest: Manifest) -> bytes:
    contents = Contents(MAX_UNPACKED)
    plain = BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for file in bot_files(folder, manifest):
            contents.admit(file.path, Kind.FILE)
            with open(folder / file.path, "rb", opener=_without_links) as stream:
                content = stream.read(MAX_UNPACKED + 1)
            contents.grow(len(content))
            member = tarfile.TarInfo(file.path)
            member.size, member.mode = len(content), 0o755 if file.runnable else 0o644
            tar.addfile(member, BytesIO(content))
    return plain.getvalue()


def unpack(data: bytes, folder: Path) -> Path:
    """Write the files of an archive below `folder`, which is empty and nobody else's, and return the bot's own folder.

    That is the one with the manifest: `folder`, or the only one in it. Nothing is written before all is judged. Raises
    `ArchiveError`, and OSError when the system has no room.
    """
    files = list(_judged(data))
    home = folder / _top({file.path for file, _ in files})
    for file, content in files:
        place = folder / file.path
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(place, "xb", opener=_without_links) as stream:
            stream.write(content)
        place.chmod(0o700 if file.runnable else 0o600)
    return home


def _judged(data: bytes) -> Iterator[tuple[BotFile, bytes]]:
    """The files of an archive that belong to the bot, with their content."""
    contents = Contents(len(data))
    for member in _members(data):
        path = contents.admit(member.path, member.kind)
        if path is not None:
            chunks = []
            for chunk in member.content:
                contents.grow(len(chunk))
                chunks.append(chunk)
            yield BotFile(path, member.runnable), b"".join(chunks)


def _top(paths: Set[str]) -> str:
    """The path of the bot's own folder among these paths of files; "" when that is the whole."""
    tops = {path.partition("/")[0] for path in paths}
    top = "" if MANIFEST_NAME in paths else min(tops, default="")
    if MANIFEST_NAME not in paths and (len(tops) != 1 or f"{top}/{MANIFEST_NAME}" not in paths):
        raise ArchiveError(f"it has no {MANIFEST_NAME}, neither at its top nor in a folder that holds all of it")
    return top


def _members(data: bytes) -> Iterator[Member]:
    if data.startswith(ZIP):
        return read_zip(data)
    return read_tar(_stream(data))


def _stream(data: bytes) -> Stream:
    """The tar archive in what was sent."""
    if not data:
        raise ArchiveError("it is empty")
    for start, name in OTHERS.items():
        if data.startswith(start):
            raise ArchiveError(f"it is packed with {name}: {KNOWN}")
    if data.startswith(GZIP):
        return _Unpacking(gzip.GzipFile(fileobj=BytesIO(data)))
    if data.startswith(ZSTD):
        unpacking = zstandard.ZstdDecompressor().stream_reader(BytesIO(data), read_across_frames=True)
        return _Unpacking(unpacking)
    if not is_tar(data[:BLOCK]):
        raise ArchiveError(f"it is no archive that is known here: {KNOWN}")
    return BytesIO(data)


class _Unpacking:
    """What comes out of a packed stream, until it is too much. Raises `ArchiveError`."""

    def __init__(self, source: Stream) -> None:
        self._source = source
        self._came = 0

    def read(self, size: int) -> bytes:
        """At most `size` bytes, and fewer only at the end."""
        whole = b""
        while len(whole) < size and (chunk := self._read(size - len(whole))):
            whole += chunk
        self._came += len(whole)
        if self._came > MAX_STREAM:
            raise ArchiveError(
                f"it unpacks to more than {MAX_UNPACKED // MIB} MB: leave out what the bot does not need"
            )
        return whole

    def _read(self, size: int) -> bytes:
        try:
            return self._source.read(size)
        except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
            raise ArchiveError("it is damaged, or ends in the middle: pack it again") from error
