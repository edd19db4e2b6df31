"""What bots are called in tables: name and version, and the digest's beginning where that is not enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from arena.cli.output import SHORT, harmless
from arena.tournament.entries import Entry


def labels(entries: Iterable[Entry]) -> Mapping[bytes, str]:
    """A label for each digest, safe to print; a digest that entered under two names goes by the first of them."""
    by_digest: dict[bytes, Entry] = {}
    for entry in entries:
        by_digest.setdefault(entry.digest, entry)
    plain = {digest: harmless(f"{entry.name} {entry.version}") for digest, entry in by_digest.items()}
    times = Counter(plain.values())
    return {digest: f"{label} {digest.hex()[:SHORT]}" if times[label] > 1 else label for digest, label in plain.items()}
