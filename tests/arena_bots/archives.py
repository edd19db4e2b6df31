"""Archives as honest programs and as attackers make them."""

from __future__ import annotations

import stat
import tarfile
import zipfile
from io import BytesIO

MANIFEST = b'name = "fox"\nversion = "1.0"\ncommand = ["python", "main.py"]\n'
BOT = {"bot.toml": MANIFEST, "main.py": b"pass\n"}


def tar(files: dict[str, bytes] | None = None, *more: tarfile.TarInfo | bytes, end: bool = True) -> bytes:
    """A tar archive of `files` (by default a bot), then `more` members, or raw blocks, as they are."""
    out = BytesIO()
    for name, content in (BOT if files is None else files).items():
        member = tarfile.TarInfo(name)
        member.size = len(content)
        out.write(_member(member) + content + bytes(-len(content) % 512))
    for one in more:
        out.write(one if isinstance(one, bytes) else _member(one))
    out.write(bytes(1024) if end else b"")
    return out.getvalue()


def _member(member: tarfile.TarInfo) -> bytes:
    return member.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    """A member of another kind, such as a link to `target`."""
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


def header(name: bytes = b"x", kind: bytes = b"0", size: bytes = b"0") -> bytes:
    """The header of a tar member, with a sum that fits, whatever stands in it."""
    block = bytearray(512)
    block[: len(name)] = name
    block[100:108] = b"0000644\0"
    block[124 : 124 + len(size)] = size
    block[148:156] = b"        "
    block[156:157] = kind
    block[257:263] = b"ustar\0"
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def extended(kind: bytes, text: bytes) -> bytes:
    """An extended header with this text."""
    return header(b"ext", kind, b"%011o" % len(text)) + text + bytes(-len(text) % 512)


def record(key: bytes, value: bytes) -> bytes:
    """A record of a pax header."""
    body = b" " + key + b"=" + value + b"\n"
    length = next(n for n in range(len(body), len(body) + 10) if len(b"%d" % n) + len(body) == n)
    return b"%d" % length + body


def zipped(files: dict[str, bytes] | None = None, *more: tuple[zipfile.ZipInfo, bytes], method: int = 8) -> bytes:
    """A zip archive of `files` (by default a bot), then `more` entries as they are."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in (BOT if files is None else files).items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
        for info, content in more:
            archive.writestr(info, content)
    return out.getvalue()


def entry(name: str, mode: int = stat.S_IFREG | 0o644) -> zipfile.ZipInfo:
    """An entry with permissions of Unix."""
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, mode << 16
    return info
