"""Entries: which bots take part, by name, version and digest, and the digest of them all."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

BOTS_PER_OWNER = 3
"""So many of an owner's bots play in one tournament, unless told otherwise."""


class Entry(NamedTuple):
    """A bot as it entered: name and version from its manifest, the 32-byte digest of what runs.

    `remote` tells that the bot is an address, so that nobody can say which process answers.
    """

    name: str
    version: str
    digest: bytes
    remote: bool = False

    def line(self) -> bytes:
        """The entry as it goes into the entries digest: `name TAB version TAB hexdigest LF` in UTF-8.

        Raises ValueError when name or version holds a tab or a line feed, for then two lists could have one digest.
        """
        if any(mark in text for text in (self.name, self.version) for mark in "\t\n"):
            raise ValueError(f"bot {self.name!r} {self.version!r}: name and version must hold no tab and no line feed")
        return f"{self.name}\t{self.version}\t{self.digest.hex()}\n".encode()


def sort_entries(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries in their one order: by their lines, compared as bytes. A bot that entered twice stands twice."""
    return tuple(sorted(entries, key=Entry.line))


def entries_digest(entries: Iterable[Entry]) -> bytes:
    """SHA-256 of the sorted lines of all entries: 32 bytes, whatever the order in which they came."""
    return sha256(b"".join(sorted(entry.line() for entry in entries))).digest()
