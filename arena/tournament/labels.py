"""What bots are called where people read: the texts of strangers made harmless, and one label for each bot."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from arena.tournament.entries import Entry

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

SHORT = 10
"""So many digits of an id are shown where there is no room for all: enough to name it among very many."""


def harmless(text: str) -> str:
    """The text in one line without control, direction or other invisible characters; each becomes a visible mark."""
    if text.isprintable():  # as nearly all are; what is printable is none of these
        return text
    return "".join(REPLACEMENT if unicodedata.category(sign) in _HARMFUL else sign for sign in text)


def labels(entries: Iterable[Entry]) -> Mapping[bytes, str]:
    """A label for each digest, safe to print; a digest that entered under two names goes by the first of them."""
    by_digest: dict[bytes, Entry] = {}
    for entry in entries:
        by_digest.setdefault(entry.digest, entry)
    plain = {digest: harmless(f"{entry.name} {entry.version}") for digest, entry in by_digest.items()}
    times = Counter(plain.values())
    return {digest: f"{label} {digest.hex()[:SHORT]}" if times[label] > 1 else label for digest, label in plain.items()}


def seat_labels(seats: Sequence[bytes], entries: Iterable[Entry]) -> tuple[str, ...]:
    """A label for each seat of a match, safe to print: the bot's name alone where that tells the bots apart."""
    entered = tuple(entries)
    names = {entry.digest: harmless(entry.name) for entry in reversed(entered)}
    sitting = {digest: names[digest] for digest in seats}
    distinct = len(set(sitting.values())) == len(sitting)
    shown = sitting if distinct else labels(entered)
    return tuple(shown[digest] for digest in seats)
