"""Reading zip archives of strangers: what the directory claims is checked, and only what comes out is believed."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from arena.bots.errors import ArchiveError
from arena.bots.members import MAX_MEMBERS, Kind, Member

CHUNK = 1 << 16
UNIX = 3
"""The system, as a zip archive numbers it, whose permissions stand in the upper half of the attributes."""
ENCRYPTED = 0x1
DIRECTORY_ENTRY = b"PK\x01\x02"
ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, OverflowError, RuntimeError)
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
SANE_ENTRIES = 10 * MAX_MEMBERS
"""The library makes an object of every entry before anything can be said of it, so they are counted first, roughly."""


def read_zip(data: bytes) -> Iterator[Member]:
    """The members one by one; the content of each is to be read before the next. Raises `ArchiveError`."""
    if data.count(DIRECTORY_ENTRY) > SANE_ENTRIES:
        raise ArchiveError(f"it holds more than {MAX_MEMBERS} files and folders: leave out what the bot does not need")
    with _told():
        archive = zipfile.ZipFile(BytesIO(data))
    with archive:
        for info in archive.infolist():
            yield _member(archive, info)


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    if info.flag_bits & ENCRYPTED:
        raise ArchiveError("it is encrypted: pack it without a password")
    if info.compress_type not in METHODS:
        raise ArchiveError(f"it is packed by method {info.compress_type} of zip: use 'deflate' or 'store'")
    mode = info.external_attr >> 16 if info.create_system == UNIX else 0
    return Member(info.orig_filename, _kind(info, mode), bool(mode & 0o100), _content(archive, info))


def _kind(info: zipfile.ZipInfo, mode: int) -> Kind:
    if stat.S_ISLNK(mode):
        return Kind.LINK
    if info.orig_filename.endswith("/") or stat.S_ISDIR(mode):
        return Kind.FOLDER
    return Kind.FILE if stat.S_IFMT(mode) in (0, stat.S_IFREG) else Kind.DEVICE


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    with _told(), archive.open(info) as file:
        while chunk := file.read(CHUNK):
            yield chunk


@contextmanager
def _told() -> Iterator[None]:
    """Tell all that the library may find wrong in one way."""
    try:
        yield
    except ERRORS as error:
        raise ArchiveError("it is damaged: pack it again") from error
