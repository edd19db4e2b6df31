"""Reading tar archives of strangers: strictly, from front to back, in bounded time and memory.

The library's reader follows links, seeks, makes sparse files up and takes time that grows with the square of some
headers. A bot needs files and folders only, so what is read here is the ustar header with the long names of POSIX pax
and of GNU: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from arena.bots.errors import ArchiveError
from arena.bots.members import Kind, Member

BLOCK = 512
CHUNK = 1 << 16
MOST_EXTENDED = 1 << 16
"""Bytes of an extended header, which holds a long name and little else."""

KINDS: Mapping[bytes, Kind] = MappingProxyType(
    {
        b"0": Kind.FILE, b"\0": Kind.FILE, b"7": Kind.FILE, b"5": Kind.FOLDER, b"1": Kind.LINK, b"2": Kind.LINK,
        b"3": Kind.DEVICE, b"4": Kind.DEVICE, b"6": Kind.DEVICE, b"S": Kind.SPARSE,
    }
)  # fmt: skip
PAX, PAX_FOR_ALL, LONG_NAME, LONG_LINK = b"x", b"g", b"L", b"K"

DAMAGED = "it is damaged: pack it again"
TORN = "it ends in the middle: pack it again"


class Stream(Protocol):
    """Bytes from front to back."""

    def read(self, size: int) -> bytes:
        """At most `size` bytes, and fewer only at the end."""
        ...


class _Header(NamedTuple):
    name: bytes
    kind: bytes
    runnable: bool
    size: int


def is_tar(start: bytes) -> bool:
    """Whether a file that begins with these 512 bytes is a tar archive."""
    return len(start) == BLOCK and _checksum_fits(start)


def read_tar(stream: Stream) -> Iterator[Member]:
    """The members one by one; the content of each ends when the next is asked for. Raises `ArchiveError`."""
    long_name: bytes | None = None
    while (header := _header(stream)) is not None:
        if header.kind in (PAX, PAX_FOR_ALL, LONG_NAME, LONG_LINK):
            found = _extended_name(header, _extended(stream, header.size))
            long_name = long_name if found is None else found
            continue
        kind = KINDS.get(header.kind)
        if kind is None:
            raise ArchiveError(f"it holds a member of the unknown kind {header.kind!a}: pack it with an ordinary tar")
        name = _text(header.name if long_name is None else long_name)
        long_name = None
        if kind is Kind.FILE and name.endswith("/"):
            kind = Kind.FOLDER  # as programs older than the kind of folders wrote it
        content = _content(stream, header.size)
        yield Member(name, kind, header.runnable, content)
        for _ in content:
            pass


def _header(stream: Stream) -> _Header | None:
    """The next header; None at the end of the archive."""
    block = stream.read(BLOCK)
    if len(block) < BLOCK:
        raise ArchiveError(TORN)
    if not block.strip(b"\0"):
        return None
    if not _checksum_fits(block):
        raise ArchiveError(DAMAGED)
    name = block[:100].rstrip(b"\0")
    if block[257:263] == b"ustar\0" and (prefix := block[345:500].rstrip(b"\0")):
        name = prefix + b"/" + name
    return _Header(name, block[156:157], _octal(block[100:108]) & 0o100 != 0, _octal(block[124:136]))


def _checksum_fits(block: bytes) -> bool:
    """Whether the sum of the header's bytes, with blanks where the sum stands, is what stands there."""
    try:
        return _octal(block[148:156]) == sum(block) - sum(block[148:156]) + 8 * ord(" ")
    except ArchiveError:
        return False


def _octal(digits: bytes) -> int:
    """A number of a header; larger ones than octal digits can say are of no use here."""
    text = digits.partition(b"\0")[0].strip(b" ")
    if not all(digit in b"01234567" for digit in text):
        raise ArchiveError(DAMAGED if digits[:1] not in (b"\x80", b"\xff") else "a file in it claims a senseless size")
    return int(text or b"0", 8)


def _content(stream: Stream, size: int) -> Iterator[bytes]:
    """The content of a member, and past the blanks that fill up its last block."""
    for end in range(size, 0, -CHUNK):
        chunk = stream.read(min(end, CHUNK))
        if len(chunk) < min(end, CHUNK):
            raise ArchiveError(TORN)
        yield chunk
    stream.read(-size % BLOCK)


def _extended(stream: Stream, size: int) -> bytes:
    if size > MOST_EXTENDED:
        raise ArchiveError(f"it holds a header of {size} bytes: pack it with an ordinary tar")
    return b"".join(_content(stream, size))


def _extended_name(header: _Header, text: bytes) -> bytes | None:
    """The name that an extended header gives to the next member, if it does."""
    if header.kind == LONG_NAME:
        return text.rstrip(b"\0")
    if header.kind == LONG_LINK:
        return None
    records = _pax_records(text)
    if b"size" in records:
        raise ArchiveError("a file in it claims a senseless size")
    if any(key.startswith(b"GNU.sparse") for key in records):
        raise ArchiveError("it holds a sparse file, which claims to be larger than it is: pack it without holes")
    if header.kind == PAX_FOR_ALL and b"path" in records:
        raise ArchiveError("it gives one name to all that follows: pack it with an ordinary tar")
    return records.get(b"path")


def _pax_records(text: bytes) -> dict[bytes, bytes]:
    """The records `LENGTH KEY=VALUE LF` of an extended header; the length counts all of its own record."""
    records = {}
    while text.strip(b"\0"):
        digits, _, _ = text[:8].partition(b" ")
        length = int(digits) if digits.isdigit() else 0
        record = text[:length]
        key, sign, value = record[len(digits) + 1 : -1].partition(b"=")
        if not sign or len(record) != length or record[-1:] != b"\n":
            raise ArchiveError(DAMAGED)
        records[key] = value
        text = text[length:]
    return records


def _text(name: bytes) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError:
        raise ArchiveError(f"the name {name[:60]!a} in it is not UTF-8: rename the file") from None
